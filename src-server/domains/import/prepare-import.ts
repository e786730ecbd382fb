import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DomainError } from '../../contract/domain-error.ts';
import { SECOND_FACTOR } from '../../store/kept-access.ts';
import type { Db } from '../../store/schema.ts';
import { openToRead } from '../../store/sqlite/sqlite-connection.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import type { Waiting } from '../../store/waiting-import.ts';
import { storeTrouble } from '../../store/store-trouble.ts';
import { importFolder } from '../../store/waiting-import.ts';
import { SECRET_KEYS } from '../settings/contract.ts';
import { SEALED_HIDDEN_KEYS } from '../settings/hidden-settings.ts';
import type { KeptKeys } from '../certificates/kept-keys.ts';
import { bringKeys } from './brought-keys.ts';
import { LEFT_OUT_KINDS, leftOut } from './left-out.ts';
import { buildScratch, removeScratch, type BuildRequest } from './build-scratch.ts';
import type { ImportPlan } from './contract.ts';
import { HOST_SETTINGS } from './host-settings.ts';
import type { PostgresFiles } from './reading/file-kind.ts';
import { keepOwnAccess } from './other-panel/take-over.ts';
import { asRefusal, ImportRefusal } from './reading/refusal.ts';
import { tablesOf } from './scratch.ts';
import { lostInRows } from './sealed-rows.ts';

const DATABASE = 'panel.db';
/** Space for the copy, the scratch database and the backup of the current one. */
const ROOM_FACTOR = 3;

export interface Prepared {
  plan: ImportPlan;
  /** Path of the checked scratch database: to be staged or removed. */
  database: string;
  /** To be staged with it. */
  waiting: Waiting;
  /** Files of certificates and accounts: to be written before the database is staged. */
  files: KeptKeys['files'];
}

/**
 * Checks a file and builds the database that would replace the panel's. The panel keeps running; nothing of it is
 * changed.
 * @param keepHostSettings whether addresses, certificates, paths and identity stay this machine's own
 * @param passphrase opens the keys of certificates in the file; empty = they are not imported
 * @throws {DomainError} `import.failed` with the reason, `import.passphrase`
 */
export async function prepareImport(options: {
  file: string;
  postgresFiles: PostgresFiles;
  dataDir: string;
  secrets: Secrets;
  keepHostSettings: boolean;
  passphrase: string;
  clock: () => number;
  /** Where the scratch database is built; by default in the data folder, where it can be staged. */
  scratchFolder?: string;
  /** Data of this panel that survives an import; by default read from the file in its data folder. */
  own?: () => Promise<Own>;
}): Promise<Prepared> {
  const { file, postgresFiles, dataDir, secrets, keepHostSettings, passphrase, clock } = options;
  const folder = options.scratchFolder ?? importFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const database = join(folder, `scratch-${randomUUID()}.db`);
  const { own = () => readOwnFile(join(dataDir, DATABASE), `${database}.own`) } = options;
  try {
    await requireRoom(file, folder);
    // Opening a database in place can leave files of the engine next to it.
    await copyFile(file, `${database}.upload`, constants.COPYFILE_FICLONE);
    const { lastActiveMs, ...before } = await own();
    const {
      plan,
      secrets: plain,
      sealed,
      theirs,
    } = await buildScratch({
      file: `${database}.upload`,
      postgresFiles,
      scratchFile: database,
      keepsHost: keepHostSettings,
      ...before,
      nowMs: clock(),
    });
    // Read again: building takes minutes for a large file. What changes until the restart is put in then.
    const importedTokens =
      plan.kind === 'otherPanel' ? keepOwnAccess(database, (await own()).own, before.own) : undefined;
    const lost = settleSecrets(database, plain, secrets);
    const keys = await bringKeys({ database, sealed, passphrase, theirs, secrets });
    return {
      plan: {
        ...plan,
        certificates: keys.certificates,
        willCome: [...plan.willCome, ...keys.came],
        cannotCome: [...plan.cannotCome, ...lost, ...keys.stayed],
      },
      database,
      waiting: { importedTokens, lastActiveMs },
      files: keys.files,
    };
  } catch (error) {
    await removeScratch(database);
    const isExpected = error instanceof ImportRefusal || (error as { code?: unknown }).code === 'ENOSPC';
    if (!isExpected) throw error;
    throw new DomainError('import.failed', { reason: asRefusal(error, '').message }, { cause: error });
  }
}

async function requireRoom(file: string, folder: string): Promise<void> {
  const { size } = await stat(file).catch(() => {
    throw new ImportRefusal(`there is no file ${file}`);
  });
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < size * ROOM_FACTOR)
    throw new ImportRefusal(
      `This file cannot be imported: the disk of ${folder} has too little room; ${Math.ceil((size * ROOM_FACTOR) / 2 ** 20)} MiB are needed`,
    );
}

