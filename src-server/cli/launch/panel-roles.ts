import { hostname } from 'node:os';
import { join } from 'node:path';
import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import { isPlaceKept, lastActive } from '../../domains/servers/repository.ts';
import { serverIdOf, type ThisServer } from '../../domains/servers/service.ts';
import { isBesideActive } from '../../store/beside-active.ts';
import { openStore, type ChangeFeed, type Store } from '../../store/open-store.ts';
import type { ReadingStore } from '../../store/postgres/open-reading.ts';
import { endImport, isImportWaiting } from '../../store/waiting-import.ts';

/** Interval between checks whether the active panel is still there, in ms. */
const LOOK_MS = 300;
/**
 * How long the database must be without an active panel, in ms: a server that was away goes back to the panel that had
 * it.
 */
const FREE_FOR_MS = 1_500;

/** What this process is on its database, until that changes. */
export interface PanelRole {
  store: Store;
  isStandby: boolean;
  /** This machine among those that share the database; absent = the database is a file. */
  server?: ThisServer;
  /** What the active panel changes for this standby. */
  changes?: ChangeFeed;
  /**
   * Resolves with what to do when the role ends: `next` takes another role, a number is the exit code of the process.
   */
  over: Promise<'next' | number>;
}

interface RoleOptions {
  /** Whether this process has had a role before. */
  hasHadRole: boolean;
  dataDir: string;
  database: string | null;
  /** The address to read through. */
  pooler?: string | null;
  clock: () => number;
  log: Logger;
}

/**
 * Opens the database as the active panel, or as a standby while another is active. A database in a file has one role
 * for good.
 * @throws {DomainError} as `openStore` does
 */
export async function openRole(options: RoleOptions): Promise<PanelRole> {
  const { dataDir, database, clock, log } = options;
  if (database === null)
    return {
      store: await openStore({ dataDir, clock, log, isPanel: true }),
      isStandby: false,
      over: new Promise(() => undefined),
    };
  if (options.hasHadRole) await dropImport(dataDir, clock, log);
  const server = { id: await serverIdOf(dataDir), name: hostname() };
  for (let isLogged = false; ; isLogged = true) {
    try {
      return { ...(await openActive(options, database, server)), server };
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'store.databaseInUse') throw error;
    }
    try {
      return { ...(await openStandby(options, database, server)), server };
    } catch (error) {
      // The schema is older or missing: the active panel migrates it, or this one when it may.
      if (!(error instanceof DomainError) || error.code !== 'store.otherVersion') throw error;
      if (!isLogged) log.warn('standby.waitsForSchema', { ...error.params });
    }
  }
}

async function openActive({ dataDir, pooler, clock, log }: RoleOptions, database: string, server: ThisServer) {
  const over = Promise.withResolvers<'next' | number>();
  const store = await openStore({
    dataDir,
    clock,
    log,
    isPanel: true,
    database,
    pooler: pooler ?? undefined,
    serverId: server.id,
    // Another panel is active by now: this one ends its core and becomes a standby. Other errors are left to a new
    // start.
    onLost: (reason) => over.resolve(reason === 'store.databaseInUse' ? 'next' : 1),
  });
  return { store, isStandby: false, over: over.promise };
}

async function openStandby({ dataDir, pooler, clock, log }: RoleOptions, database: string, server: ThisServer) {
  const { openReading } = await import('../../store/postgres/open-reading.ts');
  const over = Promise.withResolvers<'next' | number>();
  const store = await openReading({
    url: database,
    pooler: pooler ?? undefined,
    role: 'standby',
    serverId: server.id,
    backupFolder: join(dataDir, 'backups'),
    clock,
    log,
    mayWrite() {
      if (!isBesideActive()) throw new DomainError('store.standby', { name: '', address: '' });
    },
    onLost: () => over.resolve('next'),
  });
  if ((await lastActive(store.reader)) === undefined) {
    await store.close();
    // The very first start is under way.
    throw new DomainError('store.otherVersion', { found: 0, known: 0 });
  }
  await dropImport(dataDir, clock, log);
  const watch = setInterval(look, LOOK_MS);
  let freeSinceMs: number | null = null;
  let isLooking = false;
  function look(): void {
    if (isLooking) return;
    isLooking = true;
    isFree(store, server.id)
      .then((isItFree) => {
        const nowMs = performance.now();
        if (!isItFree) freeSinceMs = null;
        else if (nowMs - (freeSinceMs ??= nowMs) >= FREE_FOR_MS) over.resolve('next');
      })
      // While the server is away, no panel takes over.
      .catch(() => (freeSinceMs = null))
      .finally(() => (isLooking = false));
  }
  void over.promise.then(() => clearInterval(watch));
  return {
    store: {
      ...store,
      async close() {
        clearInterval(watch);
        await store.close();
      },
    },
    isStandby: true,
    changes: store.changes,
    over: over.promise,
  };
}

/** An import was meant for the panel as it was: in a database days later it would undo what was done since. */
async function dropImport(dataDir: string, clock: () => number, log: Logger): Promise<void> {
  if (!isImportWaiting(dataDir)) return;
  log.error('standby.importDropped', {});
  await endImport(dataDir, { atMs: clock(), outcome: 'undone', backup: '' });
}

const isFree = async (store: ReadingStore, ownId: string): Promise<boolean> =>
  !(await store.hasActivePanel()) && !(await isPlaceKept(store.reader, ownId));
