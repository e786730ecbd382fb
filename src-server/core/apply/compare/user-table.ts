import type { JsonObject } from '../../config/source.ts';
import { entryKey } from './content-key.ts';

/** Marks a user whose running state is not known to be right: differs from every entry. */
const UNKNOWN = Number.NaN;

/**
 * The users of one running inbound: e-mail → a hash of their entry. E-mails are keyed case-insensitively, as most of
 * the core does, but removed under the spelling they run with.
 */
export class UserTable {
  /** By the e-mail in lower case. */
  readonly #keys = new Map<string, number>();
  /** Spellings that are not all lower case. */
  readonly #spellings = new Map<string, string>();
  readonly #reverse = new Set<string>();

  get size(): number {
    return this.#keys.size;
  }

  /** Whether any user has a vless reverse proxy; such an inbound is changed by a restart only. */
  get hasReverse(): boolean {
    return this.#reverse.size > 0;
  }

  /** False when the e-mail is missing or duplicate: then users cannot be told apart. */
  add(entry: JsonObject): boolean {
    const email = emailOf(entry);
    if (email === '' || this.has(email)) return false;
    this.set(entry);
    return true;
  }

  set(entry: JsonObject): void {
    const email = emailOf(entry);
    const folded = email.toLowerCase();
    this.#keys.set(folded, entryKey(entry));
    if (email === folded) this.#spellings.delete(folded);
    else this.#spellings.set(folded, email);
    if (hasReverse(entry)) this.#reverse.add(folded);
    else this.#reverse.delete(folded);
  }

  delete(email: string): void {
    const folded = email.toLowerCase();
    this.#keys.delete(folded);
    this.#spellings.delete(folded);
    this.#reverse.delete(folded);
  }

  /** After a failed call: the next comparison will find a difference. */
  markUnknown(email: string): void {
    const folded = email.toLowerCase();
    if (!this.#keys.has(folded) && email !== folded) this.#spellings.set(folded, email);
    this.#keys.set(folded, UNKNOWN);
  }

  has(email: string): boolean {
    return this.#keys.has(email.toLowerCase());
  }

  /** The spelling the user runs under; the given one when it does not run. */
  spelling(email: string): string {
    const folded = email.toLowerCase();
    return this.#keys.has(folded) ? (this.#spellings.get(folded) ?? folded) : email;
  }

  isSame(entry: JsonObject): boolean {
    return this.#keys.get(emailOf(entry).toLowerCase()) === entryKey(entry);
  }

  /** As they are spelled in the core. Must not be changed meanwhile. */
  *emails(): Generator<string> {
    for (const folded of this.#keys.keys()) yield this.#spellings.get(folded) ?? folded;
  }
}

export function emailOf(entry: JsonObject): string {
  return typeof entry.email === 'string' ? entry.email : '';
}

export function hasReverse(entry: JsonObject): boolean {
  return typeof entry.reverse === 'object' && entry.reverse !== null;
}
