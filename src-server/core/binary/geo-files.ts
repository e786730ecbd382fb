import { open, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadFile, downloadText, fileDigest, type Patience } from './releases/download.ts';
import { DownloadError } from './releases/guarded-get.ts';
import type { Source } from './releases/sources.ts';

/** The files that can be fetched, and where from. Others in the same folder are the operator's own. */
const HOMES: Readonly<Record<string, string>> = {
  'geoip.dat': 'https://github.com/Loyalsoldier/v2ray-rules-dat/releases/latest/download/geoip.dat',
  'geosite.dat': 'https://github.com/Loyalsoldier/v2ray-rules-dat/releases/latest/download/geosite.dat',
  'geoip_IR.dat': 'https://github.com/chocolate4u/Iran-v2ray-rules/releases/latest/download/geoip.dat',
  'geosite_IR.dat': 'https://github.com/chocolate4u/Iran-v2ray-rules/releases/latest/download/geosite.dat',
  'geoip_RU.dat': 'https://github.com/runetfreedom/russia-v2ray-rules-dat/releases/latest/download/geoip.dat',
  'geosite_RU.dat': 'https://github.com/runetfreedom/russia-v2ray-rules-dat/releases/latest/download/geosite.dat',
};
export const GEO_FILES: readonly string[] = Object.keys(HOMES);

const MAX_BYTES = 512 * 1024 * 1024;
const MIN_BYTES = 1024;
/** Protobuf tag of the first list entry. A captive portal's page begins with `<`. */
const FIRST_BYTE = 0x0a;

export interface GeoDownload {
  name: string;
  /** Folder of the present files. */
  folder: string;
  /** Where the new file is collected; it exists when the result is `true`. */
  part: string;
  mirror: Source | null;
  signal?: AbortSignal;
  patience?: Partial<Patience>;
  onProgress?: (received: number, expected: number) => void;
}

/**
 * Downloads a geo file unless the present one is the newest.
 * @returns whether a new file is in `part`, dated like the server's copy
 * @throws {DownloadError} the text names the address
 */
export async function downloadGeoFile(download: GeoDownload): Promise<boolean> {
  const { name, folder, part, mirror, signal, patience, onProgress } = download;
  const url = mirror === null ? HOMES[name]! : `${mirror.base}/${name}`;
  const get = { trustedHost: mirror?.trustedHost ?? '', stallMs: 30_000, ...patience, signal };
  await rm(part, { force: true });
  const { isNew, lastModified } = await downloadFile(url, part, {
    ...get,
    maxBytes: MAX_BYTES,
    ifModifiedSince: await modifiedAt(join(folder, name)),
    ...(onProgress === undefined ? {} : { onProgress }),
  }).catch((error: unknown) => {
    throw failureOf(url, error);
  });
  if (!isNew) return false;
  await checkContent(url, part);
  await checkDigest(url, part, get);
  if (lastModified !== null) await utimes(part, lastModified, lastModified);
  return true;
}

function failureOf(url: string, error: unknown): unknown {
  if (!(error instanceof DownloadError)) return error;
  const text = error.status === 0 ? error.message : `received status code ${error.status}`;
  return new DownloadError(`Failed to download Geofile from ${url}: ${text}`, false, { cause: error });
}

async function checkContent(url: string, path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const first = Buffer.alloc(1);
    await file.read(first, 0, 1, 0);
    if (size < MIN_BYTES || first[0] !== FIRST_BYTE)
      throw new DownloadError(`Failed to download Geofile from ${url}: the answer is no geo file`, false);
  } finally {
    await file.close();
  }
}

/** Not every site publishes a checksum; one that exists must match. */
async function checkDigest(
  url: string,
  path: string,
  get: { trustedHost: string; stallMs: number; signal: AbortSignal | undefined },
): Promise<void> {
  let text: string;
  try {
    text = await downloadText(`${url}.sha256sum`, { ...get, maxBytes: 64 * 1024 });
  } catch (error) {
    if (error instanceof DownloadError && error.status === 404) return;
    throw error;
  }
  const expected = /^([0-9a-f]{64})\b/i.exec(text.trim())?.[1]?.toLowerCase();
  if (expected === undefined || expected !== (await fileDigest(path)))
    throw new DownloadError(`Failed to download Geofile from ${url}: it does not match its checksum`, false);
}

async function modifiedAt(path: string): Promise<Date | null> {
  return stat(path).then(
    ({ mtime }) => mtime,
    () => null,
  );
}
