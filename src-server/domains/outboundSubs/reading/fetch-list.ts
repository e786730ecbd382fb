import { blockedText } from '../../../net/blocked-text.ts';
import { DialError } from '../../../net/dial-error.ts';
import type { GuardedDialer } from '../../../net/guarded-dialer.ts';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_REDIRECTS = 10;
const AGENT = 'switchyard-outbound-sub/1.0';

/** Why a list could not be fetched, in words for the operator. */
export class FetchFailure extends Error {
  /** The address is forbidden or invalid: nothing was dialled. */
  readonly isRefused: boolean;
  constructor(message: string, options: ErrorOptions & { isRefused?: boolean } = {}) {
    super(message, options);
    this.name = 'FetchFailure';
    this.isRefused = options.isRefused ?? false;
  }
}

/** An http or https URL in normal form. @throws {FetchFailure} */
export function normalUrl(text: string): string {
  const url = URL.parse(text.trim());
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isWeb || url.hostname === '')
    throw new FetchFailure(`invalid subscription URL: ${text.trim().slice(0, 200)}`, { isRefused: true });
  return url.href;
}

/** Refuses a URL into an internal network, before it is stored. An unresolvable name passes. @throws {FetchFailure} */
export async function checkUrl(
  dialer: Pick<GuardedDialer, 'check'>,
  url: string,
  allowPrivate: boolean,
): Promise<void> {
  try {
    await dialer.check(new URL(url).hostname, allowPrivate);
  } catch (error) {
    if (!(error instanceof DialError)) throw error;
    if (error.code !== 'unresolved') throw failureOf(error, url);
  }
}

/** The provider's response. @throws {FetchFailure} */
export async function fetchList(
  dialer: Pick<GuardedDialer, 'fetch'>,
  url: string,
  options: { allowPrivate: boolean; signal?: AbortSignal | undefined },
): Promise<Buffer> {
  const { allowPrivate, signal } = options;
  try {
    const { status, body } = await dialer.fetch(url, {
      headers: { 'User-Agent': AGENT },
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: MAX_REDIRECTS,
      allowPrivate,
      ...(signal === undefined ? {} : { signal }),
    });
    if (status !== 200) throw new FetchFailure(`http ${status}`);
    return body;
  } catch (error) {
    if (error instanceof DialError) throw failureOf(error, url);
    throw error;
  }
}

function failureOf(error: DialError, url: string): FetchFailure {
  const { hostname } = new URL(url);
  switch (error.code) {
    case 'private': {
      const text = blockedText(error.refused ?? { host: hostname, address: hostname });
      return new FetchFailure(text, { cause: error, isRefused: true });
    }
    case 'unresolved': {
      const { cause } = error;
      const reason = cause instanceof Error ? cause.message : 'it has no address';
      return new FetchFailure(`cannot resolve host ${hostname}: ${reason}`, { cause: error });
    }
    case 'address':
      return new FetchFailure(`invalid subscription URL: ${error.message}`, { cause: error, isRefused: true });
    case 'redirects':
      return new FetchFailure(`stopped after ${MAX_REDIRECTS} redirects`, { cause: error });
    case 'tooLarge':
      return new FetchFailure(`outbound subscription response body exceeds size limit (limit: ${MAX_BYTES} bytes)`, {
        cause: error,
      });
    default:
      return new FetchFailure(error.message, { cause: error });
  }
}
