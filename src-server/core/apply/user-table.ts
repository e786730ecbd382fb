import type { JsonObject } from '../config/source.ts';
import { entryKey } from './content-key.ts';

/** Stands for "whatever runs, it is not known to be right": differs from every entry. */
const UNKNOWN = Number.NaN;
const FREE = -1;
/** Twice as many places as rows at least; a power of two, so that a hash is cut to a place by its lower bits. */
const FEWEST_PLACES = 16;

/**
 * The users of one running inbound: e-mail → what their entry looks like, as a number. E-mails are keyed case-insensitively,
 * as most of the core does, but removed under the spelling they run with.
 *
 * Columns and a table of places instead of maps: 100,000 clients on three inbounds each are 300,000 users, and a map takes
 * four times as much for each.
 */
export class UserTable {
  /** As they are spelled in the core, in no order. */
  readonly #emails: string[] = [];
  /** Number of the entry of each e-mail. */
  #keys = new Float64Array(FEWEST_PLACES / 2);
  /** Row of an e-mail: at the place its hash says, or at the next one that was free. */
  #places = new Int32Array(FEWEST_PLACES).fill(FREE);
  readonly #reverse = new Set<string>();

  get size(): number {
    return this.#emails.length;
  }

  /** Whether any user has a vless reverse proxy; such an inbound is changed by a restart only. */
  get hasReverse(): boolean {
    return this.#reverse.size > 0;
  }

  /** False when the e-mail is missing or taken by another entry: then users cannot be told apart. */
  add(entry: JsonObject): boolean {
    const email = emailOf(entry);
    if (email === '' || this.has(email)) return false;
    this.set(entry);
    return true;
  }

  set(entry: JsonObject): void {
    const email = emailOf(entry);
    const folded = email.toLowerCase();
    const row = this.#rowFor(email, folded);
    this.#emails[row] = email;
    this.#keys[row] = entryKey(entry);
    if (hasReverse(entry)) this.#reverse.add(folded);
    else this.#reverse.delete(folded);
  }

  delete(email: string): void {
    const folded = email.toLowerCase();
    const place = this.#placeOf(folded);
    const row = this.#places[place]!;
    if (row === FREE) return;
    this.#vacate(place);
    this.#reverse.delete(folded);
    const last = this.#emails.pop()!;
    if (row === this.#emails.length) return;
    // The last row takes the place of the one that went.
    this.#places[this.#placeOf(last.toLowerCase(), this.#emails.length)] = row;
    this.#emails[row] = last;
    this.#keys[row] = this.#keys[this.#emails.length]!;
  }

  /** After a failed call: the next comparison will find a difference. */
  markUnknown(email: string): void {
    this.#keys[this.#rowFor(email, email.toLowerCase())] = UNKNOWN;
  }

  has(email: string): boolean {
    return this.#places[this.#placeOf(email.toLowerCase())] !== FREE;
  }

  /** The spelling the user runs under; the given one when it does not run. */
  spelling(email: string): string {
    return this.#emails[this.#places[this.#placeOf(email.toLowerCase())]!] ?? email;
  }

  isSame(entry: JsonObject): boolean {
    const row = this.#places[this.#placeOf(emailOf(entry).toLowerCase())]!;
    return row !== FREE && this.#keys[row] === entryKey(entry);
  }

  /** As they are spelled in the core. Not to be changed meanwhile. */
  emails(): IterableIterator<string> {
    return this.#emails.values();
  }

  /** Where the e-mail's row is noted, or would be. @param row whose e-mail it is, when that is no longer in its column */
  #placeOf(folded: string, row = FREE): number {
    const mask = this.#places.length - 1;
    let place = hashOf(folded) & mask;
    for (let found = this.#places[place]!; found !== FREE; found = this.#places[place]!) {
      if (row === FREE ? this.#emails[found]!.toLowerCase() === folded : found === row) break;
      place = (place + 1) & mask;
    }
    return place;
  }

  /** Row of the e-mail, a new one when it has none. */
  #rowFor(email: string, folded: string): number {
    const place = this.#placeOf(folded);
    const known = this.#places[place]!;
    if (known !== FREE) return known;
    const row = this.#emails.push(email) - 1;
    this.#places[place] = row;
    if (row >= this.#keys.length) this.#grow();
    return row;
  }

  #grow(): void {
    const keys = new Float64Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
    this.#places = new Int32Array(keys.length * 2).fill(FREE);
    for (let row = 0; row < this.#emails.length; row += 1) this.#places[this.#freePlaceOf(row)] = row;
  }

  #freePlaceOf(row: number): number {
    const mask = this.#places.length - 1;
    let place = hashOf(this.#emails[row]!.toLowerCase()) & mask;
    while (this.#places[place] !== FREE) place = (place + 1) & mask;
    return place;
  }

  /** Frees a place, and moves up what stands behind it only because it was taken. */
  #vacate(place: number): void {
    const mask = this.#places.length - 1;
    this.#places[place] = FREE;
    for (let next = (place + 1) & mask; this.#places[next] !== FREE; next = (next + 1) & mask) {
      const row = this.#places[next]!;
      this.#places[next] = FREE;
      this.#places[this.#freePlaceOf(row)] = row;
    }
  }
}

export function emailOf(entry: JsonObject): string {
  return typeof entry.email === 'string' ? entry.email : '';
}

export function hasReverse(entry: JsonObject): boolean {
  return typeof entry.reverse === 'object' && entry.reverse !== null;
}

/** FNV-1a over the text's units, its upper half folded into the lower. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
