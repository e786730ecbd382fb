import { createHash, randomBytes } from 'node:crypto';
import { DomainError } from '../../contract/domain-error.ts';
import type { Store, WriteTransaction } from '../../store/open-store.ts';
import type { SessionView } from './contract.ts';
import { presentSession, sessionId } from './present.ts';
import * as rows from './repository.ts';

/** Beyond this many open browsers per admin, the oldest is signed out. */
const MAX_SESSIONS = 50;

/** The settings of sign-in. */
export interface SessionSettings {
  /** Minutes; the length of a session is absolute, use does not prolong it. */
  sessionMaxAge: number;
  twoFactorEnable: boolean;
  /** Base32, in plain text. */
  twoFactorToken: string;
}

/** Where a session is used. */
export interface Visitor {
  address: string;
  userAgent: string;
  /** The browser's current session; a new one replaces it. */
  sessionIdHash: string | null;
}

/** A session just opened: only now is its cookie value known on the server. */
export interface OpenedSession {
  /** Id under which the server knows it. */
  idHash: string;
  cookie: string;
  csrfToken: string;
  maxAgeSec: number;
}

export interface FoundSession {
  idHash: string;
  adminId: number;
  username: string;
  csrfToken: string;
  createdAtMs: number;
  expiresAtMs: number;
}

/** Sessions of signed-in browsers: the rows store only the hash of the cookie. */
export function createSessionStore(deps: { store: Store; settings: () => SessionSettings; clock: () => number }) {
  const { store, settings, clock } = deps;
  const maxAgeMs = () => settings().sessionMaxAge * 60_000;
  /** A shorter length set meanwhile applies to open sessions, too. */
  const endOf = ({ createdAtMs, expiresAtMs }: Pick<rows.SessionRow, 'createdAtMs' | 'expiresAtMs'>): number =>
    Math.min(expiresAtMs, createdAtMs + maxAgeMs());

  return {
    /** Null when there is no such session, it has expired, or its admin's sessions were all ended. */
    async find(cookie: string): Promise<FoundSession | null> {
      const row = await rows.findSession(store.reader, hashOf(cookie));
      if (row === undefined) return null;
      const expiresAtMs = endOf(row);
      if (expiresAtMs <= clock()) return null;
      const { idHash, adminId, username, csrfToken, createdAtMs } = row;
      return { idHash, adminId, username, csrfToken, createdAtMs, expiresAtMs };
    },
    /** Opens a session under a new id; the browser's previous one ends in the same transaction. */
    async open(
      trx: WriteTransaction,
      admin: { id: number; loginEpoch: number },
      visitor: Visitor,
    ): Promise<OpenedSession> {
      const cookie = randomBytes(32).toString('base64url');
      const csrfToken = randomBytes(32).toString('base64url');
      const createdAtMs = clock();
      if (visitor.sessionIdHash !== null) await rows.deleteSession(trx, visitor.sessionIdHash);
      await rows.insertSession(
        trx,
        {
          idHash: hashOf(cookie),
          adminId: admin.id,
          loginEpoch: admin.loginEpoch,
          csrfToken,
          createdAtMs,
          expiresAtMs: createdAtMs + maxAgeMs(),
          address: visitor.address,
          userAgent: visitor.userAgent,
        },
        MAX_SESSIONS,
      );
      return { idHash: hashOf(cookie), cookie, csrfToken, maxAgeSec: maxAgeMs() / 1000 };
    },
    async list(adminId: number, currentIdHash: string | null): Promise<SessionView[]> {
      const nowMs = clock();
      const found = await rows.listSessions(store.reader, adminId, nowMs);
      return found
        .map((row) => ({ ...row, expiresAtMs: endOf(row) }))
        .filter(({ expiresAtMs }) => expiresAtMs > nowMs)
        .map((row) => presentSession(row, currentIdHash));
    },
    async end(idHash: string): Promise<void> {
      await store.write((trx) => rows.deleteSession(trx, idHash));
    },
    /** @throws {DomainError} `session.unknown` */
    async endById(adminId: number, id: string): Promise<void> {
      await store.write(async (trx) => {
        const found = await rows.listSessions(trx, adminId, clock());
        const session = found.find((row) => sessionId(row.idHash) === id);
        if (session === undefined) throw new DomainError('session.unknown');
        await rows.deleteSession(trx, session.idHash);
      });
    },
    async endOthers(adminId: number, keptIdHash: string | null): Promise<void> {
      await store.write((trx) => rows.deleteOtherSessions(trx, adminId, keptIdHash ?? ''));
    },
  };
}
export type SessionStore = ReturnType<typeof createSessionStore>;

function hashOf(cookie: string): string {
  return createHash('sha256').update(cookie).digest('hex');
}
