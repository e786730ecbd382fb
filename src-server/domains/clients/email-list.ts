import type { Refusal, ValidationIssue } from '../../contract/envelope.ts';
import { foldText } from '../../store/fold-text.ts';
import { chunked } from './chunked.ts';
import { unwatched, type Watch } from './watch.ts';

/** An e-mail a bulk call names, as sent, with the key it is found by. */
export interface NamedEmail {
  email: string;
  key: string;
}

/** The e-mails of a bulk call: trimmed, without blanks and without repetitions (whatever their case), in request order. */
export function namedEmails(emails: readonly string[]): NamedEmail[] {
  const byKey = new Map<string, NamedEmail>();
  for (const each of emails) {
    const email = each.trim();
    const key = foldText(email);
    if (email !== '' && !byKey.has(key)) byKey.set(key, { email, key });
  }
  return [...byKey.values()];
}

/** As {@link namedEmails}, in pieces for one round each. */
export const namedChunks = (emails: readonly string[], watch: Watch = unwatched): Generator<readonly NamedEmail[]> =>
  chunked(namedEmails(emails), watch);

/** An item that a bulk call left alone, and why. */
export interface Skipped {
  email: string;
  /** English. */
  reason: string;
  /** Key and parameters of the reason, where it is one of our texts. */
  code?: string;
  params?: Refusal['params'];
  /** Every refused field, where the item itself could not be read. */
  issues?: ValidationIssue[];
}