/** Data of this panel that survives an import: machine settings, certificates, admins, second factor, API tokens. */
export type Own = Pick<BuildRequest, 'live' | 'own' | 'certificates'> & Pick<Waiting, 'lastActiveMs'>;
type Rows = Record<string, string | number>[];

/** Read through the panel's store, wherever its database is. */
export async function readOwn(db: Db): Promise<Own> {
  const settings = (keys: readonly string[]) =>
    db.selectFrom('settings').select(['key', 'value']).where('key', 'in', keys).execute();
  const all = async (table: 'admins' | 'apiTokens' | 'certificates'): Promise<Rows> =>
    db.selectFrom(table).selectAll().execute();
  const { lastActiveMs } = await db
    .selectFrom('panelServers')
    .select(({ fn }) => fn.max('activeSinceMs').as('lastActiveMs'))
    .executeTakeFirstOrThrow();
  return {
    live: (await settings(HOST_SETTINGS)).map(({ key, value }) => [key, value]),
    own: {
      admins: await all('admins'),
      secondFactor: await settings(SECOND_FACTOR),
      apiTokens: await all('apiTokens'),
    },
    certificates: await all('certificates'),
    lastActiveMs: lastActiveMs ?? 0,
  };
}

/** @param copy where the file is copied when its folder may only be read: SQLite makes files beside what it reads */
async function readOwnFile(file: string, copy: string): Promise<Own> {
  const nobody = { admins: [], secondFactor: [], apiTokens: [] };
  if (!existsSync(file)) return { live: [], own: nobody, certificates: [], lastActiveMs: 0 };
  try {
    return ownIn(file);
  } catch (error) {
    if (storeTrouble(error) !== 'store.readOnly') throw error;
    try {
      await copyFile(file, copy, constants.COPYFILE_FICLONE);
      if (existsSync(`${file}-wal`)) await copyFile(`${file}-wal`, `${copy}-wal`);
    } catch (cause) {
      throw storeTrouble(cause) === null ? error : cause;
    }
    return ownIn(copy);
  }
}

function ownIn(file: string): Own {
  const db = openToRead(file);
  try {
    const rows = db.prepare('SELECT key, value FROM settings').raw().all() as [string, string][];
    const all = (table: string) => db.prepare(`SELECT * FROM ${table}`).all() as Rows;
    return {
      live: rows.filter(([key]) => HOST_SETTINGS.includes(key)),
      own: {
        admins: all('admins'),
        secondFactor: rows.filter(([key]) => SECOND_FACTOR.includes(key)).map(([key, value]) => ({ key, value })),
        apiTokens: all('apiTokens'),
      },
      // A command may find a database that no panel of this version has opened yet.
      certificates: tablesOf(db).has('certificates') ? all('certificates') : [],
      lastActiveMs: 0,
    };
  } catch (error) {
    // A dry run finds the file as it is; only a start repairs it.
    if (storeTrouble(error) !== null) throw error;
    throw asRefusal(error, 'The database of this panel cannot be read; the command doctor says what to do');
  } finally {
    db.close();
  }
}

/**
 * Seals secrets that came in plain text, and drops those that this data folder's key cannot open: a second factor that
 * cannot be verified would lock every admin out.
 * @returns what was dropped or cannot be opened
 */
function settleSecrets(
  file: string,
  plain: readonly [key: string, value: string][],
  secrets: Secrets,
): ImportPlan['cannotCome'] {
  const db = new Database(file);
  try {
    // The caller flushes the staged file without blocking the event loop: a flush here would write all of it at once.
    db.pragma('synchronous = OFF');
    db.pragma('journal_mode = DELETE');
    const write = db.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
    const lost: ImportPlan['cannotCome'] = [];
    db.transaction(() => {
      for (const [key, value] of plain) write.run(key, secrets.seal(key, value));
      for (const key of [...SECRET_KEYS, ...SEALED_HIDDEN_KEYS]) {
        const stored = db.prepare('SELECT value FROM settings WHERE key = ?').pluck().get(key) as string | undefined;
        if (stored === undefined || stored === '' || secrets.open(key, stored) !== null) continue;
        db.prepare('DELETE FROM settings WHERE key = ?').run(key);
        if (key === 'twoFactorToken') write.run('twoFactorEnable', 'false');
        lost.push({
          what: LEFT_OUT_KINDS.secret,
          kind: 'secret',
          name: key,
          ...leftOut('leftOut.sealed'),
        });
      }
    })();
    return [...lost, ...lostInRows(db, secrets)];
  } finally {
    db.close();
  }
}
