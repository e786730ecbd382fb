import type { WebSocket } from 'ws';
import type { Logger } from '../contract/logger.ts';
import type { Schedule } from '../contract/schedule.ts';

/** The signed-in browser behind a socket. */
export interface LiveSession {
  /** Identifies the session in the log; the cookie itself is not kept here. */
  idHash: string;
  /** Checked on every ping: false after a logout, a credential change or the end of the session. */
  isStillValid(): Promise<boolean>;
}

/** Close code that tells the page to sign in again instead of reconnecting. */
export const SESSION_ENDED = 4401;

const PING_EVERY_MS = 54_000;
const PONG_WITHIN_MS = 60_000;
const WRITE_WITHIN_MS = 10_000;
/** Messages passed to the socket that the peer has not taken yet. */
const MAX_QUEUED = 512;
const MAX_QUEUED_BYTES = 32 * 1024 * 1024;

export interface Connection {
  send(text: Buffer): void;
  /** Checks the session again and closes the socket when it has ended. */
  recheck(): Promise<boolean>;
  close(code: number, reason: string): void;
}

/**
 * Watches one socket for its whole life: pings, session checks, and the end of a reader that is too slow. A slow reader
 * is dropped rather than buffered, because its page reconnects and refetches anyway.
 */
export function watchConnection(options: {
  socket: WebSocket;
  session: LiveSession;
  schedule: Schedule;
  log: Logger;
  onClose: () => void;
}): Connection {
  const { socket, session, schedule, log, onClose } = options;
  let queued = 0;
  let taken = 0;
  let takenAtLastLook = 0;
  let wasQueuedAtLastLook = false;

  function drop(reason: string): void {
    log.info('live.dropped', { session: session.idHash, reason, queued, queuedBytes: socket.bufferedAmount });
    socket.terminate();
  }

  async function recheck(): Promise<boolean> {
    const isValid = await session.isStillValid();
    if (!isValid) socket.close(SESSION_ENDED, 'the session has ended');
    return isValid;
  }

  const armPongDeadline = () => schedule.after(PONG_WITHIN_MS, () => drop('no answer to a ping'));
  let pongDeadline = armPongDeadline();
  const pings = schedule.every(PING_EVERY_MS, async () => {
    if ((await recheck()) && socket.readyState === socket.OPEN) socket.ping();
  });
  const writes = schedule.every(WRITE_WITHIN_MS, () => {
    const isStalled = wasQueuedAtLastLook && taken === takenAtLastLook;
    wasQueuedAtLastLook = queued > 0;
    takenAtLastLook = taken;
    if (isStalled) drop('a message was not taken in time');
  });

  socket.on('pong', () => {
    pongDeadline.cancel();
    pongDeadline = armPongDeadline();
  });
  socket.on('error', (error) => log.debug('live.socketError', { session: session.idHash, error }));
  socket.once('close', () => {
    for (const timer of [pongDeadline, pings, writes]) timer.cancel();
    onClose();
  });

  return {
    send(text) {
      if (socket.readyState !== socket.OPEN) return;
      if (queued >= MAX_QUEUED || socket.bufferedAmount > MAX_QUEUED_BYTES) return drop('the reader is too slow');
      queued += 1;
      socket.send(text, { binary: false }, () => {
        queued -= 1;
        taken += 1;
      });
    },
    recheck,
    close: (code, reason) => socket.close(code, reason),
  };
}
