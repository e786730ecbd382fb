import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { createLine } from '../../concurrency.ts';
import type { AcmeChallenges } from '../../certificates/acme-challenges.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Schedule, Timer } from '../../contract/schedule.ts';
import { loadCertificatePair, type CertificatePair } from './certificate-pair.ts';
import type { ClientAuthorities } from './client-certificate.ts';
import { serveTls, type ListenerLimits } from './web-listener.ts';

/** How often certificate files are checked for a renewal, and a taken port is retried, in ms. */
const LOOK_EVERY_MS = 30_000;

export interface ListenPlace {
  /** Literal IP; empty = all addresses. */
  host: string;
  /** 0 = any free port. */
  port: number;
}

export interface BoundPlace extends ListenPlace {
  scheme: 'http' | 'https';
}

export interface WebPortDeps {
  server: Server;
  /** Both empty = plain HTTP. */
  certFile: string;
  keyFile: string;
  authorities: ClientAuthorities | null;
  schedule: Schedule;
  log: Logger;
  limits: ListenerLimits;
  challenges?: AcmeChallenges | undefined;
}

/** The web port: plain or TLS, following its certificate files and waiting for its port. */
export function createWebPort(deps: WebPortDeps) {
  const { server, certFile, keyFile, authorities, schedule, log, limits, challenges } = deps;
  const wantsTls = certFile !== '' || keyFile !== '';
  let pair: CertificatePair | null = null;
  let tls: TlsServer | null = null;
  let certificateProblem: string | null = null;
  let portProblem: Error | null = null;
  let looking: Timer | null = null;
  let opened: ListenPlace | null = null;
  let isStopped = false;

  /** Loads the pair from the files when it is new. An unusable pair leaves the served one in place. */
  async function followFiles(): Promise<boolean> {
    let loaded: CertificatePair;
    try {
      loaded = await loadCertificatePair(certFile, keyFile);
      certificateProblem = null;
    } catch (error) {
      const text = (error as Error).message;
      if (text !== certificateProblem) log.error('http.certificateUnusable', { certFile, keyFile, error });
      certificateProblem = text;
      return false;
    }
    if (loaded.cert === pair?.cert && loaded.key === pair.key) return false;
    pair = loaded;
    const { cert, key } = loaded;
    if (tls === null) tls = serveTls(server, loaded, { authorities, limits, challenges });
    else tls.setSecureContext({ cert, key, ...(authorities === null ? {} : { ca: authorities.pem }) });
    log.info('http.certificateLoaded', { certFile });
    return true;
  }

  /** Without a usable pair a port that should speak TLS listens on loopback only: never plain HTTP for the network. */
  async function bindPort(place: ListenPlace): Promise<AddressInfo | null> {
    if (isStopped) return null;
    try {
      const bound = await listen(server, wantsTls && tls === null ? { ...place, host: '127.0.0.1' } : place);
      portProblem = null;
      return bound;
    } catch (error) {
      if ((error as Error).message !== portProblem?.message) log.error('http.portUnusable', { ...place, error });
      portProblem = error as Error;
      return null;
    }
  }

  async function look(place: ListenPlace): Promise<void> {
    const wasPlain = tls === null;
    if (wantsTls && (await followFiles()) && wasPlain && server.listening) server.close();
    if (!server.listening) await bindPort(place);
  }

  // One check at a time for all callers.
  const inLine = createLine();
  const lookAgain = (): Promise<void> =>
    inLine(async () => {
      if (opened !== null && !isStopped) await look(opened);
    });

  return {
    /** Its files have changed: loads them now instead of at the next check. */
    follow: lookAgain,
    /** Why the port is closed, or why TLS is not served as configured; null when all is well. */
    problem: (): string | null => portProblem?.message ?? certificateProblem,
    covers: (name: string): boolean => pair?.covers(name) === true,
    speaksTls: (): boolean => tls !== null,
    /**
     * Opens the port. A port that cannot be opened is retried from time to time when the panel can do without it
     * meanwhile (`isOptional`).
     * @throws {Error} the system's error, when it cannot be opened and is not optional.
     */
    async open(place: ListenPlace, isOptional: boolean): Promise<BoundPlace> {
      if (wantsTls) await followFiles();
      const bound = await bindPort(place);
      if (portProblem !== null && !isOptional) throw portProblem;
      const port = bound?.port ?? place.port;
      opened = { ...place, port };
      if (wantsTls || bound === null) looking = schedule.every(LOOK_EVERY_MS, lookAgain);
      return { scheme: tls === null ? 'http' : 'https', host: bound?.address ?? place.host, port };
    },
    /** Stops checking; closing the server is left to its creator. */
    stop(): void {
      isStopped = true;
      looking?.cancel();
    },
  };
}
export type WebPort = ReturnType<typeof createWebPort>;

function listen(server: Server, place: ListenPlace): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: place.port, ...(place.host === '' ? {} : { host: place.host }) }, () => {
      server.removeListener('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
