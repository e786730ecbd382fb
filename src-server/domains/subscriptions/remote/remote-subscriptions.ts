import type { GuardedDialer } from '../../../net/guarded-dialer.ts';
import { linesOf } from './remote-lines.ts';

/** How long a response counts as fresh, and a failed address is not retried. */
const FRESH_MS = 5 * 60_000;
/** Time limit of one fetch, including redirects: the longest a subscription can wait for its providers. */
const TIMEOUT_MS = 6_000;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_URLS = 256;
/** Most links taken from one provider. */
const MAX_LINES = 2_000;
/** Some providers return links only to apps they know. */
const AGENT = 'v2rayNG/1.8.5';

interface Remote {
  lines: readonly string[];
  /** Time of the last attempt, successful or not. */
  triedAtMs: number;
  hasResponded: boolean;
  running: Promise<void> | null;
}

/** Called with the result of a fetch; an empty error = success. */
export type ReportFetch = (url: string, error: string) => void;

/**
 * Providers' subscriptions that operators attach to clients. A response is kept for five minutes; after that the old
 * one is served while a new one is fetched, and as long as the provider fails. A dead provider costs the first request
 * the time limit and nothing afterwards.
 */
export function createRemoteSubscriptions(deps: {
  dialer: Pick<GuardedDialer, 'fetch'>;
  clock: () => number;
  report: ReportFetch;
}) {
  const { dialer, clock, report } = deps;
  const remotes = new Map<string, Remote>();

  async function refresh(url: string, remote: Remote): Promise<void> {
    try {
      const headers = { 'User-Agent': AGENT };
      const { status, body } = await dialer.fetch(url, { headers, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
      if (status < 200 || status > 299) throw new Error('non-2xx subscription response');
      remote.lines = linesOf(body.toString('utf8')).slice(0, MAX_LINES);
      remote.hasResponded = true;
      report(url, '');
    } catch (error) {
      report(url, reasonOf(error));
    } finally {
      remote.triedAtMs = clock();
      remote.running = null;
    }
  }

  function entryOf(url: string): Remote {
    const known = remotes.get(url);
    if (known !== undefined) return known;
    const remote: Remote = { lines: [], triedAtMs: Number.NEGATIVE_INFINITY, hasResponded: false, running: null };
    remotes.set(url, remote);
    const [oldest] = remotes.keys();
    if (remotes.size > MAX_URLS && oldest !== undefined) remotes.delete(oldest);
    return remote;
  }

  return {
    /** Links of a provider, empty until it has responded once. Requests for one address share one fetch. */
    async lines(url: string): Promise<readonly string[]> {
      const remote = entryOf(url);
      if (Math.abs(clock() - remote.triedAtMs) >= FRESH_MS) remote.running ??= refresh(url, remote);
      if (!remote.hasResponded && remote.running !== null) await remote.running;
      return remote.lines;
    },
  };
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message: string };
  return code === 'tooLarge' ? 'subscription response body exceeds size limit' : message.slice(0, 500);
}
