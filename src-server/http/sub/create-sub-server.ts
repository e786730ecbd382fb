import type { Server } from 'node:http';
import { createLine } from '../../concurrency.ts';
import type { AcmeChallenges } from '../../certificates/acme-challenges.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Schedule } from '../../contract/schedule.ts';
import { createSubRequests, type SubRequestSettings } from './sub-requests.ts';
import type { SubscriptionSource } from './sub-source.ts';
import { createWebPort, type WebPort } from '../listeners/web-port.ts';
import { createHttpListener, redirectToTls, type RequestHandlers } from '../listeners/web-listener.ts';
import { bracketed } from '../../contract/host-and-port.ts';

/** Settings of the listener itself; a change of one reopens it. */
const DOOR_SETTINGS = ['subEnable', 'subListen', 'subPort', 'subCertFile', 'subKeyFile'] as const;

export interface SubServerSettings extends SubRequestSettings {
  subEnable: boolean;
  subListen: string;
  subPort: number;
  subCertFile: string;
  subKeyFile: string;
}

/** Short headers and bodies: the most exposed listener has the least patience. */
const LIMITS = { headersMs: 5_000, bodyMs: 30_000, uploadMs: 30_000, connections: 10_000 };
/**
 * How long requests in flight may finish, in ms: together with the web port's they have to fit into the panel's stop.
 */
const CLOSE_MS = 2_000;

/** The subscription server's own listener: separate from the panel's, without cookies, and silent about what exists. */
export function createSubServer(deps: {
  source: SubscriptionSource;
  settings: () => SubServerSettings;
  schedule: Schedule;
  clock: () => number;
  log: Logger;
  /** Responses to authorities while orders run. */
  challenges?: AcmeChallenges;
  /** As in {@link createSubRequests}. */
  beforeEach?: () => Promise<void>;
}) {
  const { settings, schedule, log, challenges } = deps;
  const handle = createSubRequests(deps);
  let open: { server: Server; port: Pick<WebPort, 'stop' | 'speaksTls' | 'follow'> } | null = null;
  // Two saves in a row must not open two listeners.
  const inLine = createLine();

  async function start(isOptional: boolean): Promise<string> {
    const { subEnable, subListen, subPort, subCertFile, subKeyFile } = settings();
    if (!subEnable) return '';
    const handlers: RequestHandlers = {
      onRequest(request, response) {
        if (!port.speaksTls() || !redirectToTls(request, response)) handle(request, response);
      },
      onUpgrade: (_request, socket) => socket.destroy(),
    };
    const server = createHttpListener(LIMITS, handlers, challenges);
    server.keepAliveTimeout = 120_000;
    server.on('error', (error) => log.debug('sub.listenerError', { error }));
    const port = createWebPort({
      server,
      certFile: subCertFile,
      keyFile: subKeyFile,
      authorities: null,
      schedule,
      log,
      limits: LIMITS,
      challenges,
    });
    open = { server, port };
    const bound = await port.open({ host: subListen, port: subPort }, isOptional);
    const shown = bracketed(subListen || '127.0.0.1');
    return `${bound.scheme}://${shown}:${bound.port}`;
  }

  async function stop(): Promise<void> {
    const closing = open;
    open = null;
    if (closing === null) return;
    closing.port.stop();
    if (!closing.server.listening) return;
    const timer = setTimeout(() => closing.server.closeAllConnections(), CLOSE_MS);
    await new Promise<void>((resolve) => {
      closing.server.close(() => resolve());
      closing.server.closeIdleConnections();
    });
    clearTimeout(timer);
  }

  return {
    /**
     * Opens the listener as configured. @returns its address, empty while switched off. @throws when the address is in
     * use.
     */
    start: (): Promise<string> => start(false),
    /** Whether it speaks TLS now. */
    speaksTls: (): boolean => open?.port.speaksTls() === true,
    /** Its certificate may have changed: loads it now, and connections go on. */
    followCertificate: async (): Promise<void> => open?.port.follow(),
    /** Reopens the listener when one of its own settings is among these; all others apply from the next request. */
    settingsChanged(changed: ReadonlySet<string>): Promise<void> {
      if (!DOOR_SETTINGS.some((key) => changed.has(key))) return Promise.resolve();
      return inLine(async () => {
        await stop();
        await start(true);
        log.info('sub.restarted');
      });
    },
    close: (): Promise<void> => inLine(stop),
  };
}
