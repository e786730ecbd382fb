import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Router } from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { AcmeChallenges } from '../../certificates/acme-challenges.ts';
import type { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Schedule } from '../../contract/schedule.ts';
import { denyStrangers, identify, sendHome } from '../guards/access.ts';
import { belowBasePath, normaliseBasePath } from '../base-path.ts';
import type { BindContext, Mounted } from '../bind.ts';
import type { RequestInfo } from '../guards/caller.ts';
import { parseTrustedProxies, type ProxyTrust } from '../guards/client-address.ts';
import { parseClientAuthorities, verifiedFingerprint, type ClientAuthorities } from './client-certificate.ts';
import { compressResponses } from '../compress-responses.ts';
import { guardUnsafe } from '../guards/csrf.ts';
import { describeRequest } from '../describe-request.ts';
import { checkHost } from '../guards/host-check.ts';
import type { HttpSettings } from '../http-settings.ts';
import { limitInFlight, type InFlightLimits } from './in-flight.ts';
import { respondToRest } from '../sub/landing-page.ts';
import { createListeners } from './listeners.ts';
import { observe } from '../observe.ts';
import { checkMounted } from '../registry.ts';
import { ANONYMOUS, stateOf, type Authentication } from '../request-state.ts';
import { securityHeaders } from '../guards/security-headers.ts';
import type { Say } from '../texts.ts';
import { createUpgrades, type OpenUpgradeHandler, type UpgradeHandler } from './upgrades.ts';
import type { BoundPlace, ListenPlace } from './web-port.ts';
import { bracketed } from '../../contract/host-and-port.ts';

interface HttpLimits {
  inFlight: InFlightLimits;
  /** Open connections of the web port. */
  connections: number;
  headersMs: number;
  bodyMs: number;
  uploadMs: number;
  /** How long requests in flight may take when the panel stops. */
  closeMs: number;
}

const HTTP_LIMITS: HttpLimits = {
  inFlight: { all: 512, visitorPosts: 128, visitorPostsPerAddress: 64 },
  connections: 1_000,
  headersMs: 5_000,
  bodyMs: 30_000,
  uploadMs: 30 * 60_000,
  closeMs: 3_000,
};

export interface PanelServerDeps {
  /** `refresh` loads what a command saved beside this process, so that the next request already sees it. */
  settings: { current(): HttpSettings; refresh?(): Promise<void> };
  auth: Authentication;
  say: Say;
  log: Logger;
  clock: () => number;
  schedule: Schedule;
  /** Mounts the routes of each domain. */
  mount: readonly ((context: BindContext) => void)[];
  /** Where uploaded files wait for their handler. */
  uploadFolder?: string;
  /** Host in links requested over the private socket, which has none; null for `localhost`. */
  localHost?: () => string | null;
  /** Why this panel cannot change anything now; absent = it can. */
  standby?: () => DomainError;
  /** Serves the web interface: every path that the API does not handle. */
  pages?: Middleware;
  /** PEM bundle of authorities whose client certificates authenticate other panels; read at start, empty = none. */
  clientAuthorities?: string;
  /** False where the operator forbids HSTS. */
  isHstsAllowed?: boolean;
  limits?: Partial<HttpLimits>;
  /** Responses to authorities on the web port while orders run. */
  challenges?: AcmeChallenges;
}

export interface Listening extends BoundPlace {
  /** Scheme, address, port and base path, as a browser on this machine opens it. */
  url: string;
}

export interface ListenRequest extends ListenPlace {
  /** Path of a Unix socket, or name of a Windows pipe, that only this user may open. */
  privateSocket?: string;
  /**
   * True when a desktop window uses the private socket, which no web setting may block: the panel then starts without
   * its web port if that cannot be opened, and retries from time to time. Otherwise it may start without the private
   * socket.
   */
  isWebOptional?: boolean;
}

/**
 * Composes the edge of the panel: every request passes, in this order, the log and error boundary, security headers,
 * base path, Host, compression, sign-in, language, the limits of requests in flight, deny-by-default, CSRF and Origin,
 * and only then its route. The route reads the body last.
 * @throws {Error} when a mounted endpoint's path contradicts its access.
 */
