import { sql, type RawBuilder } from 'kysely';
import { asList } from '../storage/client-row.ts';
import type { Db } from '../../../store/schema.ts';
import type { PagePlan } from './page-query.ts';
import { eachNumber, textsIn } from '../../../store/dialect/each-json.ts';
import { readIds } from '../../../store/dialect/id-list.ts';
import { spelled } from '../../../store/dialect/spelled.ts';
import { isMarked } from '../../../store/dialect/is-marked.ts';

export interface PageIds {
  /** Number of matching clients, on all pages. */
  filtered: number;
  /** Record ids of this page, in order. */
  ids: number[];
}

/** Up to this many hits are collected and sorted once; more are counted separately from finding the page. */
const FEW = 2_000;

/** The plan's clients as a condition on an id: one byte each up to the largest id, looked up in 50 ns. */
function isAmong(id: RawBuilder<number>, among: Uint32Array): RawBuilder<boolean> {
  const marks = new Uint8Array(among.at(-1) ?? 0);
  for (const one of among) marks[one - 1] = 1;
  return isMarked(marks, id);
}

/** The source of matching clients, as `state`, with their conditions. */
function matching({ among, where }: PagePlan): RawBuilder<unknown> {
  const condition = where ?? sql<boolean>`true`;
  if (among === null) return sql`clientStates AS state WHERE ${condition}`;
  if (among.length > FEW)
    return sql`clientStates AS state WHERE ${isAmong(sql`state.clientId`, among)} AND ${condition}`;
  return sql`${eachNumber(asList([...among]))} AS wanted
    CROSS JOIN clientStates AS state ON state.clientId = wanted.value WHERE ${condition}`;
}

/** Up to `limit` matching clients in any order. */
export const hits = (plan: PagePlan, limit: number): RawBuilder<{ id: number }> =>
  sql`SELECT state.clientId AS id FROM ${matching(plan)} LIMIT ${limit}`;

/** Number of matching clients. Not counted over their ids: building a row for each takes half as long as the tests. */
export const countHits = (plan: PagePlan): RawBuilder<{ filtered: number }> => {
  const counted = sql<{ filtered: number }>`SELECT count(*) AS filtered FROM ${matching(plan)}`;
  const { among, where, countsOthers } = plan;
  if (among !== null || where === null || !countsOthers) return counted;
  return spelled(
    counted,
    sql`SELECT (SELECT clients FROM clientCount) - count(*) AS filtered FROM clientStates AS state WHERE NOT (${where})`,
  );
};

export interface Slice {
  offset: number;
  /** -1 = all rows. */
  limit: number;
  /** Counted from the other end, if that is nearer. */
  isReversed: boolean;
}

/** A slice of `total` rows, from the nearer end. */
export function sliceOf(offset: number, limit: number, total: number): Slice {
  const isReversed = offset > total / 2;
  if (!isReversed) return { offset, limit, isReversed };
  return {
    offset: Math.max(0, total - offset - limit),
    limit: Math.max(0, Math.min(limit, total - offset)),
    isReversed,
  };
}

/** One page in order. With `ids`, only among these, whatever the plan matches. */
export function orderedPage(plan: PagePlan, slice: Slice, ids: readonly number[] | null): RawBuilder<{ id: number }> {
  const { among, where, sortKey, sortsBy, descending, isOfMany } = plan;
  const forward = slice.isReversed ? sql`DESC` : sql`ASC`;
  const direction = (sortKey !== null && descending) === slice.isReversed ? sql`ASC` : sql`DESC`;
  const key = sortKey === null ? sql`` : sql`${sortKey} ${direction}, `;
  // Walking an index backwards also reverses the ids of equal keys.
  const tie = isOfMany ? spelled(forward, direction) : forward;
  const sortsByRecord = sortKey !== null && sortsBy === 'client';
  // If the record determines the order it is the outer table, so that its index can be used.
  const isByRecord = sortsByRecord && ids === null && where === null;
  const id = isByRecord ? sql<number>`client.id` : sql<number>`state.clientId`;
  const conditions: RawBuilder<boolean>[] = [];
  if (ids === null && among !== null) conditions.push(isAmong(id, among));
  if (ids === null && where !== null) conditions.push(where);
  const isWhole = slice.limit === -1;
  const from = isByRecord
    ? sql`clients AS client`
    : sql`${ids === null ? sql`` : sql`${eachNumber(asList(ids))} AS wanted CROSS JOIN`} clientStates AS state
      ${ids === null ? sql`` : sql`ON state.clientId = wanted.value`}
      ${sortsByRecord ? sql`CROSS JOIN clients AS client ON client.id = state.clientId` : sql``}`;
  return sql`SELECT ${id} AS id FROM ${from}
    ${conditions.length === 0 ? sql`` : sql`WHERE ${sql.join(conditions, sql` AND `)}`}
    ORDER BY ${key}${id} ${tie} ${isWhole ? sql`` : sql`LIMIT ${slice.limit} OFFSET ${slice.offset}`}`;
}

