import Database from 'better-sqlite3';
import { DomainError } from '../../contract/domain-error.ts';
import { foldText } from '../../store/fold-text.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import { openKeys, type KeptKeys } from '../certificates/kept-keys.ts';
import { sealOf } from '../certificates/orders.ts';
import type { ImportPlan } from './contract.ts';
import { LEFT_OUT_KINDS, leftOut } from './left-out.ts';

const NONE: KeptKeys = { certificates: [], files: [] };

/** A certificate in the imported file. */
export interface SourceCertificate {
  fileId: string;
  name: string;
}

/**
 * Opens a backup's certificates and keys with its passphrase, and adds them to the scratch database next to this
 * machine's.
 * @param sealed part of the file; null when it holds no keys
 * @returns the files to write before the database is put in, and the certificate part of the plan
 * @throws {DomainError} `import.passphrase`
 */
export async function bringKeys(options: {
  database: string;
  sealed: Uint8Array | null;
  /** Empty = the keys are not imported. */
  passphrase: string;
  /** From the imported file. */
  theirs: readonly SourceCertificate[];
  secrets: Secrets;
}): Promise<{
  files: KeptKeys['files'];
  certificates: ImportPlan['certificates'];
  came: ImportPlan['willCome'];
  stayed: ImportPlan['cannotCome'];
}> {
  const { database, sealed, passphrase, theirs, secrets } = options;
  const kept = sealed === null || passphrase === '' ? NONE : await openKeys(sealed, passphrase);
  if (kept === null) throw new DomainError('import.passphrase', {}, { field: 'passphrase' });
  const own = mergeRows(database, kept, secrets);
  const certificates = sealed === null ? 'none' : passphrase === '' ? 'locked' : 'open';
  const reason = leftOut(sealed === null ? 'leftOut.noKeys' : 'leftOut.lockedKeys');
  const left = certificates === 'open' ? [] : theirs.filter(({ fileId }) => !own.has(fileId));
  return {
    files: kept.files,
    certificates,
    came: kept.certificates.map(({ name }) => ({ what: 'certificates', name })),
    stayed: left.map(({ name }) => ({ what: LEFT_OUT_KINDS.certificate, kind: 'certificate', name, ...reason })),
  };
}

/** @returns this machine's own certificates, by file */
function mergeRows(database: string, { certificates }: KeptKeys, secrets: Secrets): ReadonlySet<string> {
  const db = new Database(database);
  try {
    db.pragma('synchronous = OFF');
    db.pragma('journal_mode = DELETE');
    const list = <T>(column: string): Set<T> =>
      new Set(db.prepare(`SELECT ${column} FROM certificates`).pluck().all() as T[]);
    const own = list<string>('fileId');
    const names = list<string>('nameKey');
    const insert = db.prepare(
      `INSERT INTO certificates (fileId, name, nameKey, wanted, eabHmacKey, isObtained, revokedPin, failures, nextTryAtMs,
         lastFailure, createdAtMs, updatedAtMs)
       VALUES (@fileId, @name, @nameKey, @wanted, @eabHmacKey, @isObtained, @revokedPin, 0, 0, '', @createdAtMs, @updatedAtMs)`,
    );
    const reseal = db.prepare('UPDATE certificates SET eabHmacKey = ? WHERE fileId = ?');
    db.transaction(() => {
      for (const row of certificates) {
        const eabHmacKey = secrets.seal(sealOf(row.fileId), row.eabHmacKey);
        if (own.has(row.fileId)) {
          const stored = db
            .prepare('SELECT eabHmacKey FROM certificates WHERE fileId = ?')
            .pluck()
            .get(row.fileId) as string;
          if (secrets.open(sealOf(row.fileId), stored) === null) reseal.run(eabHmacKey, row.fileId);
          continue;
        }
        let { name } = row;
        for (let copy = 2; names.has(foldText(name)); copy += 1) name = `${row.name.slice(0, 58)} (${copy})`;
        names.add(foldText(name));
        insert.run({ ...row, name, nameKey: foldText(name), eabHmacKey });
      }
    })();
    return own;
  } finally {
    db.close();
  }
}
