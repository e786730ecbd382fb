import type { Reason } from '../../../contract/envelope.ts';
import { foldText } from '../../../store/fold-text.ts';
import { chunked } from './chunked.ts';
import { unwatched, type Watch } from '../list/watch.ts';

/** An e-mail of a bulk call, as sent, with its lookup key. */
export interface NamedEmail {
  email: string;
  key: string;
}

/** The e-mails of a bulk call: trimmed, without blanks and duplicates (ignoring case), in request order. */
export function namedEmails(emails: readonly string[]): NamedEmail[] {
  const byKey = new Map<string, NamedEmail>();
  for (const each of emails) {
    const email = each.trim();
    const key = foldText(email);
    if (email !== '' && !byKey.has(key)) byKey.set(key, { email, key });
  }
  return [...byKey.values()];
}

/** Like {@link namedEmails}, in chunks of one round each. */
export const namedChunks = (emails: readonly string[], watch: Watch = unwatched): Generator<readonly NamedEmail[]> =>
  chunked(namedEmails(emails), watch);

/** An item that a bulk call skipped, and why. */
export interface Skipped extends Reason {
  email: string;
}
