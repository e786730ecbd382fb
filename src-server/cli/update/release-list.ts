import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { get as getPlainly, type IncomingMessage } from 'node:http';
import { get as getSecurely } from 'node:https';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isSigned, readPublicKey } from './minisign.ts';
import { UpdateFailure } from './update-failure.ts';

const LIST = 'SHA256SUMS';
const MAX_LIST_BYTES = 1024 * 1024;
const MAX_PACKAGE_BYTES = 1024 * 1024 * 1024;
const STALL_MS = 60_000;
const MAX_REDIRECTS = 5;

/** A Debian package that the signed list names. */
export interface ReleasedPackage {
  file: string;
  /** As dpkg writes it: `1.2.3-1`. */
  version: string;
  sha256: string;
}

/**
 * The packages for this machine in the signed list of releases. Nothing in it is trusted without the signature.
 * @param base address of the folder of packages, ending without `/`
 * @throws {UpdateFailure} when it cannot be fetched, or is not signed by the key
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

/**
 * Fetches a package into a folder; the file gets its name only when the hash is right. @throws {UpdateFailure} @returns
 * its path
 */
export async function fetchPackage(base: string, { file, sha256 }: ReleasedPackage, folder: string): Promise<string> {
  const path = join(folder, file);
  const temp = `${path}.part`;
  const hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      if (bytes > MAX_PACKAGE_BYTES) done(new UpdateFailure(`${file} is longer than any package.`));
      else done(null, chunk);
    },
  });
  try {
    const response = await open(`${base}/${file}`);
    await pipeline(response, through, createWriteStream(temp, { mode: 0o600, flush: true }));
    if (hash.digest('hex') !== sha256) throw new UpdateFailure(`${file} is not what the signed list says: not used.`);
    await rename(temp, path);
    return path;
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
}

async function fetchSmall(url: string): Promise<Buffer> {
  const response = await open(url);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_LIST_BYTES) throw new UpdateFailure(`${url} is longer than any list of packages.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Fetches the address given in a file owned by root. Not through the panel's dialer: no operator of the panel has typed
 * it, and the response is checked by signature and hash.
 */
function open(url: string, hops = 0): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const get = url.startsWith('https:') ? getSecurely : getPlainly;
    const sent = get(url, { timeout: STALL_MS }, (response) => {
      const { statusCode = 0, headers } = response;
      if (statusCode === 200) return resolve(response);
      response.resume();
      const next = headers.location === undefined ? null : URL.parse(headers.location, url);
      const isLess = url.startsWith('https:') && next?.protocol !== 'https:';
      if (statusCode < 300 || statusCode >= 400 || next === null || isLess || hops >= MAX_REDIRECTS)
        return reject(new UpdateFailure(`${url} answers HTTP ${statusCode}.`));
      resolve(open(next.href, hops + 1));
    });
    sent.once('timeout', () => sent.destroy(new UpdateFailure(`${url} stopped sending.`)));
    sent.once('error', reject);
  });
}
