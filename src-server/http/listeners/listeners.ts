import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { listenPrivately } from './private-listener.ts';
import { refuse } from './upgrades.ts';
import { createWebPort, type BoundPlace, type ListenPlace, type WebPortDeps } from './web-port.ts';
import { createHttpListener, redirectToTls, type ListenerLimits, type RequestHandlers } from './web-listener.ts';

export interface ListenersDeps extends Omit<WebPortDeps, 'server'> {
  onRequest(request: IncomingMessage, response: ServerResponse, isLocal: boolean): void;
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, isLocal: boolean): void;
  limits: ListenerLimits & { closeMs: number };
}

/** The panel's listeners: the web port, the private socket, and connections that come through a trunk. */
export function createListeners(deps: ListenersDeps) {
  const { log, limits } = deps;
  const sockets = new Set<Socket>();
  let isClosing = false;

  function createListener(kind: 'web' | 'private' | 'trunk'): Server {
    const isLocal = kind === 'private';
    const isWeb = kind === 'web';
    const handlers: RequestHandlers = {
      onRequest(request, response) {
        if (isClosing) response.setHeader('Connection', 'close');
        response.once('close', () => isClosing && server.closeIdleConnections());
        if (isWeb && web.speaksTls() && redirectToTls(request, response)) return;
        deps.onRequest(request, response, isLocal);
      },
      onUpgrade(request, socket, head) {
        const isPlainOnTls = isWeb && web.speaksTls() && !('encrypted' in socket);
        if (isClosing) refuse(socket, 503);
        else if (isPlainOnTls) refuse(socket, 400);
        else if (kind === 'trunk') refuse(socket, 404);
        else deps.onUpgrade(request, socket, head, isLocal);
      },
    };
    const server = createHttpListener(limits, handlers, isWeb ? deps.challenges : undefined);
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    // Without a listener a failed accept (no file descriptors left) would end the process.
    server.on('error', (error) => log.debug('http.listenerError', { error }));
    return server;
  }

  const webServer = createListener('web');
  const privateServer = createListener('private');
  const trunkServer = createListener('trunk');
  const web = createWebPort({ ...deps, server: webServer });

  return {
    problem: web.problem,
    speaksTls: web.speaksTls,
    followCertificate: web.follow,
    certificateCovers: web.covers,
    openWeb: (place: ListenPlace, isOptional: boolean): Promise<BoundPlace> => web.open(place, isOptional),
    openPrivate: (path: string): Promise<void> => listenPrivately(privateServer, path),
    /** A connection that does not come from a port: it speaks HTTP like any other. */
    takeConnection(connection: Duplex): void {
      if (isClosing) connection.destroy();
      else trunkServer.emit('connection', connection);
    },
    /** Stops accepting, gives requests in flight a moment to finish, then ends the rest. */
    async close(): Promise<void> {
      isClosing = true;
      web.stop();
      const servers = [webServer, privateServer];
      const closed = Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
      trunkServer.closeIdleConnections();
      const timer = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, limits.closeMs);
      for (const server of servers) server.closeIdleConnections();
      await closed;
      clearTimeout(timer);
    },
  };
}
