import { randomUUID } from 'node:crypto';
import { access, constants, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import { createCertificateStore } from '../../domains/certificates/certificate-store.ts';
import { writeKeys } from '../../domains/certificates/kept-keys.ts';
import { prepareImport, readOwn, type Own } from '../../domains/import/prepare-import.ts';
import { lastActive } from '../../domains/servers/repository.ts';
import { serverIdOf } from '../../domains/servers/service.ts';
import { openSecrets } from '../../store/secrets/secret-key.ts';
import { databaseFrom, otherDatabaseFrom } from '../database-address.ts';
import { firstLine } from './read-passphrase.ts';
import { isImportWaiting, makeImportFolder, stageImport } from '../../store/waiting-import.ts';

export interface RestoreDeps {
  dataDir: string;
  log: Logger;
  /** Whether a panel serves the folder now: it notices a waiting import, and restarts with it. */
  isPanelRunning: boolean;
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
 * certificates and identity.
 * @returns what goes to stdout: the plan as one line of JSON.
 * @throws {DomainError} `import.failed`, `import.busy`, `import.passphrase`
 */
export async function restoreCommand(deps: RestoreDeps, name: string, options: RestoreOptions): Promise<string> {
  const file = resolve(name);
  await requireReadable(file);
  return await bringIn(deps, file, options);
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
  const file = join(await makeImportFolder(deps.dataDir), `scratch-${randomUUID()}.other`);
  try {
    await copyServerTables(address, file, options);
    return await bringIn(deps, file, options);
  } finally {
    await rm(file, { force: true });
  }
}

async function bringIn(deps: RestoreDeps, file: string, options: RestoreOptions): Promise<string> {
  const { dataDir, log, isPanelRunning, say } = deps;
  const server = await databaseFrom(null);
  if (!options.isDryRun) {
    if (isImportWaiting(dataDir)) throw new DomainError('import.busy');
    if (server !== null) await requireActiveHere(server, dataDir);
  }
  const secrets = await openSecrets({ dataDir, log, clock: Date.now });
  const passphrase = firstLine((await deps.readPassphrase?.()) ?? '');
  const how = { postgresFiles: 'all', keepHostSettings: true, passphrase, clock: Date.now } as const;
  const own = server === null ? {} : { own: () => ownOf(server) };
  const { plan, database, files } = await prepareImport({ file, dataDir, secrets, ...how, ...own });
  try {
    if (!options.isDryRun) {
      await writeKeys(createCertificateStore(join(dataDir, 'cert')), files);
      await stageImport(dataDir, database);
    }
  } finally {
    await rm(database, { force: true });
  }
  for (const { what, name: item, reason } of plan.cannotCome) say(`left out: ${what} ${item}: ${reason}`);
  if (plan.certificates === 'locked')
    say('It holds keys of certificates; --with-keys brings them, with its passphrase.');
  if (options.isDryRun) say('Nothing was changed.');
  else if (isPanelRunning) say('The panel restarts with it in a few seconds. Sign in again afterwards.');
  else say('The panel starts with it the next time.');
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
