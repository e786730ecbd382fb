import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GetOptions } from './guarded-get.ts';
import { DownloadError, guardedGet } from './guarded-get.ts';

/** How long a server may be silent, and the pause before the next attempt, in ms. */
export interface Patience {
  stallMs: number;
  retryMs: number;
}

export interface DownloadOptions extends GetOptions {
  maxBytes: number;
  /** Received and expected bytes; expected is 0 when the server does not announce it. */
  onProgress?: (received: number, expected: number) => void;
  /** Default 4. */
  attempts?: number;
  /** Pause before the next attempt, in ms. Default 1 s. */
  retryMs?: number;
  /** Skips the download unless the server's copy is newer than this. */
  ifModifiedSince?: Date | null;
}

export interface Downloaded {
  /** False when the server has nothing newer. */
  isNew: boolean;
  /** Date of the server's copy; null when the server does not give one. */
  lastModified: Date | null;
}

/** Identifies the exact copy that a response was part of; empty when the server has no such validator. */
interface Copy {
  validator: string;
}

/** Fetches a small text. @throws {DownloadError} */
export async function downloadText(url: string, options: GetOptions & { maxBytes: number }): Promise<string> {
  const response = await guardedGet(url, options);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > options.maxBytes) throw new DownloadError(`${url} is larger than ${options.maxBytes} bytes`, false);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Downloads into `path`, resuming where an earlier attempt, or an earlier run of the program, was cut off.
 * @throws {DownloadError} the received part stays, for the next run
 */
export async function downloadFile(url: string, path: string, options: DownloadOptions): Promise<Downloaded> {
  const { attempts = 4, retryMs = 1000 } = options;
  await mkdir(dirname(path), { recursive: true });
  const copy: Copy = { validator: '' };
  for (let attempt = 1; ; attempt += 1) {
    const before = await sizeOf(path);
    try {
      return await receive(url, path, before, copy, options);
    } catch (error) {
      const failure =
        error instanceof DownloadError ? error : new DownloadError(`${url}: ${String(error)}`, true, { cause: error });
      // A server that has sent nothing at all is treated as absent; after an interruption the rest is requested.
      const hasProgress = (await sizeOf(path)) > before;
      if (options.signal?.aborted === true) throw failure;
      if (!failure.isWorthRetrying || attempt >= attempts || (before === 0 && !hasProgress)) throw failure;
      await sleep(retryMs, undefined, { signal: options.signal });
    }
  }
}

async function receive(
  url: string,
  path: string,
  from: number,
  copy: Copy,
  options: DownloadOptions,
): Promise<Downloaded> {
  const { maxBytes, onProgress, ifModifiedSince = null } = options;
  const response = await guardedGet(url, {
    ...options,
    headers: {
      ...(from > 0 ? { range: `bytes=${from}-` } : {}),
      // If another copy was published meanwhile, it is fetched whole instead of being appended to the first.
      ...(from > 0 && copy.validator !== '' ? { 'if-range': copy.validator } : {}),
      ...(from === 0 && ifModifiedSince !== null ? { 'if-modified-since': ifModifiedSince.toUTCString() } : {}),
    },
    alsoStatus: ifModifiedSince === null ? [] : [304],
  });
  const lastModified = dateOf(response.headers['last-modified']);
  if (response.statusCode === 304) {
    response.destroy();
    return { isNew: false, lastModified };
  }
  if (response.statusCode === 416) {
    response.destroy();
    // Either complete already, or a leftover of something else: the digest tells.
    if (Number(/\/(\d+)$/.exec(response.headers['content-range'] ?? '')?.[1]) === from)
      return { isNew: true, lastModified };
    await rm(path, { force: true });
    throw new DownloadError(`${url}: the earlier part does not fit`, true);
  }
  copy.validator = strongTag(response.headers.etag) ?? response.headers['last-modified'] ?? '';
  const isRest = response.statusCode === 206 && startOf(response.headers['content-range']) === from;
  if (response.statusCode === 206 && !isRest) {
    response.destroy();
    await rm(path, { force: true });
    throw new DownloadError(`${url}: the server sent another part than it was asked for`, true);
  }
  const start = isRest ? from : 0;
  const expected = start + Number(response.headers['content-length'] ?? 0);
  if (expected > maxBytes) {
    response.destroy();
    throw new DownloadError(`${url} is larger than ${maxBytes} bytes`, false);
  }
  let received = start;
  const file = await open(path, start > 0 ? 'a' : 'w', 0o600);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > maxBytes) throw new DownloadError(`${url} is larger than ${maxBytes} bytes`, false);
      await file.writeFile(chunk);
      onProgress?.(received, expected > start ? expected : 0);
    }
  } finally {
    await file.close();
  }
  if (expected > start && received < expected) throw new DownloadError(`${url} was cut off`, true);
  return { isNew: true, lastModified };
}

function startOf(contentRange: string | undefined): number {
  return Number(/^bytes (\d+)-/.exec(contentRange ?? '')?.[1] ?? NaN);
}

/** Weak tags mean that two copies are equivalent, not that their bytes are the same. */
function strongTag(etag: string | undefined): string | null {
  return etag === undefined || etag.startsWith('W/') ? null : etag;
}

function dateOf(text: string | undefined): Date | null {
  const ms = Date.parse(text ?? '');
  return Number.isFinite(ms) ? new Date(ms) : null;
}

/** SHA-256 of a file in lower-case hex. */
export async function fileDigest(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
