import type { Store } from '../../../store/open-store.ts';
import { foldText } from '../../../store/fold-text.ts';
import type { ClientPage, ClientPageQuery } from './contract.ts';
import { momentOf, type Moment, type NearLimits } from './near-limits.ts';
import type { ClientSearch } from './search/client-search.ts';
import type { Orderings } from './orderings.ts';
import { planPage, type PagePlan } from './page-query.ts';
import { presentSlimRow } from '../present.ts';
import {
  countClients,
  groupLabels,
  inboundIdsByProtocol,
  inboundIdsOf,
  readMatchingPage,
  readWholePage,
  type PageIds,
} from './repository-page.ts';
import { clientsByIds } from '../storage/repository-read.ts';
import { searchTerm } from './search/search-key.ts';
import { presentSummary, type Summary } from './summary.ts';

export interface PagedListDeps {
  store: Store;
  summary: Summary;
  search: ClientSearch;
  orderings: Orderings;
  nearLimits: () => NearLimits | Promise<NearLimits>;
  clock: () => number;
}

/**
 * The paged list. All clients by id or e-mail come straight from an index on this thread's connection, results of a
 * search alone from memory; anything that may scan all clients (buckets, ranges, other sorts) runs in the thread for
 * long reads and returns only a count and the ids of one page. Pages in the second half are found from the end.
 */
export function createPagedList({ store, summary, search, orderings, nearLimits, clock }: PagedListDeps) {
  async function pageOf(query: ClientPageQuery, plan: PagePlan, total: number, moment: Moment): Promise<PageIds> {
    const { pageSize } = query;
    const offset = (query.page - 1) * pageSize;
    const term = searchTerm(query.search);
    const isEverybody = plan.where === null && term === '';
    const isById = plan.where === null && plan.sortKey === null;
    if (isEverybody && (isById || query.sort === 'email'))
      return readWholePage(store.reader, plan, offset, pageSize, total);
    if (isById) {
      const ids = await search.idsWith(term);
      return { filtered: ids.length, ids: [...ids.subarray(offset, offset + pageSize)] };
    }
    const planNow = async (): Promise<PagePlan> =>
      term === '' ? plan : { ...plan, among: await search.idsWith(term) };
    const { nowMs, nearUntilMs, nearBytes, nearPercent } = moment;
    const key = JSON.stringify([{ ...query, page: 0, pageSize: 0 }, nearUntilMs - nowMs, nearBytes, nearPercent]);
    const readPage = async (): Promise<PageIds> =>
      isEverybody
        ? readWholePage(store.heavyReader, plan, offset, pageSize, total)
        : readMatchingPage(store.heavyReader, await planNow(), offset, pageSize);
    // Few clients are online, and the set changes with every reading.
    if (query.filter.includes('online')) return readPage();
    return orderings.page({ key, planNow, offset, limit: pageSize, nowMs }, readPage);
  }

  return async (given: ClientPageQuery): Promise<ClientPage> => {
    const groups = sortedWithoutCase((await groupLabels.execute(store.reader)).rows.map(({ name }) => name));
    const query = { ...given, group: namedGroups(given.group, groups) };
    const moment = momentOf(await nearLimits(), clock());
    const lists = await summary.listsAt(moment);
    const total = (await countClients.execute(store.reader)).rows[0]!.total;
    const plan = planPage({
      query,
      moment,
      onlineIds: query.filter.includes('online') ? lists.online.ids : [],
      inboundIds: query.protocol.length === 0 ? null : await inboundIdsByProtocol(store.reader, query.protocol),
      total,
    });
    const { filtered, ids } = await pageOf(query, plan, total, moment);
    const rows = new Map((await clientsByIds(store.reader, ids)).map((row) => [row.id, row]));
    const inboundIds = await inboundIdsOf(store.reader, ids);
    return {
      items: ids.flatMap((id) => {
        const row = rows.get(id);
        return row === undefined ? [] : [presentSlimRow(row, inboundIds.get(id) ?? [])];
      }),
      total,
      filtered,
      page: query.page,
      pageSize: query.pageSize,
      summary: presentSummary(lists, total),
      groups,
    };
  };
}

/** Only the group whose name the whole text is, if there is one: a name can contain commas. */
function namedGroups(given: ClientPageQuery['group'], groups: readonly string[]): string[] {
  const [whole] = given;
  return whole !== undefined && groups.includes(whole) ? [whole] : given;
}

/** Names in natural order; names that differ only by case keep a fixed order. */
export function sortedWithoutCase(names: readonly string[]): string[] {
  return names
    .map((name) => ({ name, key: foldText(name) }))
    .sort((a, b) => compare(a.key, b.key) || compare(a.name, b.name))
    .map(({ name }) => name);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
