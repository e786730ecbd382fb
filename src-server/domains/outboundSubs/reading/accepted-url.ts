import { DomainError } from '../../../contract/domain-error.ts';
import type { GuardedDialer } from '../../../net/guarded-dialer.ts';
import { checkUrl, FetchFailure, normalUrl } from './fetch-list.ts';

/**
 * A URL in normal form that may be fetched.
 * @throws {DomainError} `code` with the reason as `text`; nothing was dialled
 */
export async function acceptedUrl(
  code: string,
  text: string,
  allowPrivate: boolean,
  dialer: Pick<GuardedDialer, 'check'>,
): Promise<string> {
  if (text.trim() === '') throw new DomainError(code, { text: 'url is required' });
  try {
    const url = normalUrl(text);
    await checkUrl(dialer, url, allowPrivate);
    return url;
  } catch (error) {
    if (error instanceof FetchFailure) throw new DomainError(code, { text: error.message });
    throw error;
  }
}
