import { rm } from 'node:fs/promises';
import { downloadFile, downloadText, fileDigest, type Patience } from './download.ts';
import { InstallError, unpackRelease } from '../install.ts';
import { readDigest, releaseAsset, releaseUrl, thisMachine } from './release.ts';
import type { Source } from './sources.ts';

const MAX_BYTES = 200 * 1024 * 1024;
const MAX_DIGEST = 64 * 1024;

/**
 * Downloads the release for this machine, compares it with its published digest and unpacks it.
 * @param part where the archive is collected; deleted at the end, unless the download was cut off
 * @throws {DownloadError | InstallError}
 */
export async function fetchRelease(options: {
  source: Source;
  version: string;
  part: string;
  patience?: Partial<Patience>;
  signal?: AbortSignal;
  onUrl?: (url: string) => void;
  onProgress?: (received: number, expected: number) => void;
}): Promise<Map<string, Uint8Array>> {
  const { source, version, part, patience, signal, onUrl, onProgress } = options;
  const asset = releaseAsset(thisMachine());
  if (asset === null) throw new InstallError(`no release is published for ${process.platform} ${process.arch}`);
  const url = releaseUrl(source.base, asset, version);
  const get = { trustedHost: source.trustedHost, stallMs: 15_000, ...patience, signal };

  onUrl?.(url);
  const expected = readDigest(await downloadText(`${url}.dgst`, { ...get, maxBytes: MAX_DIGEST }));
  if (!expected.ok) throw new InstallError(expected.text);
  await downloadFile(url, part, { ...get, maxBytes: MAX_BYTES, ...(onProgress === undefined ? {} : { onProgress }) });
  try {
    const got = await fileDigest(part);
    if (got !== expected.sha256) {
      throw new InstallError(
        `update aborted: the downloaded archive does not match the official SHA-256 checksum (expected ${expected.sha256}, got ${got})`,
      );
    }
    return await unpackRelease(part);
  } finally {
    // Complete, so there is nothing to resume, whether the archive is good or bad.
    await rm(part, { force: true });
  }
}
