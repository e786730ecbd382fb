import { randomUUID } from 'node:crypto';
import { access, constants, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import { createCertificateStore } from '../../domains/certificates/certificate-store.ts';
import { writeKeys } from '../../domains/certificates/kept-keys.ts';
import { prepareImport, readOwn, type Own } from '../../domains/import/prepare-import.ts';
import { lastActive } from '../../domains/servers/repository.ts';
import { serverIdOf } from '../../domains/servers/service.ts';
import { lockDataFolder } from '../../store/data-lock.ts';
import { openSecrets, peekSecrets } from '../../store/secrets/secret-key.ts';
import { otherDatabaseFrom } from '../database-address.ts';
import { databaseOf } from '../database-note.ts';
import { isImportWaiting, makeImportFolder, stageImport, withdrawImport } from '../../store/waiting-import.ts';

export interface RestoreDeps {
  dataDir: string;
  log: Logger;
  /** Whether a panel serves the folder now: it notices a waiting import, and restarts with it. */
  isPanelRunning: () => boolean;
  say: (line: string) => void;
  /** Reads the passphrase of the backup from stdin; null = the keys of certificates are left out. */
  readPassphrase: (() => Promise<string>) | null;
}

interface RestoreOptions {
  /** Whether only to show what would change. */
  isDryRun: boolean;
}

/**
 * `restore FILE [--dry-run] [--with-keys]`: checks a database, a dump or a native backup, and stages it for the panel's
 * next start, which puts it in place and rolls back if the panel does not come up. This machine keeps its addresses,
 * certificates and identity. A dry run changes nothing in the data folder.
 * @returns what goes to stdout: the plan as one line of JSON.
 * @throws {DomainError} `import.failed`, `import.busy`, `import.waits`, `import.passphrase`
 */
export async function restoreCommand(deps: RestoreDeps, name: string, options: RestoreOptions): Promise<string> {
  const file = resolve(name);
  await requireReadable(file);
  return await inScratchFolder(deps, options, (folder) => bringIn(deps, file, folder, options));
}

/**
 * `restore --cancel`: withdraws what `restore` or `import` has staged.
 * @returns what goes to stdout: nothing.
 * @throws {DomainError} `import.noneWaits`, `store.folderInUse`
 */
export async function cancelRestore({ dataDir, say }: Pick<RestoreDeps, 'dataDir' | 'say'>): Promise<string> {
  if (!isImportWaiting(dataDir)) throw new DomainError('import.noneWaits');
  const lock = lockDataFolder(dataDir);
  try {
    if (!(await withdrawImport(dataDir))) throw new DomainError('import.noneWaits');
  } finally {
    lock.release();
  }
  say('Withdrawn: the panel keeps its database.');
  return '';
}

/**
 * `import --from postgres://… [--dry-run] [--allow-private]`: the same with another panel's database on a PostgreSQL
 * server, which is only read.
 * @returns what goes to stdout: the plan as one line of JSON.
 * @throws {DomainError} as {@link restoreCommand}, `import.addressBlocked`, `import.passwordShows`, and connection
 *   errors
 */
export async function importCommand(
  deps: RestoreDeps,
  from: string,
  options: RestoreOptions & { allowsPrivate: boolean },
): Promise<string> {
  const address = await otherDatabaseFrom(from);
  const { copyServerTables } = await import('../../domains/import/reading/server-tables.ts');
  return await inScratchFolder(deps, options, async (folder) => {
    const file = join(folder, `scratch-${randomUUID()}.other`);
    try {
      await copyServerTables(address, file, options);
      return await bringIn(deps, file, folder, options);
    } finally {
      await rm(file, { force: true });
    }
  });
}

/** A dry run leaves the data folder as it is. */
async function inScratchFolder<T>(
  { dataDir }: RestoreDeps,
  { isDryRun }: RestoreOptions,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  if (!isDryRun) return await work(await makeImportFolder(dataDir));
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function bringIn(
  deps: RestoreDeps,
  file: string,
  scratchFolder: string,
  options: RestoreOptions,
): Promise<string> {
  const { dataDir, log, isPanelRunning, say } = deps;
  const server = await databaseOf(dataDir, null);
  if (!options.isDryRun) {
    if (isImportWaiting(dataDir)) throw new DomainError('import.waits');
    if (server !== null) await requireActiveHere(server, dataDir);
  }
  const secrets = await (options.isDryRun ? peekSecrets(dataDir) : openSecrets({ dataDir, log, clock: Date.now }));
  const passphrase = (await deps.readPassphrase?.()) ?? '';
  const how = { postgresFiles: 'all', keepHostSettings: true, passphrase, clock: Date.now } as const;
  const own = server === null ? {} : { own: () => ownOf(server) };
  const { plan, database, waiting, files } = await prepareImport({
    file,
    dataDir,
    scratchFolder,
    secrets,
    ...how,
    ...own,
  });
  try {
    if (!options.isDryRun) {
      await writeKeys(createCertificateStore(join(dataDir, 'cert')), files);
      await stageImport(dataDir, database, waiting);
    }
  } finally {
    await rm(database, { force: true });
  }
  for (const { what, name: item, reason } of plan.cannotCome) say(`left out: ${what} ${item}: ${reason}`);
  if (plan.certificates === 'locked')
    say('It holds keys of certificates; --with-keys brings them, with its passphrase.');
  if (options.isDryRun) say('Nothing was changed.');
  else if (isPanelRunning()) say('The panel restarts with it in a few seconds. Sign in again afterwards.');
  else say('The panel starts with it the next time. Until then it can be withdrawn: restore --cancel');
  return `${JSON.stringify(plan)}\n`;
}

async function ownOf(server: string): Promise<Own> {
  const { withServer } = await import('../../store/postgres/connection/with-server.ts');
  return withServer(server, readOwn);
}

/** A standby panel imports nothing; a staged import would come back days later, over a newer database. */
async function requireActiveHere(server: string, dataDir: string): Promise<void> {
  const { connect, isLockHeld } = await import('../../store/postgres/connection/connect.ts');
  const { withServer } = await import('../../store/postgres/connection/with-server.ts');
  const client = await connect(server);
  const isInUse = await isLockHeld(client);
  await client.end();
  const last = isInUse ? await withServer(server, lastActive) : undefined;
  if (last !== undefined && last.id !== (await serverIdOf(dataDir)))
    throw new DomainError('import.failed', { reason: `the panel on ${last.name} is active: run the command there` });
}

async function requireReadable(file: string): Promise<void> {
  try {
    await access(file, constants.R_OK);
  } catch (cause) {
    throw new DomainError('import.failed', { reason: `${file} cannot be read; check the path` }, { cause });
  }
  if ((await stat(file)).isDirectory())
    throw new DomainError('import.failed', { reason: `${file} is a folder; name the file` });
}