export function createPanelServer(deps: PanelServerDeps) {
  const { settings, auth, say, log, clock } = deps;
  const limits = { ...HTTP_LIMITS, ...deps.limits };
  const start = settings.current();
  const basePath = normaliseBasePath(start.webBasePath);
  const authorities = readAuthorities(deps.clientAuthorities ?? '', log);
  const trust = trustedProxies(() => settings.current().trustedProxyCIDRs);
  const describe = (request: IncomingMessage) => describeRequest(request, trust());
  const { webDomain } = start;
  const certificateCovers = (name: string) => listeners.certificateCovers(name);
  const localRequests = new WeakSet<IncomingMessage>();
  const throughTrunks = new WeakMap<Duplex, string>();

  // Paths are compared exactly: the gates in front know one spelling of each.
  const router = new Router({ sensitive: true });
  const mounted: Mounted = { endpoints: [] };
  const { uploadFolder, standby } = deps;
  for (const mount of deps.mount)
    mount({ router, mounted, say, ...(uploadFolder !== undefined && { uploadFolder }), ...(standby && { standby }) });
  checkMounted(mounted);

  const app = new Koa();
  app.on('error', (error: unknown) => log.debug('http.answerFailed', { error }));
  app.use(async (koa, next) => {
    await settings.refresh?.();
    const facts = describe(koa.req);
    const isLocal = localRequests.has(koa.req);
    const caller = isLocal ? ({ kind: 'local' } as const) : ANONYMOUS;
    const origin = isLocal ? localOrigin(facts.origin, deps.localHost) : facts.origin;
    Object.assign(stateOf(koa), { facts, basePath, session: null, info: { ...facts, origin, caller } });
    await next();
  });
  app.use(observe({ log, clock, say }));
  app.use(securityHeaders(deps.isHstsAllowed ?? true));
  app.use(belowBasePath(basePath));
  const isThroughTrunk = (request: IncomingMessage) => throughTrunks.has(request.socket);
  app.use(checkHost({ webDomain, certificateCovers, isThroughTrunk, log }));
  app.use(compressResponses());
  app.use(
    identify(auth, ({ req }) => throughTrunks.get(req.socket) ?? verifiedFingerprint(req.socket, authorities, clock())),
  );
  app.use(limitInFlight(limits.inFlight, say));
  app.use(denyStrangers(say));
  app.use(guardUnsafe(auth));
  app.use(router.routes());
  if (deps.pages !== undefined) app.use(sendHome()).use(deps.pages);
  app.use(respondToRest(router, say));
  const handle = app.callback();

  const upgrades = createUpgrades({ basePath, auth, webDomain, certificateCovers, describe, log });
  const listeners = createListeners({
    certFile: start.webCertFile,
    keyFile: start.webKeyFile,
    authorities,
    onRequest(request, response, isLocal) {
      if (isLocal) localRequests.add(request);
      void handle(request, response);
    },
    onUpgrade: (request, socket, head, isLocal) => upgrades.take(request, socket, head, isLocal),
    schedule: deps.schedule,
    log,
    limits,
    challenges: deps.challenges,
  });

  return {
    mounted,
    router,
    /** `/` or `/prefix/`. */
    basePath,
    /** Passes WebSocket upgrades of signed-in browsers on `path` (below the base path) to `handler`. */
    onUpgrade: (path: string, handler: UpgradeHandler): void => upgrades.on(path, handler),
    /** Passes WebSocket upgrades of other panels on `path` to `handler`, which has to authenticate the caller. */
    onOpenUpgrade: (path: string, handler: OpenUpgradeHandler): void => upgrades.onOpen(path, handler),
    /**
     * Serves a connection that came through a trunk. @param fingerprint of the certificate that the master presented
     * there
     */
    takeConnection(connection: Duplex, fingerprint: string): void {
      throughTrunks.set(connection, fingerprint);
      listeners.takeConnection(connection);
    },
    /**
     * Opens the private socket, when named, and the web port. @throws {Error} when the required one cannot be opened.
     */
    async listen({ privateSocket, isWebOptional = false, ...place }: ListenRequest): Promise<Listening> {
      if (privateSocket !== undefined)
        await listeners.openPrivate(privateSocket).catch((error: unknown) => {
          if (isWebOptional) throw error;
          log.error('http.privateSocketUnusable', { path: privateSocket, error });
        });
      const opened = await listeners.openWeb(place, isWebOptional);
      return { ...opened, url: `${opened.scheme}://${reachable(opened.host)}:${opened.port}${basePath}` };
    },
    /** Whether the web port speaks TLS now. */
    speaksTls: listeners.speaksTls,
    /** Its certificate may have changed: loads it now, and connections go on. */
    followCertificate: listeners.followCertificate,
    /** Why the web port is currently closed or not served as configured; null when all is well. */
    problem: listeners.problem,
    close: (): Promise<void> => listeners.close(),
  };
}
export type PanelServer = ReturnType<typeof createPanelServer>;

/** The host is only determined by code that makes links. */
function localOrigin(
  { scheme, host }: RequestInfo['origin'],
  localHost: PanelServerDeps['localHost'],
): RequestInfo['origin'] {
  return {
    scheme,
    get host() {
      return localHost?.() ?? host;
    },
  };
}

/** The trust list is parsed again only when its text has changed. */
function trustedProxies(list: () => string): () => ProxyTrust {
  let parsed: { text: string; trust: ProxyTrust } | null = null;
  return () => {
    const text = list();
    if (parsed?.text !== text) parsed = { text, trust: parseTrustedProxies(text) };
    return parsed.trust;
  };
}

function readAuthorities(bundle: string, log: Logger): ClientAuthorities | null {
  try {
    return parseClientAuthorities(bundle);
  } catch (error) {
    log.warn('http.clientAuthoritiesUnusable', { error });
    return null;
  }
}

function reachable(host: string): string {
  if (host === '::' || host === '0.0.0.0') return '127.0.0.1';
  return bracketed(host);
}
