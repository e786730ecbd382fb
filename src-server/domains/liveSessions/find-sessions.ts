import type * as z from 'zod';
import { foldText } from '../../store/fold-text.ts';
import type { Db } from '../../store/schema.ts';
import type { listLiveSessions, LiveFilter } from './contract.ts';
import { attachedTo, seenAt } from './repository.ts';
import type { Speed } from './speeds.ts';

/** A client on a panel. */
export interface Presence {
  email: string;
  guid: string;
}
export type ListQuery = z.output<NonNullable<(typeof listLiveSessions)['query']>>;

/** Those that a filter asks for. @param inUseFromSec an address seen since then counts as in use */
export async function matching(
  reader: Db,
  online: readonly Presence[],
  { q, guid, inbound }: LiveFilter,
  inUseFromSec: number,
): Promise<Presence[]> {
  let left = online.filter((one) => guid === '' || one.guid === guid);
  if (inbound > 0) {
    const emails = left.map(({ email }) => email);
    const attached = await attachedTo(reader, emails, inbound);
    left = left.filter(({ email }) => attached.has(email));
  }
  const words = foldText(q.trim());
  if (words === '') return left;
  const isAddress = /^[\da-f]*[.:][\da-f.:]*$/.test(words);
  const seen = isAddress ? await seenAt(reader, words, inUseFromSec) : new Set<string>();
  return left.filter(({ email }) => {
    const key = foldText(email);
    return key.includes(words) || seen.has(key);
  });
}

/** In the order of a column, then by e-mail; the array itself is sorted. */
export function sorted(
  online: Presence[],
  { sort, order }: Pick<ListQuery, 'sort' | 'order'>,
  { sinceOf, speedOf }: { sinceOf: (one: Presence) => number; speedOf: (email: string) => Speed | null },
): Presence[] {
  const sign = order === 'descend' ? -1 : 1;
  const byName = (a: Presence, b: Presence): number => (a.email < b.email ? -1 : a.email > b.email ? 1 : 0);
  if (sort === 'email') return online.sort((a, b) => sign * byName(a, b));
  const valueOf = (one: Presence): number => (sort === 'since' ? sinceOf(one) : (speedOf(one.email)?.[sort] ?? -1));
  const values = new Map(online.map((one) => [one, valueOf(one)]));
  return online.sort((a, b) => sign * (values.get(a)! - values.get(b)!) || byName(a, b));
}
