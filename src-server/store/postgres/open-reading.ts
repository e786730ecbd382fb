import type { Client } from 'pg';
import type { Logger } from '../../contract/logger.ts';
import type { Store } from '../store.ts';
import { refusalOf } from './connect.ts';
import { openLink, type Link } from './link.ts';
import { isAwayError } from './postgres-connection.ts';
import { backupsOf, storeOver, writerOver, type SeenVersion } from './postgres-store.ts';
import { COMMITS } from './postgres-writer.ts';
import { requireSameSchema } from './version-at-server.ts';

/** Between two looks at what a replica has taken over: it takes no LISTEN. */
const LOOK_MS = 500;

/**
 * Opens a database that another panel changes, to read it for as long as this process lives: nothing is locked or migrated, and a
 * server that was lost is found again. A replica will do.
 * @param options.mayWrite whether this transaction may take its turn beside the active panel; throws where it may not
 * @param options.onLost what came back cannot be read: its schema is another one
 * @throws {DomainError} as `connect.ts` says, `store.newerVersion`, `store.otherVersion`
 */
export async function openReading(options: {
  url: string;
  role: 'standby' | 'reader';
  backupFolder: string;
  clock: () => number;
  log: Logger;
  mayWrite: () => void;
  onLost: (reason: string) => void;
}): Promise<Store> {
  const { url, role, backupFolder, clock, log, mayWrite, onLost } = options;
  const version: SeenVersion = { seen: 1 };
  let looking: NodeJS.Timeout | undefined;
  const follow = async (client: Client): Promise<void> => {
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS "isReplica"');
    clearInterval(looking);
    if ((rows as { isReplica: number }[])[0]?.isReplica === 1) looking = followReplay(link, version);
    else {
      client.on('notification', () => (version.seen += 1));
      await client.query(`LISTEN ${COMMITS}`);
    }
  };
  const link: Link = await openLink({
    url,
    log,
    role,
    onLost,
    async rejoin(client) {
      await requireSameSchema(client, { forReading: true });
      await follow(client);
    },
    // Commits that were not told are read now.
    onBack: () => (version.seen += 1),
  });
  try {
    await requireSameSchema(link.client(), { forReading: true });
    await follow(link.client());
    await link.watch();
  } catch (error) {
    clearInterval(looking);
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
    write: async (work) => {
      mayWrite();
      return await store.write(work);
    },
    async close() {
      clearInterval(looking);
      await store.close();
    },
  };
}

/** A replica tells nobody what it has replayed; how far it is, it says. */
function followReplay(link: Link, version: SeenVersion): NodeJS.Timeout {
  let replayed = '';
  return setInterval(() => {
    link.read('short', 'SELECT CAST(pg_last_wal_replay_lsn() AS text) AS replayed', []).then(
      ({ rows }) => {
        const [row] = rows as { replayed: string }[];
        if (row === undefined || row.replayed === replayed) return;
        replayed = row.replayed;
        version.seen += 1;
      },
      // The link tells what is lost.
      () => undefined,
    );
  }, LOOK_MS).unref();
}
