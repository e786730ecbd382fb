import { createHash, type X509Certificate } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { namesOn } from '../../certificates/certificate-warnings.ts';
import { parseCertificate, readPemFile } from '../../certificates/read-certificate.ts';
import { DomainError } from '../../contract/domain-error.ts';
import { syncFolder } from '../../durable-files.ts';
import type { CertificateFacts } from './contract.ts';

const UNFINISHED = '.part';
/** Files of certificates and accounts; DNS records that an order has added concern only this machine. */
export const FILE_NAME = /^(?:panel-[0-9a-f]{12}\.pem|account-[0-9a-f]{16}\.json)$/;

const Account = z.object({ key: z.string(), url: z.string() });
/** An account with an authority: its key as PEM, and its address there; empty until the account is opened. */
export type AcmeAccount = z.infer<typeof Account>;

/**
 * Files of the data folder, each readable by the owner only (0600) and replaced atomically. Key and chain of a
 * certificate share one file, because a server reads both: with two files, a reader or a kill could find halves of two
 * pairs. The core re-reads files every hour and permanently gives up on a missing one, so a file is never absent.
 */
export function createCertificateStore(folder: string) {
  const fileOf = (fileId: string): string => join(folder, `panel-${fileId}.pem`);
  const accountFile = (id: string): string => join(folder, `account-${id}.json`);

  return {
    folder,
    fileOf,

    /** PEM of key and chain; empty when the file does not exist. */
    read: (fileId: string): Promise<string> => readPemFile(fileOf(fileId)),

    async facts(fileId: string): Promise<CertificateFacts | null> {
      const certificate = parseCertificate(await readPemFile(fileOf(fileId)));
      return certificate === null ? null : factsOf(certificate);
    },

    /** @throws {DomainError} `certificate.notWritten`: the old file is unchanged */
    async write(fileId: string, pem: string): Promise<void> {
      await replaceFile(fileOf(fileId), pem);
    },

    async remove(fileId: string): Promise<void> {
      await rm(fileOf(fileId), { force: true });
    },

    /** @param id of {@link accountId} */
    async account(id: string): Promise<AcmeAccount | null> {
      try {
        return Account.parse(JSON.parse(await readFile(accountFile(id), 'utf8')));
      } catch {
        return null;
      }
    },

    writeAccount: (id: string, account: AcmeAccount): Promise<void> =>
      replaceFile(accountFile(id), JSON.stringify(account)),

    /** Every certificate with its key, and every account. */
    async all(): Promise<{ name: string; text: string }[]> {
      const names = (await readdir(folder).catch(() => [])).filter((name) => FILE_NAME.test(name));
      return Promise.all(
        names.toSorted().map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })),
      );
    },

    /** @param name of {@link all} @throws {DomainError} `certificate.notWritten` */
    put: (name: string, text: string): Promise<void> => replaceFile(join(folder, name), text),

    /** Removes the unfinished files of a killed panel. */
    async sweep(): Promise<void> {
      const present = await readdir(folder).catch(() => []);
      for (const name of present) if (name.endsWith(UNFINISHED)) await rm(join(folder, name), { force: true });
    },
  };
}
export type CertificateStore = ReturnType<typeof createCertificateStore>;

/** Certificates with the same authority, e-mail and external account share an account: authorities limit new ones. */
export const accountId = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);

export function factsOf(certificate: X509Certificate): CertificateFacts {
  return {
    names: namesOn(certificate),
    issuer: /(?:^|\n)CN=(.+)/.exec(certificate.issuer)?.[1] ?? certificate.issuer,
    validFrom: Date.parse(certificate.validFrom),
    validTo: Date.parse(certificate.validTo),
    pin: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

/** Replaces a file atomically; it is on disk when this resolves. @throws {DomainError} `certificate.notWritten` */
export async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}${UNFINISHED}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rm(part, { force: true });
    await writeFile(part, text, { mode: 0o600, flag: 'wx', flush: true });
    await rename(part, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
    throw new DomainError('certificate.notWritten', { text: (error as Error).message }, { cause: error });
  }
}
