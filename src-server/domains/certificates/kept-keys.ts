import * as z from 'zod';
import { parseCertificate } from '../../certificates/read-certificate.ts';
import type { Store } from '../../store/open-store.ts';
import { openByPassphrase, sealByPassphrase } from '../../store/secrets/sealed-by-passphrase.ts';
import type { Secrets } from '../../store/secrets/secrets.ts';
import { FILE_NAME, type CertificateStore } from './certificate-store.ts';
import { sealOf } from './orders.ts';
import { allCertificates, type CertificateRow } from './repository.ts';

const Flag = z.union([z.literal(0), z.literal(1)]);

/**
 * The certificate part of a backup with a passphrase: rows with the external account's key in plain text, and files of
 * certificates and accounts. It is untrusted input: only these names and sizes are accepted.
 */
const KeptKeys = z.object({
  certificates: z
    .array(
      z.object({
        fileId: z.string().regex(/^[0-9a-f]{12}$/),
        name: z.string().max(64),
        nameKey: z.string().max(256),
        wanted: z.string().max(65_536),
        eabHmacKey: z.string().max(1024),
        isObtained: Flag,
        revokedPin: z.string().max(64),
        createdAtMs: z.int(),
        updatedAtMs: z.int(),
      }),
    )
    .max(1000),
  files: z.array(z.object({ name: z.string().regex(FILE_NAME), text: z.string().max(262_144) })).max(2000),
});
export type KeptKeys = z.output<typeof KeptKeys>;

/** Seals all certificate data for a backup. @returns how many certificates have a file in it */
export async function sealKeys(
  passphrase: string,
  { store, secrets, files }: { store: Pick<Store, 'reader'>; secrets: Secrets; files: CertificateStore },
): Promise<{ sealed: Buffer; count: number }> {
  const rows = await allCertificates(store.reader);
  const kept: KeptKeys = { certificates: rows.map((row) => keptRow(row, secrets)), files: await files.all() };
  const count = rows.filter(({ fileId }) => kept.files.some(({ name }) => name.includes(fileId))).length;
  return { sealed: await sealByPassphrase(Buffer.from(JSON.stringify(kept)), passphrase), count };
}

function keptRow(row: CertificateRow, secrets: Secrets): KeptKeys['certificates'][number] {
  const { fileId, name, nameKey, wanted, isObtained, revokedPin, createdAtMs, updatedAtMs } = row;
  const eabHmacKey = secrets.open(sealOf(fileId), row.eabHmacKey) ?? '';
  return { fileId, name, nameKey, wanted, eabHmacKey, isObtained, revokedPin, createdAtMs, updatedAtMs };
}

/** @returns null when the passphrase is wrong, or the content is not ours */
export async function openKeys(sealed: Uint8Array, passphrase: string): Promise<KeptKeys | null> {
  const opened = await openByPassphrase(sealed, passphrase);
  if (opened === null) return null;
  try {
    return KeptKeys.parse(JSON.parse(opened.toString('utf8')));
  } catch {
    return null;
  }
}

/**
 * Writes the files of an imported backup. They are written before the database that names them: a kill in between
 * leaves only unused files. A local certificate that is valid longer is kept, and so is a local account.
 * @throws {DomainError} `certificate.notWritten`
 */
export async function writeKeys(files: CertificateStore, brought: KeptKeys['files']): Promise<void> {
  const present = new Map((await files.all()).map(({ name, text }) => [name, text]));
  for (const { name, text } of brought) {
    const here = present.get(name);
    if (here === undefined || (name.endsWith('.pem') && endOf(here) < endOf(text))) await files.put(name, text);
  }
}

/** When a certificate ends, ms since 1970; 0 if it is invalid. */
const endOf = (pem: string): number => Date.parse(parseCertificate(pem)?.validTo ?? '') || 0;
