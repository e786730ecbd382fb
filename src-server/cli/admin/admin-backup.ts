import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import { allCertificates } from '../../domains/certificates/repository.ts';
import { createCertificateStore } from '../../domains/certificates/certificate-store.ts';
import { sealKeys } from '../../domains/certificates/kept-keys.ts';
import { writeSealedPart } from '../../store/sealed-part.ts';
import { openSecrets } from '../../store/secrets/secret-key.ts';
import { newPassphrase } from './read-passphrase.ts';
import type { Store } from '../../store/open-store.ts';
import { StoreError } from '../../store/sqlite/sqlite-thread.ts';

export interface BackupDeps {
  store: Pick<Store, 'copyTo' | 'dumpTo' | 'reader'>;
  /** Whether the database server's own program makes the backup. */
  isNative: boolean;
  dataDir: string;
  log: Logger;
  say: (line: string) => void;
  /** Reads the passphrase from stdin; null = the private keys of certificates are left out. */
  readPassphrase: (() => Promise<string>) | null;
}

/**
 * `backup FILE [--with-keys] [--native]`: a consistent copy of the database, also while the panel runs. Written under
 * another name first, so that a file of this name is always complete.
 * @returns what goes to stdout: the path.
 * @throws {ValidationError} a passphrase that is too short
 * @throws {DomainError} `backup.fileExists`: an older backup is never overwritten; for native backups
 *   `backup.nativeNeedsServer`, `backup.nativeWithoutKeys`, and the errors of `store.dumpTo`; `backup.retrieveFailed` when
 *   the file cannot be written
 */
export async function backupCommand(deps: BackupDeps, name: string): Promise<string> {
  const { store, dataDir, log, say } = deps;
  const copy = deps.isNative ? nativeCopy(deps) : store.copyTo;
  const file = resolve(name);
  if (existsSync(file)) throw new DomainError('backup.fileExists', { file });
  const unfinished = `${file}.unfinished`;
  try {
    await rm(unfinished, { force: true });
    const passphrase = deps.readPassphrase === null ? null : newPassphrase(await deps.readPassphrase());
    await copy(unfinished).catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
      throw new DomainError('backup.retrieveFailed', { reason: error.message }, { cause: error });
    });
    if (passphrase === null) {
      if ((await allCertificates(store.reader)).length > 0)
        say(
          deps.isNative
            ? 'Keys of certificates are not in it: copy the folder cert of the data folder, too.'
            : 'Keys of certificates are not in it; --with-keys puts them in, under a passphrase.',
        );
    } else {
      const secrets = await openSecrets({ dataDir, log, clock: Date.now });
      const files = createCertificateStore(join(dataDir, 'cert'));
      const { sealed, count } = await sealKeys(passphrase, { store, secrets, files });
      await writeSealedPart(unfinished, sealed);
      say(`Certificates with their keys in it: ${count}. Only the passphrase opens them.`);
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return `${file}\n`;
}

function nativeCopy({ store: { dumpTo }, readPassphrase }: BackupDeps): (file: string) => Promise<void> {
  if (dumpTo === null) throw new DomainError('backup.nativeNeedsServer');
  if (readPassphrase !== null) throw new DomainError('backup.nativeWithoutKeys');
  return (file) => dumpTo(file);
}