async function readPage(db: Db, plan: PagePlan, slice: Slice, ids: readonly number[] | null): Promise<number[]> {
  const { rows } = await orderedPage(plan, slice, ids).execute(db);
  const found = rows.map(({ id }) => id);
  return slice.isReversed ? found.toReversed() : found;
}

/** A page of all clients: no search is needed, and the count is known. */
export async function readWholePage(
  db: Db,
  plan: PagePlan,
  offset: number,
  limit: number,
  total: number,
): Promise<PageIds> {
  return { filtered: total, ids: await readPage(db, plan, sliceOf(offset, limit, total), null) };
}

/** Count and page of matching clients. For the thread of long reads. */
export async function readMatchingPage(db: Db, plan: PagePlan, offset: number, limit: number): Promise<PageIds> {
  const few = await fewHits(db, plan);
  if (few !== null)
    return { filtered: few.length, ids: await readPage(db, plan, sliceOf(offset, limit, few.length), few) };
  const filtered = await countMatching(db, plan);
  return { filtered, ids: await readPage(db, plan, sliceOf(offset, limit, filtered), null) };
}

/** All matches; null when there are more than a few. */
async function fewHits(db: Db, plan: PagePlan): Promise<number[] | null> {
  const { among, where } = plan;
  if (among !== null && where === null) return among.length > FEW ? null : [...among];
  const ids = await readIds(db, hits(plan, FEW + 1));
  return ids.length > FEW ? null : [...ids];
}

async function countMatching(db: Db, plan: PagePlan): Promise<number> {
  if (plan.among !== null && plan.where === null) return plan.among.length;
  return (await countHits(plan).execute(db)).rows[0]!.filtered;
}

/** Ids of all matches in order. For the thread of long reads. */
export const readOrder = (db: Db, plan: PagePlan): Promise<Uint32Array> =>
  readIds(db, orderedPage(plan, { offset: 0, limit: -1, isReversed: false }, null));

/** Number of all clients. Counts the narrow table, whose pages are few. */
export const countClients = spelled<{ total: number }>(
  sql`SELECT count(*) AS total FROM clientStates`,
  sql`SELECT clients AS total FROM clientCount`,
);

/** Attachments of each of these clients as a JSON array, ascending. */
export async function inboundIdsOf(db: Db, clientIds: readonly number[]): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ clientId: number; inboundIds: string }>`
    SELECT link.clientId, json_group_array(link.inboundId ORDER BY link.inboundId) AS inboundIds
    FROM ${eachNumber(asList(clientIds))} AS wanted
    CROSS JOIN clientInbounds AS link ON link.clientId = wanted.value
    GROUP BY link.clientId`.execute(db);
  return new Map(rows.map(({ clientId, inboundIds }) => [clientId, JSON.parse(inboundIds) as number[]]));
}

/** Inbounds of these protocols; null when that is all inbounds. */
export async function inboundIdsByProtocol(db: Db, protocols: readonly string[]): Promise<number[] | null> {
  const { rows } = await sql<{ id: number; isOther: 0 | 1 }>`
    SELECT id, protocol NOT IN ${textsIn(asList(protocols))} AS isOther FROM inbounds`.execute(db);
  return rows.every(({ isOther }) => isOther === 0) ? null : rows.flatMap(({ id, isOther }) => (isOther ? [] : [id]));
}

/**
 * Stored group names and labels in use. Skips from label to label through the index instead of reading every client.
 */
export const groupLabels = sql<{ name: string }>`
  WITH RECURSIVE label(name) AS (
    SELECT min(groupName) FROM clients WHERE groupName <> ''
    UNION ALL
    SELECT (SELECT min(groupName) FROM clients WHERE groupName > label.name AND groupName <> '')
    FROM label WHERE label.name IS NOT NULL
  )
  SELECT name FROM label WHERE name IS NOT NULL UNION SELECT name FROM clientGroups`;
