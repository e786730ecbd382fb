import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGuardedDialer } from '../../net/guarded-dialer.ts';
import { isSigned, readPublicKey } from './minisign.ts';
import { UpdateFailure } from './update-failure.ts';

const LIST = 'SHA256SUMS';
const MAX_LIST_BYTES = 1024 * 1024;
const MAX_PACKAGE_BYTES = 1024 * 1024 * 1024;
const STALL_MS = 60_000;

/** A Debian package that the signed list names. */
export interface ReleasedPackage {
  file: string;
  /** As dpkg has it: `1.2.3-1`. */
  version: string;
  sha256: string;
}

/**
 * The packages for this machine in the signed list of releases. Nothing of it is believed without the signature.
 * @param base address of the folder of packages, ending without `/`
 * @throws {UpdateFailure} when it cannot be fetched, or the key has not signed it
 */
export async function fetchReleases(base: string, publicKey: string, architecture: string): Promise<ReleasedPackage[]> {
  const [list, signature] = await Promise.all([fetchSmall(`${base}/${LIST}`), fetchSmall(`${base}/${LIST}.minisig`)]);
  if (!isSigned(list, signature.toString(), readPublicKey(publicKey)))
    throw new UpdateFailure('The list of packages is not signed with the key of this panel.');
  return packagesIn(list.toString(), architecture);
}

/** Lines of sha256sum that name packages of the panel for this architecture. */
export function packagesIn(list: string, architecture: string): ReleasedPackage[] {
  return list.split('\n').flatMap((line) => {
    const [, sha256, file, version, its] = /^([0-9a-f]{64}) [ *](switchyard_([\w.+~-]+)_(\w+)\.deb)$/.exec(line) ?? [];
    if (sha256 === undefined || file === undefined || version === undefined || its !== architecture) return [];
    return [{ file, version, sha256 }];
  });
}

/** Fetches a package into a folder; only what has the right hash gets its name. @throws {UpdateFailure} @returns its path */
export async function fetchPackage(base: string, { file, sha256 }: ReleasedPackage, folder: string): Promise<string> {
  const path = join(folder, file);
  const temp = `${path}.part`;
  const hash = createHash('sha256');
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    const answer = await dialer.open(`${base}/${file}`, { ...WAY, maxBytes: MAX_PACKAGE_BYTES });
    if (answer.status !== 200) throw new UpdateFailure(`${base}/${file} answers HTTP ${answer.status}.`);
    await pipeline(answer.body, through, createWriteStream(temp, { mode: 0o600, flush: true }));
    if (hash.digest('hex') !== sha256) throw new UpdateFailure(`${file} is not what the signed list says: not used.`);
    await rename(temp, path);
    return path;
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
}

const dialer = createGuardedDialer();
/** Whoever owns the machine names the address; it may well be in his own network. */
const WAY = { allowPrivate: true, timeoutMs: STALL_MS } as const;

async function fetchSmall(url: string): Promise<Buffer> {
  const { status, body } = await dialer.fetch(url, { ...WAY, maxBytes: MAX_LIST_BYTES });
  if (status !== 200) throw new UpdateFailure(`${url} answers HTTP ${status}.`);
  return body;
}
