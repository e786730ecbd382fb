import { sql, type RawBuilder } from 'kysely';
import { asList } from '../storage/client-row.ts';
import type { ClientPageQuery } from './contract.ts';
import type { Moment } from './near-limits.ts';
import { isDepleted, isEnabled, isExhausted, isExpired, isNear, END, REMAINING, USED, RENEWS } from './state-sql.ts';
import { numbersIn, textsIn } from '../../../store/dialect/each-json.ts';

/** Input of the page's statements. */
export interface PagePlan {
  /** Only these clients, ascending: the results of a search; null = no search. */
  among: Uint32Array | null;
  /** Further conditions over `state`; null = every client. */
  where: RawBuilder<boolean> | null;
  /** Whether non-matching clients can be found through indexes too: there are often fewer of them to count. */
  countsOthers: boolean;
  /** Sort key before the id, over `state` or `client`; null = id alone, ascending. */
  sortKey: RawBuilder<unknown> | null;
  sortsBy: 'state' | 'client';
  descending: boolean;
  /** Whether there are so many clients that PostgreSQL must read them in index order. */
  isOfMany: boolean;
}

/** Up to this many clients are sorted within milliseconds. */
const MANY = 20_000;

const STATE_KEYS: Readonly<Record<string, RawBuilder<unknown>>> = {
  enable: sql`state.enable`,
  inboundIds: sql`state.inboundCount`,
  traffic: USED,
  remaining: REMAINING,
  expiryTime: END,
  lastOnline: sql`state.lastOnlineAtMs`,
};
const CLIENT_KEYS: Readonly<Record<string, RawBuilder<unknown>>> = {
  email: sql`client.emailKey`,
  createdAt: sql`client.createdAtMs`,
  updatedAt: sql`client.updatedAtMs`,
};

export interface PlanInput {
  query: ClientPageQuery;
  moment: Moment;
  /** Enabled clients online now. */
  onlineIds: readonly number[];
  /** Inbounds of the protocols in the query; null = all inbounds. */
  inboundIds: readonly number[] | null;
  /** All clients that exist. */
  total: number;
}

/** Turns a query, except its search, into SQL. Buckets are alternatives; everything else is combined with AND. */
export function planPage({ query, moment, onlineIds, inboundIds, total }: PlanInput): PagePlan {
  const conditions: RawBuilder<boolean>[] = [];
  const buckets = bucketCondition(query.filter, moment, onlineIds);
  if (buckets !== null) conditions.push(buckets);
  if (query.protocol.length > 0)
    conditions.push(inboundIds === null ? sql`state.inboundCount > 0` : attachedTo(inboundIds));
  const indexed = (buckets === null ? 0 : 1) + (query.protocol.length > 0 && inboundIds === null ? 1 : 0);
  if (query.inbound.length > 0) conditions.push(attachedTo(query.inbound));
  conditions.push(...rangeConditions(query), ...recordConditions(query));
  const sortsBy = Object.hasOwn(CLIENT_KEYS, query.sort) ? 'client' : 'state';
  const keys = sortsBy === 'client' ? CLIENT_KEYS : STATE_KEYS;
  return {
    among: null,
    where: conditions.length === 0 ? null : sql`${sql.join(conditions, sql` AND `)}`,
    countsOthers: conditions.length === indexed && !query.filter.includes('online'),
    sortKey: Object.hasOwn(keys, query.sort) ? keys[query.sort]! : null,
    sortsBy,
    descending: query.order === 'descend',
    isOfMany: total > MANY,
  };
}

const attachedTo = (inboundIds: readonly number[]): RawBuilder<boolean> =>
  sql`state.clientId IN (SELECT link.clientId FROM clientInbounds AS link
    WHERE link.inboundId IN ${numbersIn(asList(inboundIds))})`;

function rangeConditions({
  expiryFrom,
  expiryTo,
  usageFrom,
  usageTo,
  autoRenew,
}: ClientPageQuery): RawBuilder<boolean>[] {
  const conditions: RawBuilder<boolean>[] = [];
  if (expiryFrom !== null || expiryTo !== null) conditions.push(sql`state.expiresAtMs > 0`);
  if (expiryFrom !== null) conditions.push(sql`state.expiresAtMs >= ${expiryFrom}`);
  if (expiryTo !== null) conditions.push(sql`state.expiresAtMs <= ${expiryTo}`);
  if (usageFrom !== null) conditions.push(sql`${USED} >= ${usageFrom}`);
  if (usageTo !== null) conditions.push(sql`${USED} <= ${usageTo}`);
  if (autoRenew !== null) conditions.push(autoRenew ? RENEWS : sql`NOT ${RENEWS}`);
  return conditions;
}

/** Columns of the wide table are matched through an index of it, by id. */
function recordConditions({ group, plan, hasTgId, hasComment }: ClientPageQuery): RawBuilder<boolean>[] {
  const conditions: RawBuilder<boolean>[] = [];
  if (group.length > 0)
    conditions.push(sql`state.clientId IN (SELECT id FROM clients
      WHERE groupName IN ${textsIn(asList(group))} AND groupName <> '')`);
  if (plan.length > 0)
    conditions.push(sql`state.clientId IN (SELECT id FROM clients
      WHERE planId IN ${numbersIn(asList(plan))} AND planId > 0)`);
  const has = (isWanted: boolean | null, condition: string): void => {
    if (isWanted === null) return;
    const ids = sql.raw(`(SELECT id FROM clients WHERE ${condition})`);
    conditions.push(isWanted ? sql`state.clientId IN ${ids}` : sql`state.clientId NOT IN ${ids}`);
  };
  has(hasTgId, 'tgId > 0');
  has(hasComment, "comment <> ''");
  return conditions;
}

/** Null when nothing is filtered: no bucket, or an unknown one, so that an outdated saved filter empties no table. */
function bucketCondition(
  names: readonly string[],
  moment: Moment,
  onlineIds: readonly number[],
): RawBuilder<boolean> | null {
  const buckets: Readonly<Record<string, () => RawBuilder<boolean>>> = {
    active: () => sql`(${isEnabled} AND NOT ${isDepleted(moment)})`,
    deactive: () => sql`NOT (${isEnabled})`,
    disabled: () => sql`(NOT (${isEnabled}) AND NOT ${isDepleted(moment)})`,
    depleted: () => isDepleted(moment),
    exhausted: () => isExhausted(moment),
    expired: () => isExpired(moment),
    expiring: () => sql`(${isEnabled} AND NOT ${isDepleted(moment)} AND ${isNear(moment)})`,
    online: () => sql`(${isEnabled} AND state.clientId IN ${numbersIn(asList(onlineIds))})`,
  };
  if (names.length === 0 || names.some((name) => !Object.hasOwn(buckets, name))) return null;
  return sql`(${sql.join(
    [...new Set(names)].map((name) => buckets[name]!()),
    sql` OR `,
  )})`;
}
