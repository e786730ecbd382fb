import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { DomainError } from '../../../contract/domain-error.ts';
import type { Logger } from '../../../contract/logger.ts';
import type { StatementResult } from '../../sqlite/sqlite-connection.ts';
import { away, openSession, type Session } from './session.ts';
import { createSessionWriter, type LinkWriter } from './session-writer.ts';

/** Interval between attempts to reach a server that is away, in ms. */
const RETRY_MS = 500;
const FIRST_TIMEOUT_MS = 10_000;
const RETRY_TIMEOUT_MS = 2_000;

/** Refusals by a server that is back which waiting does not cure. */
const FATAL = new Set([
  'store.databaseInUse',
  'store.foreignSchema',
  'store.newerVersion',
  'store.otherVersion',
  'store.serverTooOld',
]);

export interface LinkOptions {
  url: string;
  /** Where reads go; absent = to the same server as everything else. */
  pooler?: string | undefined;
  log: Logger;
  /** The name that the server shows for this process. */
  role: 'panel' | 'standby' | 'reader' | 'command';
  /** Runs on every server that is back, before anything else does. A refusal ends the link for good. */
  rejoin: (client: Client) => Promise<void>;
  /** Called when the server is back. */
  onBack: () => void;
  /** Absent = a short-lived process: a lost server stays lost. */
  onLost?: ((reason: string) => void) | undefined;
}

/**
 * The connection to the server for the life of the process: every statement fails at once while it is away, and works
 * when it is back.
 */
export interface Link {
  /** The name that the server shows for this process. */
  readonly name: string;
  /** The connection that writes. @throws {StoreError} while the server is away */
  client(): Client;
  readonly writing: LinkWriter;
  read(use: 'short' | 'long', text: string, parameters: readonly unknown[]): Promise<StatementResult>;
  /** Checks from now on whether the server still responds. */
  watch(): Promise<void>;
  close(): Promise<void>;
}

/** @throws {DomainError} as `connect` does */
export async function openLink(options: LinkOptions): Promise<Link> {
  const { url, pooler, log, role, rejoin, onBack, onLost } = options;
  const name = `switchyard ${role} ${randomUUID()}`;
  let isClosed = false;
  let isWatched = false;
  let retry: NodeJS.Timeout | undefined;
  let returning: Promise<void> | null = null;
  let session: Session = await open(FIRST_TIMEOUT_MS);

  function open(timeoutMs: number): Promise<Session> {
    return openSession(url, {
      pooler,
      name,
      timeoutMs,
      onEnd(reason) {
        if (isClosed) return;
        log.error('store.away', { reason });
        if (onLost !== undefined) comeBackLater(performance.now());
      },
    });
  }

  function comeBackLater(sinceMs: number): void {
    retry = setTimeout(() => {
      returning = comeBack(sinceMs);
    }, RETRY_MS);
  }

  async function comeBack(sinceMs: number): Promise<void> {
    let next: Session | null = null;
    try {
      // If it ends before it counts as back, the attempt has failed and is not reported.
      next = await openSession(url, {
        pooler,
        name,
        timeoutMs: RETRY_TIMEOUT_MS,
        onEnd(reason) {
          if (isClosed || session !== next) return;
          log.error('store.away', { reason });
          comeBackLater(performance.now());
        },
      });
      await rejoin(next.client);
      if (isWatched) await next.watch();
      if (isClosed || next.endedBecause() !== null) throw away(next.endedBecause() ?? 'closed');
      session = next;
      log.warn('store.back', { awayMs: Math.round(performance.now() - sinceMs) });
      onBack();
    } catch (error) {
      await next?.close().catch(() => undefined);
      if (isClosed) return;
      if (error instanceof DomainError && FATAL.has(error.code)) {
        log.error('store.notBack', { error: error.code, ...error.params });
        onLost?.(error.code);
      } else {
        log.debug('store.stillAway', { error });
        comeBackLater(sinceMs);
      }
    }
  }

  function up(): Session {
    const reason = session.endedBecause();
    if (reason !== null) throw away(reason);
    return session;
  }
  return {
    name,
    client: () => up().client,
    writing: createSessionWriter(up),
    read: async (use, text, parameters) => await up().read(use, text, parameters),
    async watch() {
      isWatched = true;
      await up().watch();
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(retry);
      await returning;
      await session.close();
    },
  };
}
