import { DomainError } from '../../../contract/domain-error.ts';
import type { JsonObject } from '../../../contract/json.ts';
import type { RefusedOutbounds } from '../../../core/probe/refused-outbounds.ts';
import type { GuardedDialer } from '../../../net/guarded-dialer.ts';
import type { LeftOutEntry } from '../contract.ts';
import { fetchList, FetchFailure } from './fetch-list.ts';
import type { Entry, ParsedBody } from './parse-body.ts';
import { parseInThread } from './parse-in-thread.ts';

export interface ReadListDeps {
  dialer: Pick<GuardedDialer, 'fetch'>;
  refusedOutbounds: RefusedOutbounds;
  /** Parses a response; in a separate thread by default. */
  parse?: (body: Uint8Array) => Promise<ParsedBody>;
}

/** A provider's list, and the entries that cannot run. */
export interface ReadList {
  entries: readonly Entry[];
  /** Why the core refuses an entry, by its position. */
  refused: ReadonlyMap<number, string>;
  /** Entries that are unusable altogether. */
  unreadable: readonly LeftOutEntry[];
}

/** Fetches, parses and tests a list; nothing is stored. @throws {FetchFailure} */
export async function readList(
  { dialer, refusedOutbounds, parse = parseInThread }: ReadListDeps,
  url: string,
  options: { allowPrivate: boolean; signal?: AbortSignal },
): Promise<ReadList> {
  const { entries, leftOut } = await parse(await fetchList(dialer, url, options));
  const outbounds = entries.map(({ outbound }) => outbound);
  try {
    return { entries, unreadable: leftOut, refused: await refusedOutbounds(outbounds, options.signal) };
  } catch (error) {
    // The core did not finish testing them.
    if (!(error instanceof DomainError)) throw error;
    throw new FetchFailure(String(error.params['text']), { cause: error });
  }
}

/** The usable entries, under their tags, and those that the core refuses. */
export function taggedEntries(
  { entries, refused }: ReadList,
  tags: readonly string[],
): { outbounds: JsonObject[]; refused: LeftOutEntry[] } {
  const outbounds: JsonObject[] = [];
  const left: LeftOutEntry[] = [];
  for (const [index, { outbound }] of entries.entries()) {
    const tag = tags[index]!;
    const reason = refused.get(index);
    if (reason === undefined) outbounds.push({ tag, ...outbound });
    else left.push({ tag, reason });
  }
  return { outbounds, refused: left };
}
