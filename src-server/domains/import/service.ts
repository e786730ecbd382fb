import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Basics } from '../basics.ts';
import { DomainError } from '../../contract/domain-error.ts';
import { failpoint } from '../../failpoints/failpoint.ts';
import { listBackups } from '../../store/backups.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import { readImportEnd, stageImport } from '../../store/waiting-import.ts';
import type { CertificateStore } from '../certificates/certificate-store.ts';
import { writeKeys } from '../certificates/kept-keys.ts';
import type { ImportResult, ImportPlan } from './contract.ts';
import { prepareImport, type Own } from './prepare-import.ts';
import type { PostgresFiles } from './reading/file-kind.ts';

export interface ImportServiceDeps extends Pick<Basics, 'clock' | 'publish' | 'log'> {
  /** Where certificate files of a backup are written. */
  files: CertificateStore;
  dataDir: string;
  backupFolder: string;
  postgresFiles: PostgresFiles;
  secrets: Secrets;
  /** Data of this panel that survives an import. */
  own: () => Promise<Own>;
  /** Titles of running jobs; an import does not wait for them, it is refused. */
  runningJobs: () => readonly string[];
  /** Restarts the panel once pending responses are sent. */
  restartPanel: () => void;
}

type RestoreRequest = Pick<ImportHow, 'passphrase'> & { confirm: string };

/** What to import from a file. */
export interface ImportHow {
  /** Whether addresses, certificates, paths and identity stay this machine's own. */
  keepHostSettings: boolean;
  /** Opens the keys of certificates in it; empty = they are not imported. */
  passphrase: string;
}

/**
 * Replaces the panel's database by an upload or one of its own backups. A file is read into a scratch database first;
 * only a checked one is staged for the restart, which installs it and rolls back automatically when the panel does not
 * start.
 */
export function createImportService(deps: ImportServiceDeps) {
  const { dataDir, backupFolder, postgresFiles, secrets, clock, log } = deps;
  let isBusy = false;

  /** One at a time: two imports would use the same staging place. */
  async function alone<T>(work: () => Promise<T>): Promise<T> {
    if (isBusy) throw new DomainError('import.busy');
    isBusy = true;
    try {
      return await work();
    } finally {
      isBusy = false;
    }
  }

  const prepare = (file: string, how: ImportHow) =>
    prepareImport({ file, postgresFiles, dataDir, secrets, own: deps.own, ...how, clock });

  const preview = (file: string, how: ImportHow): Promise<ImportPlan> =>
    alone(async () => {
      const { plan, database } = await prepare(file, how);
      await rm(database, { force: true });
      return plan;
    });

  const replace = (file: string, how: ImportHow, what: string): Promise<ImportPlan> =>
    alone(async () => {
      const [job] = deps.runningJobs();
      if (job !== undefined) throw new DomainError('import.jobRunning', { job });
      const { plan, database, waiting, files } = await prepare(file, how);
      failpoint('import.prepared');
      try {
        await writeKeys(deps.files, files);
        await stageImport(dataDir, database, waiting);
      } catch (error) {
        await rm(database, { force: true });
        throw error;
      }
      log.warn('import.staged', { kind: plan.kind, ...plan.counts });
      deps.publish({
        type: 'notification',
        title: 'The database is being replaced',
        body: `The panel restarts with ${what}. Sign in again afterwards.`,
        severity: 'warning',
      });
      deps.restartPanel();
      return plan;
    });

  /** @throws {DomainError} `backup.unknown` */
  async function backupNamed(name: string): Promise<string> {
    const found = (await listBackups(backupFolder)).find(({ path }) => basename(path) === name);
    if (found === undefined) throw new DomainError('backup.unknown');
    return found.path;
  }

  return {
    /** Previews an import of a file. @throws {DomainError} `import.failed`, `import.busy` */
    preview,
    /** Replaces the database at the restart it asks for. @throws {DomainError} `import.failed`, `import.busy`, `import.jobRunning` */
    import: (file: string, how: ImportHow): Promise<ImportPlan> => replace(file, how, 'the imported database'),
    previewBackup: async (name: string, passphrase: string): Promise<ImportPlan> =>
      preview(await backupNamed(name), { keepHostSettings: true, passphrase }),
    /** @throws {DomainError} `import.notConfirmed`, `backup.unknown`, `import.failed`, `import.busy` */
    async restore(name: string, { confirm, passphrase }: RestoreRequest): Promise<ImportPlan> {
      const file = await backupNamed(name);
      if (confirm !== name) throw new DomainError('import.notConfirmed', { name });
      return replace(file, { keepHostSettings: true, passphrase }, `the backup ${name}`);
    },
    async lastResult(): Promise<ImportResult> {
      const end = await readImportEnd(dataDir);
      return end === null ? null : { at: end.atMs, outcome: end.outcome, backup: end.backup };
    },
  };
}
export type ImportService = ReturnType<typeof createImportService>;
