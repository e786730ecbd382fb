import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { PanelEvent, Subscribe } from '../contract/events.ts';
import type { Logger } from '../contract/logger.ts';
import type { Schedule } from '../contract/schedule.ts';
import { watchConnection, type Connection, type LiveSession } from './connection.ts';
import { createInvalidations } from './invalidations.ts';
import { createLatestWins } from './latest-wins.ts';
import { isShown, resourcesBehind, toWire, type WireMessage } from './wire.ts';

/** Pages need not send anything; what they send is discarded, and more bytes than this end the socket. */
const MAX_INBOUND_BYTES = 512;
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
const LIVE_EVERY_MS = 250;
/** How long a peer may take to confirm the close, in ms. */
const CLOSE_WITHIN_MS = 2_000;

const SOCKET_OPTIONS = {
  noServer: true,
  clientTracking: false,
  maxPayload: MAX_INBOUND_BYTES,
  closeTimeout: CLOSE_WITHIN_MS,
  // Without context takeover a socket keeps no compression window between messages.
  perMessageDeflate: { threshold: 1024, serverNoContextTakeover: true, clientNoContextTakeover: true },
};

/** Carries panel events to open pages over WebSocket. */
export function createLiveHub(options: { subscribe: Subscribe; clock: () => number; schedule: Schedule; log: Logger }) {
  const { subscribe, clock, schedule, log } = options;
  const connections = new Set<Connection>();
  const server = new WebSocketServer(SOCKET_OPTIONS);
  let isClosed = false;
  let onAllGone = (): void => {};

  function broadcast(message: WireMessage): void {
    if (connections.size === 0) return;
    const text = Buffer.from(JSON.stringify({ ...message, time: clock() }));
    if (text.length > MAX_MESSAGE_BYTES) {
      log.warn('live.messageTooLarge', { type: message.type, bytes: text.length });
      for (const resource of resourcesBehind(message)) invalidate(resource, '');
      return;
    }
    for (const connection of connections) connection.send(text);
  }

  const invalidate = createInvalidations({ schedule, emit: broadcast });
  const throttle = createLatestWins<WireMessage>({ schedule, intervalMs: LIVE_EVERY_MS, emit: broadcast });

  function take(event: PanelEvent): void {
    if (connections.size === 0 || !isShown(event)) return;
    if (event.type === 'invalidate') invalidate(event.resource, event.requestId ?? '');
    else if (event.type === 'live') throttle(`${event.message} ${event.producer ?? 'core'}`, toWire(event));
    else broadcast(toWire(event));
  }
  const unsubscribe = subscribe(take);

  return {
    /**
     * Completes the upgrade of an authenticated request. The caller has already checked Origin, Host and the cookie.
     */
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, session: LiveSession): void {
      if (isClosed) {
        socket.destroy();
        return;
      }
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = watchConnection({
          socket: webSocket,
          session,
          schedule,
          log,
          onClose() {
            connections.delete(connection);
            if (connections.size === 0) onAllGone();
          },
        });
        connections.add(connection);
      });
    },
    /** False while there is no listener: producers of live figures need not compute them. */
    hasListeners: (): boolean => connections.size > 0,
    /** Closes the sockets of ended sessions now instead of at their next ping: after a logout or a new password. */
    async recheckSessions(): Promise<void> {
      await Promise.all([...connections].map((connection) => connection.recheck()));
    },
    /** Closes every page's socket properly and resolves when all are gone. */
    async close(): Promise<void> {
      isClosed = true;
      unsubscribe();
      if (connections.size === 0) return;
      const allGone = new Promise<void>((resolve) => (onAllGone = resolve));
      for (const connection of connections) connection.close(1001, 'the panel stops');
      await allGone;
    },
  };
}
export type LiveHub = ReturnType<typeof createLiveHub>;
