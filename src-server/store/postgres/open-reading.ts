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

/** A store that is read beside the panel that changes it. */
export interface ReadingStore extends Store {
  /** Whether a panel, or a command that changes the schema, has the database now. @throws {StoreError} while the server is away */
  hasActivePanel(): Promise<boolean>;
  /** What others change for this server. */
  readonly changes: ChangeFeed;
}

/**
 * Opens a database that another panel changes, to read it for as long as this process lives: nothing is locked or migrated, and a
 * server that was lost is found again. A replica will do.
 * @param options.mayWrite whether this transaction may take its turn beside the active panel; throws where it may not
 * @param options.onCommit another process has committed something
 * @param options.onLost what came back cannot be read: its schema is another one
 * @throws {DomainError} as `connect.ts` says, `store.newerVersion`, `store.otherVersion`
 */
export async function openReading(options: {
  url: string;
  /** As of {@link openLink}. */
  pooler?: string | undefined;
  role: 'standby' | 'reader';
  /** This server, which the other panels are to see; absent = nobody looks for it. */
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
    // A machine that stands still must not hold the turn of the active panel for long.
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
    // Commits that were not told are read now.
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
