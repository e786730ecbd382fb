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
  /** False as soon as the session has ended, expired, or its admin's credentials have changed. */
  isStillValid(): Promise<boolean>;
}

export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer, session: UpgradeSession) => void;

export interface UpgradeRules {
  basePath: string;
  auth: Authentication;
  webDomain: () => string;
  certificateCovers: (name: string) => boolean;
  describe: (request: IncomingMessage) => RequestFacts;
  log: Logger;
}

/**
 * Lets WebSocket upgrades through to their handlers: own Host and Origin, else 403; a session cookie that holds, else 401.
 * Bearer tokens are no credential here. The private socket needs neither.
 */
export function createUpgrades(rules: UpgradeRules) {
  const handlers = new Map<string, UpgradeHandler>();

  async function admit(request: IncomingMessage, isLocal: boolean): Promise<[UpgradeHandler, UpgradeSession] | number> {
    const handler = handlers.get(pathBelow(rules.basePath, request.url ?? ''));
    if (handler === undefined) return 404;
    if (isLocal) return [handler, { idHash: 'local', isStillValid: async () => true }];
    const facts = rules.describe(request);
    if (!isOwnHost(facts, rules.webDomain(), rules.certificateCovers) || !isOwnOrigin(request, facts)) return 403;
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
    take(request: IncomingMessage, socket: Duplex, head: Buffer, isLocal: boolean): void {
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

/** Answers an upgrade with a bare status and ends the connection. */
export function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
