import * as z from 'zod';
import { isAtLeast } from '../../config/core-version.ts';
import { OLDEST_CORE } from '../core-version.ts';
import { DownloadError, guardedGet } from './guarded-get.ts';

const FRESH_MS = 15 * 60_000;
const MAX_BYTES = 8 * 1024 * 1024;
const TAG = /^v?\d{1,5}\.\d{1,5}\.\d{1,5}$/;

const Releases = z.array(
  z.object({
    tag_name: z.string().catch(''),
    prerelease: z.boolean().catch(false),
    draft: z.boolean().catch(false),
  }),
);
const Complaint = z.object({ message: z.string() });

/** A core that can be installed. */
export interface Release {
  /** As published: `v26.7.28`. */
  tag: string;
  isPrerelease: boolean;
}

export function createReleaseList(options: {
  address: string;
  trustedHost: string;
  clock: () => number;
  /** Called when an older list has to be used. */
  onStale: (error: DownloadError) => void;
}) {
  const { address, trustedHost, clock, onStale } = options;
  let kept: { releases: Release[]; atMs: number; etag: string } | null = null;

  async function fetchList(signal: AbortSignal | undefined): Promise<Release[]> {
    const response = await guardedGet(address, {
      trustedHost,
      stallMs: 10_000,
      signal,
      alsoStatus: [304, 403, 404, 429],
      headers: {
        accept: 'application/vnd.github+json',
        ...(kept === null || kept.etag === '' ? {} : { 'if-none-match': kept.etag }),
      },
    });
    const text = await readText(response);
    const status = response.statusCode ?? 0;
    if (status === 304 && kept !== null) return kept.releases;
    if (status !== 200) throw new DownloadError(complaintOf(status, response.statusMessage ?? '', text), true);
    const releases = parseReleases(text);
    kept = { releases, atMs: clock(), etag: response.headers.etag ?? '' };
    return releases;
  }

  return {
    /**
     * Newest first, only cores that this panel works with. Cached for 15 minutes; when it cannot be fetched, the last
     * one is used.
     * @param isFresh asks the server again, however recent the cached list is
     * @throws {DownloadError} when there is none at all
     */
    async read(isFresh: boolean, signal?: AbortSignal): Promise<Release[]> {
      const age = kept === null ? Infinity : Math.abs(clock() - kept.atMs);
      if (!isFresh && kept !== null && age < FRESH_MS) return kept.releases;
      try {
        const releases = await fetchList(signal);
        if (kept !== null) kept.atMs = clock();
        return releases;
      } catch (error) {
        if (!(error instanceof DownloadError) || kept === null || isFresh) throw error;
        onStale(error);
        return kept.releases;
      }
    },
  };
}
export type ReleaseList = ReturnType<typeof createReleaseList>;

async function readText(response: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new DownloadError('the release list is too large', false);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseReleases(text: string): Release[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DownloadError('the release list is no JSON', true, { cause: error });
  }
  const parsed = Releases.safeParse(value);
  if (!parsed.success) throw new DownloadError(complaintIn(value) ?? 'the release list is no list', true);
  return parsed.data
    .filter(({ tag_name: tag, draft }) => !draft && TAG.test(tag) && isAtLeast(tag.replace(/^v/, ''), OLDEST_CORE))
    .map(({ tag_name: tag, prerelease }) => ({ tag, isPrerelease: prerelease }));
}

function complaintOf(status: number, statusText: string, text: string): string {
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // A proxy answers in HTML; the status says enough.
  }
  return complaintIn(value) ?? `GitHub API returned status ${status}: ${status} ${statusText}`;
}

function complaintIn(value: unknown): string | null {
  const parsed = Complaint.safeParse(value);
  return parsed.success ? `GitHub API error: ${parsed.data.message.slice(0, 300)}` : null;
}
