import type * as z from 'zod';
import type { Store } from '../../../store/open-store.ts';
import type { driftBoard } from './contract.ts';
import { isDifferent, type Reading, type ReadRow } from './reading.ts';
import { clientStatePage, countClients } from './repository-applied.ts';

/** Which rows are shown: of which kind, only differing ones or all, and the page. */
export type BoardQuery = z.output<(typeof driftBoard)['query']>;

/**
 * One page of the rows of a reading. Clients that agree are not in it: they are read from this panel's own rows, and
 * those that only the node has follow.
 * @param id of the node
 * @returns the rows, and how many there are on all pages
 */
export async function pageOf(
  store: Pick<Store, 'reader' | 'heavyReader'>,
  id: number,
  { inbounds, clients }: Reading,
  { kind, differs, page, pageSize }: BoardQuery,
): Promise<{ total: number; rows: ReadRow[] }> {
  const from = (page - 1) * pageSize;
  if (kind === 'client' && differs === 'false') {
    const known = new Map(clients.map((row) => [row.id, row]));
    const states = await clientStatePage(store.heavyReader, id, { limit: pageSize, offset: from });
    const rows = states.map(({ clientId, email, emailKey, isWaiting }): ReadRow => {
      const same = {
        kind: 'client',
        key: emailKey,
        name: email,
        id: clientId,
        state: 'same',
        isLeft: false,
      } as const;
      return known.get(clientId) ?? { ...same, isWaiting, want: {}, applied: null, has: {}, differ: [], seenOn: [] };
    });
    const held = await countClients(store.reader, id);
    const others = clients.filter(({ state }) => state === 'onlyThere');
    rows.push(...others.slice(Math.max(0, from - held), Math.max(0, from + pageSize - held)));
    return { total: held + others.length, rows };
  }
  const all = kind === 'client' ? clients : differs === 'true' ? inbounds.filter(isDifferent) : inbounds;
  return { total: all.length, rows: all.slice(from, from + pageSize) };
}
