import type { Store } from '../../store/open-store.ts';
import { foldText } from '../../store/fold-text.ts';
import type { ClientPage, ClientPageQuery } from './contract.ts';
import { momentOf, type Moment, type NearLimits } from './near-limits.ts';
import type { Orderings } from './orderings.ts';
import { planPage, type PagePlan } from './page-query.ts';
import { presentSlimRow } from './present.ts';
import {
  countClients,
  groupLabels,
  inboundIdsByProtocol,
  inboundIdsOf,
  readMatchingPage,
  readWholePage,
  type PageIds,
} from './repository-page.ts';
import { clientsByIds } from './repository-read.ts';
import { presentSummary, type Summary } from './summary.ts';

export interface PagedListDeps {
  store: Store;
  summary: Summary;
  orderings: Orderings;
  nearLimits: () => NearLimits | Promise<NearLimits>;
  clock: () => number;
}

/**
 * The paged list. All clients by id or e-mail come straight from an index on the connection of this thread; anything that
 * may have to look at every client (buckets, ranges, short searches, other sorts) runs in the thread for long reads and
 * returns only a count and the ids of one page. Pages behind the middle are walked to from the end.
 */
export function createPagedList({ store, summary, orderings, nearLimits, clock }: PagedListDeps) {
  async function pageOf(query: ClientPageQuery, plan: PagePlan, total: number, moment: Moment): Promise<PageIds> {
    const offset = (query.page - 1) * query.pageSize;
    const isFound = plan.where !== null || plan.term !== '';
    if (!isFound && (plan.sortKey === null || query.sort === 'email'))
      return readWholePage(store.reader, plan, offset, query.pageSize, total);
    const { nowMs, nearUntilMs, nearBytes } = moment;
    const key = JSON.stringify([{ ...query, page: 0, pageSize: 0 }, nearUntilMs - nowMs, nearBytes]);
    const readPage = (): Promise<PageIds> =>
      isFound
        ? readMatchingPage(store.heavyReader, plan, offset, query.pageSize)
        : readWholePage(store.heavyReader, plan, offset, query.pageSize, total);
    // Few are online, and who is changes with every reading.
    if (query.filter.includes('online')) return readPage();
    return orderings.page({ key, plan, offset, limit: query.pageSize, nowMs }, readPage);
  }

  return async (query: ClientPageQuery): Promise<ClientPage> => {
    const moment = momentOf(await nearLimits(), clock());
    const lists = await summary.listsAt(moment);
    const plan = planPage({
      query,
      moment,
      onlineIds: query.filter.includes('online') ? lists.online.clientIds : [],
      inboundIds: query.protocol.length === 0 ? null : await inboundIdsByProtocol(store.reader, query.protocol),
    });
    const total = (await countClients.execute(store.reader)).rows[0]!.total;
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
      groups: sortedWithoutCase((await groupLabels.execute(store.reader)).rows.map(({ name }) => name)),
    };
  };
}

/** Names in the order people expect; names that differ only by case keep a fixed order. */
export function sortedWithoutCase(names: readonly string[]): string[] {
  return names
    .map((name) => ({ name, key: foldText(name) }))
    .sort((a, b) => compare(a.key, b.key) || compare(a.name, b.name))
    .map(({ name }) => name);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
