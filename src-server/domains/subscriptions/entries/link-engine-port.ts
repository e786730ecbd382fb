import type { JsonObject } from '../../../contract/json.ts';
import type { LibraryInbound } from '../library.ts';
import type { Subscriber } from '../repository.ts';

export type LinkFormat = 'raw' | 'json' | 'yaml';

/**
 * Where the names appear: `first` and `later` entries of a subscription, where usage is shown once, or `display` for
 * everything that is shown and shared, where it never is.
 */
export type NameUse = 'first' | 'later' | 'display';

/** An attachment of a client to an inbound. */
export interface EntryClient extends Subscriber {
  flowOverride: string;
  passwordOverride: string;
}

/** An entry in its format: text, or the members of a YAML proxy. */
export type Content = string | JsonObject;

/** The result for an entry: itself, and whether it refuses apps on other engines, or why the format has none. */
export type Piece = { name: string; content: Content; needsXray?: boolean } | { name: string; reason: string };

/** Writes the entries of one endpoint of an inbound in one format, for any number of clients. */
export interface EntryWriter {
  write(client: EntryClient, use: NameUse, nowMs: number): Piece;
}

/** Link functions that subscriptions need: entries, documents around them, and external links in other formats. */
export interface LinkEngine {
  /** Address that apps dial for an inbound. @param requestName host name of the request, the last choice */
  addressOf(inbound: LibraryInbound, requestName: string): string;
  /** One per applicable endpoint, in order. @param requestName host name of the request, the last choice for an address */
  writers(inbound: LibraryInbound, format: LinkFormat, requestName: string): readonly EntryWriter[];
  /** An external share link in this format. */
  foreign(link: string, owner: Subscriber, format: LinkFormat): Piece;
  /** Joins entries to a body, in order; at least one. */
  document(format: LinkFormat, contents: readonly Content[]): string;
}
