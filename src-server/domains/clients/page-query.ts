import { sql, type RawBuilder } from 'kysely';
import { asList } from './client-row.ts';
import type { ClientPageQuery } from './contract.ts';
import type { Moment } from './near-limits.ts';
import { searchTerm } from './search-key.ts';
import { isDepleted, isEnabled, isNear } from './state-sql.ts';

/** What the page's statement is made of. */
export interface PagePlan {
  /** Conditions over `state`, and `client` when it is joined; null = every client. */
  where: RawBuilder<boolean> | null;
  /** What rows are ordered by before their id; null = id alone, ascending. */
  sortKey: RawBuilder<unknown> | null;
  descending: boolean;
  joinsClients: boolean;
}

/** No limit sorts after every limit. */
const UNLIMITED = sql.raw(String(Number.MAX_SAFE_INTEGER));

const SORT_KEYS: Readonly<Record<string, RawBuilder<unknown>>> = {
  enable: sql`state.enable`,
  email: sql`client.emailKey`,
  inboundIds: sql`(SELECT count(*) FROM clientInbounds AS link WHERE link.clientId = state.clientId)`,
  traffic: sql`(state.upBytes + state.downBytes)`,
  remaining: sql`CASE WHEN state.quotaBytes > 0 THEN state.quotaBytes - (state.upBytes + state.downBytes) ELSE ${UNLIMITED} END`,
  expiryTime: sql`CASE WHEN state.expiresAtMs > 0 THEN state.expiresAtMs ELSE ${UNLIMITED} END`,
};

export interface PlanInput {
  query: ClientPageQuery;
  moment: Moment;
  /** Enabled clients online now. */
  onlineIds: readonly number[];
  /** Inbounds of the protocols in the query. */
  inboundIds: readonly number[];
}

/** Turns a query into SQL. Buckets are alternatives of each other; everything else is required together. */
export function planPage({ query, moment, onlineIds, inboundIds }: PlanInput): PagePlan {
  const conditions: RawBuilder<boolean>[] = [];
  const term = searchTerm(query.search);
  if (term !== '') conditions.push(sql`instr(client.searchKey, ${term}) > 0`);
  const buckets = bucketCondition(query.filter, moment, onlineIds);
  if (buckets !== null) conditions.push(buckets);
  if (query.protocol.length > 0)
    conditions.push(sql`state.clientId IN (SELECT link.clientId FROM clientInbounds AS link
      WHERE link.inboundId IN (SELECT value FROM json_each(${asList(inboundIds)})))`);
  return {
    where: conditions.length === 0 ? null : sql`${sql.join(conditions, sql` AND `)}`,
    sortKey: Object.hasOwn(SORT_KEYS, query.sort) ? SORT_KEYS[query.sort]! : null,
    descending: query.order === 'descend',
    joinsClients: term !== '' || query.sort === 'email',
  };
}

/** Null when nothing is filtered: no bucket named, or an unknown one, so that a stale saved filter empties no table. */
function bucketCondition(
  names: readonly string[],
  moment: Moment,
  onlineIds: readonly number[],
): RawBuilder<boolean> | null {
  const buckets: Readonly<Record<string, () => RawBuilder<boolean>>> = {
    active: () => sql`(${isEnabled} AND NOT ${isDepleted(moment)})`,
    deactive: () => sql`NOT (${isEnabled})`,
    depleted: () => isDepleted(moment),
    expiring: () => sql`(${isEnabled} AND NOT ${isDepleted(moment)} AND ${isNear(moment)})`,
    online: () => sql`(${isEnabled} AND state.clientId IN (SELECT value FROM json_each(${asList(onlineIds)})))`,
  };
  if (names.length === 0 || names.some((name) => !Object.hasOwn(buckets, name))) return null;
  return sql`(${sql.join(
    [...new Set(names)].map((name) => buckets[name]!()),
    sql` OR `,
  )})`;
}
