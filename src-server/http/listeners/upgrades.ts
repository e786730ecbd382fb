import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '../../contract/logger.ts';
import { readCookie, SESSION_COOKIE } from '../guards/cookies.ts';
import { isOwnHost, isOwnOrigin, type RequestFacts } from '../describe-request.ts';
import type { Authentication } from '../request-state.ts';

/** The session behind an upgraded connection, which outlives the request that proved it. */
export interface UpgradeSession {
  /** Hex SHA-256 of the session's cookie; `local` for the private socket. */
  idHash: string;
  /** False as soon as the session has ended or expired, or its admin's credentials have changed. */
  isStillValid(): Promise<boolean>;
}

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer, session: UpgradeSession) => void;

/** For upgrades whose callers authenticate inside the connection. */
export type OpenUpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer, facts: RequestFacts) => void;

export interface UpgradeRules {
  basePath: string;
  auth: Authentication;
  webDomain: string;
  certificateCovers: (name: string) => boolean;
  describe: (request: IncomingMessage) => RequestFacts;
  log: Logger;
}

/**
 * Passes WebSocket upgrades to their handlers: own Host and Origin, else 403; a valid session cookie, else 401. Bearer
 * tokens do not count here. The private socket needs neither. A path that is open to other panels requires none of
 * this, but refuses browsers, which send an Origin.
 */
export function createUpgrades(rules: UpgradeRules) {
  const handlers = new Map<string, UpgradeHandler>();
  const open = new Map<string, OpenUpgradeHandler>();

  /** Whether the request was for an open path; then it has been answered. */
  function takeOpen(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const handler = open.get(pathBelow(rules.basePath, request.url ?? ''));
    if (handler === undefined) return false;
    if (request.headers.origin !== undefined) refuse(socket, 403);
    else handler(request, socket, head, rules.describe(request));
    return true;
  }

  async function admit(request: IncomingMessage, isLocal: boolean): Promise<[UpgradeHandler, UpgradeSession] | number> {
    const handler = handlers.get(pathBelow(rules.basePath, request.url ?? ''));
    if (handler === undefined) return 404;
    if (isLocal) return [handler, { idHash: 'local', isStillValid: async () => true }];
    const facts = rules.describe(request);
    if (!isOwnHost(facts, rules.webDomain, rules.certificateCovers) || !isOwnOrigin(request, facts)) return 403;
    const cookie = readCookie(request.headers.cookie, SESSION_COOKIE);
    const session = cookie === null ? null : await rules.auth.session(cookie);
    if (cookie === null || session === null) return 401;
    const isStillValid = async () => (await rules.auth.session(cookie)) !== null;
    return [handler, { idHash: session.idHash, isStillValid }];
  }

  return {
    /** @param path below the base path, for example `/ws`. */
    on(path: string, handler: UpgradeHandler): void {
      handlers.set(path, handler);
    },
    /** The handler has to authenticate the caller, and refuses. @param path as for `on` */
    onOpen(path: string, handler: OpenUpgradeHandler): void {
      open.set(path, handler);
    },
    take(request: IncomingMessage, socket: Duplex, head: Buffer, isLocal: boolean): void {
      if (takeOpen(request, socket, head)) return;
      admit(request, isLocal).then(
        (admitted) => {
          if (typeof admitted === 'number') refuse(socket, admitted);
          else admitted[0](request, socket, head, admitted[1]);
        },
        (error: unknown) => {
          rules.log.error('http.upgradeFailed', { error });
          refuse(socket, 500);
        },
      );
    },
  };
}

function pathBelow(basePath: string, url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  return path.startsWith(basePath) ? path.slice(basePath.length - 1) : '';
}

/** Answers an upgrade with a bare status and ends the connection. @param headers extra header lines */
export function refuse(socket: Duplex, status: number, headers: readonly string[] = []): void {
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Length: 0',
    ...headers,
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n`);
}
