import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Server as TlsServer } from 'node:tls';
import type { Logger } from '../contract/logger.ts';
import type { Schedule, Timer } from '../contract/schedule.ts';
import { loadCertificatePair, type CertificatePair } from './certificate-pair.ts';
import type { ClientAuthorities } from './client-certificate.ts';
import { listenPrivately } from './private-listener.ts';
import { refuse } from './upgrades.ts';
import { createHttpListener, redirectToTls, serveTls, type ListenerLimits } from './web-listener.ts';

/** How often certificate files are looked at for a renewal. */
const RELOAD_EVERY_MS = 30_000;

export interface ListenPlace {
  /** Literal IP; empty = all addresses. */
  host: string;
  /** 0 = any free port. */
  port: number;
}

export interface ListenersDeps {
  /** Both empty = plain HTTP. */
  certFile: string;
  keyFile: string;
  authorities: ClientAuthorities | null;
  onRequest(request: IncomingMessage, response: ServerResponse, isLocal: boolean): void;
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, isLocal: boolean): void;
  schedule: Schedule;
  log: Logger;
  limits: ListenerLimits & { closeMs: number };
}

/** The doors of the panel: one web port, plain or TLS, and the private socket. */
export function createListeners(deps: ListenersDeps) {
  const { certFile, keyFile, authorities, schedule, log, limits } = deps;
  const wantsTls = certFile !== '' || keyFile !== '';
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  let pair: CertificatePair | null = null;
  let tls: TlsServer | null = null;
  let problem: string | null = null;
  let reloading: Timer | null = null;
  let isClosing = false;

  function open(isLocal: boolean): Server {
    const server = createHttpListener(limits, {
      onRequest(request, response) {
        if (isClosing) response.setHeader('Connection', 'close');
        response.once('close', () => isClosing && server.closeIdleConnections());
        if (!isLocal && tls !== null && redirectToTls(request, response)) return;
        deps.onRequest(request, response, isLocal);
      },
      onUpgrade(request, socket, head) {
        const isPlainOnTls = !isLocal && tls !== null && !('encrypted' in socket);
        if (isClosing) refuse(socket, 503);
        else if (isPlainOnTls) refuse(socket, 400);
        else deps.onUpgrade(request, socket, head, isLocal);
      },
    });
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    // Without a listener a failed accept (no file descriptors left) would end the process.
    server.on('error', (error) => log.error('http.listenerFailed', { error }));
    servers.push(server);
    return server;
  }

  /** Loads the pair; a failure becomes the problem, logged when it is news, and leaves what is served as it is. */
  async function loadPair(): Promise<CertificatePair | null> {
    try {
      const loaded = await loadCertificatePair(certFile, keyFile);
      problem = null;
      return loaded;
    } catch (error) {
      const text = (error as Error).message;
      if (text !== problem) log.error('http.certificateUnusable', { certFile, keyFile, error });
      problem = text;
      return null;
    }
  }

  async function reload(server: Server, place: ListenPlace): Promise<void> {
    const loaded = await loadPair();
    if (loaded === null || (loaded.cert === pair?.cert && loaded.key === pair.key)) return;
    pair = loaded;
    if (tls !== null) {
      tls.setSecureContext({
        cert: loaded.cert,
        key: loaded.key,
        ...(authorities === null ? {} : { ca: authorities.pem }),
      });
    } else {
      // Until now the port was plain and on loopback only; with a usable pair it moves to where it belongs.
      tls = serveTls(server, loaded, authorities, limits);
      server.close();
      await listen(server, place);
    }
    log.info('http.certificateLoaded', { certFile });
  }

  return {
    /** Why TLS is not served as configured, or why a renewed pair is not used; null when all is well. */
    problem: () => problem,
    certificateCovers: (name: string) => pair?.covers(name) === true,
    /**
     * Opens the web port. A configured pair that cannot be used never means plain HTTP for everybody: the port then
     * answers on loopback only, until the files are good.
     * @returns the real address. @throws {Error} when the port cannot be taken.
     */
    async listenWeb(place: ListenPlace): Promise<{ scheme: 'http' | 'https'; host: string; port: number }> {
      const server = open(false);
      if (wantsTls) {
        pair = await loadPair();
        if (pair !== null) tls = serveTls(server, pair, authorities, limits);
      }
      const isDegraded = wantsTls && tls === null;
      const { address, port } = await listen(server, isDegraded ? { ...place, host: '127.0.0.1' } : place);
      if (wantsTls) reloading = schedule.every(RELOAD_EVERY_MS, () => reload(server, { ...place, port }));
      return { scheme: tls === null ? 'http' : 'https', host: address, port };
    },
    async listenPrivate(path: string): Promise<void> {
      await listenPrivately(open(true), path);
    },
    /** Stops accepting, lets requests in flight finish for a moment, then ends what is left. */
    async close(): Promise<void> {
      isClosing = true;
      reloading?.cancel();
      const closed = Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, limits.closeMs);
      for (const server of servers) server.closeIdleConnections();
      await closed;
      clearTimeout(timer);
    },
  };
}

function listen(server: Server, place: ListenPlace): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: place.port, ...(place.host === '' ? {} : { host: place.host }) }, () => {
      server.removeListener('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });
}
