import type { Logger } from '../../contract/logger.ts';
import type { Client } from 'pg';
import type { ChangeFeed, Store } from '../store.ts';
import { isLockHeld, refusalOf, showPresence } from './connection/connect.ts';
import { followCommits } from './follow-commits.ts';
import { openLink, type Link } from './connection/link.ts';
import { MAX_IDLE } from './connection/pooled.ts';
import { isAwayError } from './dialect/postgres-connection.ts';
import { backupsOf, storeOver, writerOver, type SeenVersion } from './postgres-store.ts';
import { requireSameSchema } from './schema/version-at-server.ts';

/** A store for reading, beside the panel that changes it. */
export interface ReadingStore extends Store {
  /**
   * Whether a panel, or a command that changes the schema, holds the database now. @throws {StoreError} while the
   * server is away
   */
  hasActivePanel(): Promise<boolean>;
  /** Changes that others make for this server. */
  readonly changes: ChangeFeed;
}

/**
 * Opens a database that another panel changes, to read it for the life of this process: nothing is locked or migrated,
 * and a lost server is found again. A replica is enough.
 * @param options.mayWrite whether this transaction may take its turn beside the active panel; throws when it may not
 * @param options.onCommit called when another process has committed something
 * @param options.onLost the database that came back cannot be read: it has another schema
 * @throws {DomainError} as in `connect.ts`, `store.newerVersion`, `store.otherVersion`
 */
export async function openReading(options: {
  url: string;
  /** As in {@link openLink}. */
  pooler?: string | undefined;
  role: 'standby' | 'reader';
  /** This server, as the other panels see it; absent = they do not see it. */
  serverId?: string;
  backupFolder: string;
  clock: () => number;
  log: Logger;
  mayWrite: () => void;
  onLost: (reason: string) => void;
  onCommit?: () => void;
}): Promise<ReadingStore> {
  const { url, pooler, role, serverId, backupFolder, clock, log, mayWrite, onLost, onCommit } = options;
  const version: SeenVersion = { seen: 1 };
  const listeners = new Set<Parameters<ChangeFeed['follow']>[0]>();
  async function begin(client: Client): Promise<void> {
    await follower.follow(client);
    if (serverId === undefined) return;
    await showPresence(client, serverId);
    // A frozen machine must not hold the active panel's turn for long.
    await client.query(`SET idle_in_transaction_session_timeout = '${MAX_IDLE}'`);
  }
  const link: Link = await openLink({
    url,
    pooler,
    log,
    role,
    onLost,
    async rejoin(client) {
      await requireSameSchema(client, { forReading: true });
      await begin(client);
    },
    // Commits without a notification are read now.
    onBack() {
      version.seen += 1;
      onCommit?.();
      for (const { missed } of listeners) missed();
    },
  });
  const follower = followCommits(link, version, {
    onCommit,
    ...(serverId !== undefined && {
      onChange: (text) => {
        for (const { changed } of listeners) changed(text);
      },
    }),
    onOtherSchema: onLost,
  });
  try {
    await requireSameSchema(link.client(), { forReading: true });
    await begin(link.client());
    await link.watch();
  } catch (error) {
    follower.stop();
    await link.close();
    throw isAwayError(error) ? refusalOf(error) : error;
  }
  const store = storeOver(link, {
    ...backupsOf(url, backupFolder, clock),
    backupFolder,
    version,
    writer: writerOver(link),
    clock,
  });
  return {
    ...store,
    async dataVersion() {
      await follower.look();
      return version.seen;
    },
    hasActivePanel: () => isLockHeld(link.client()),
    changes: {
      follow(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    write: async (work) => {
      mayWrite();
      return await store.write(work);
    },
    async close() {
      follower.stop();
      await store.close();
    },
  };
}
