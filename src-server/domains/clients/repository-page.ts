import { sql, type RawBuilder } from 'kysely';
import { asList, type Db } from './client-row.ts';
import type { PagePlan } from './page-query.ts';

export interface PageIds {
  /** Clients that match, on all pages. */
  filtered: number;
  /** Record ids of this page, in order. */
  ids: number[];
}

/** Hits up to this many are collected once and ordered by themselves; more are counted apart from finding the page. */
const FEW = 2_000;

/** Ids of a statement as one text: it crosses the threads at once, not as one object per client. */
async function idsFrom(db: Db, statement: RawBuilder<{ id: number }>): Promise<number[]> {
  const { rows } = await sql<{ ids: string }>`SELECT json_group_array(id) AS ids FROM (${statement})`.execute(db);
  return JSON.parse(rows[0]!.ids) as number[];
}

/**
 * One look through the narrow index of search keys: some 8 ms for 100,000 clients, whatever is searched. An index of
 * trigrams finds rare terms in 1 ms but common ones in 17 ms, and more than doubles the cost of every new client.
 */
function containsTerm(term: string): RawBuilder<boolean> {
  // GLOB leaps to a single character, which takes two thirds of the time; a longer term makes it stop too often.
  if (LONE_CHARACTER.test(term)) return sql`client.searchKey GLOB ${`*${term}*`}`;
  return sql`instr(client.searchKey, ${term}) > 0`;
}

/** Neither a sign of patterns nor a control character, at which GLOB would take the pattern to end. */
const LONE_CHARACTER = /^[^*?[\p{C}]$/u;

/** Where matching clients are looked for, and what makes them match. */
function matching({ term, where }: PagePlan): { id: RawBuilder<number>; from: RawBuilder<unknown> } {
  if (term === '') return { id: sql`state.clientId`, from: sql`clientStates AS state WHERE ${where ?? sql`1`}` };
  const ofState = where === null ? sql`` : sql`CROSS JOIN clientStates AS state ON state.clientId = client.id`;
  return {
    id: sql`client.id`,
    from: sql`clients AS client INDEXED BY clientsBySearch ${ofState}
      WHERE ${containsTerm(term)} ${where === null ? sql`` : sql`AND ${where}`}`,
  };
}

/** Up to `limit` matching clients in no order. */
export function hits(plan: PagePlan, limit: number): RawBuilder<{ id: number }> {
  const { id, from } = matching(plan);
  return sql`SELECT ${id} AS id FROM ${from} LIMIT ${limit}`;
}

/** How many clients match. Not counted over their ids: making a row of each takes as long as half the tests. */
export const countHits = (plan: PagePlan): RawBuilder<{ filtered: number }> =>
  sql`SELECT count(*) AS filtered FROM ${matching(plan).from}`;

export interface Slice {
  offset: number;
  limit: number;
  /** From the other end: the nearer one is walked to. */
  isReversed: boolean;
}

/** `total` rows, seen from the end that is nearer. */
export function sliceOf(offset: number, limit: number, total: number): Slice {
  const isReversed = offset > total / 2;
  if (!isReversed) return { offset, limit, isReversed };
  return {
    offset: Math.max(0, total - offset - limit),
    limit: Math.max(0, Math.min(limit, total - offset)),
    isReversed,
  };
}

/** One page in order. `ids` = only among these. */
export function orderedPage(plan: PagePlan, slice: Slice, ids: readonly number[] | null): RawBuilder<{ id: number }> {
  const { term, where, sortKey, sortsBy, descending } = plan;
  const searches = ids === null && term !== '';
  const joinsClients = searches || (sortKey !== null && sortsBy === 'client');
  const conditions = [...(searches ? [containsTerm(term)] : []), ...(ids === null && where !== null ? [where] : [])];
  const key = sortKey === null ? sql`` : sql`${sortKey} ${descending === slice.isReversed ? sql`ASC` : sql`DESC`}, `;
  // The record is the outer table where it gives the order, so that an index of it can.
  const isByClient = ids === null && where === null && term === '' && sortsBy === 'client' && sortKey !== null;
  const from = isByClient
    ? sql`clients AS client`
    : sql`${ids === null ? sql`` : sql`json_each(${asList(ids)}) AS wanted CROSS JOIN`} clientStates AS state
      ${ids === null ? sql`` : sql`ON state.clientId = wanted.value`}
      ${joinsClients ? sql`CROSS JOIN clients AS client ON client.id = state.clientId` : sql``}`;
  const id = isByClient ? sql`client.id` : sql`state.clientId`;
  return sql`SELECT ${id} AS id FROM ${from}
    ${conditions.length === 0 ? sql`` : sql`WHERE ${sql.join(conditions, sql` AND `)}`}
    ORDER BY ${key}${id} ${slice.isReversed ? sql`DESC` : sql`ASC`} LIMIT ${slice.limit} OFFSET ${slice.offset}`;
}

async function readPage(db: Db, plan: PagePlan, slice: Slice, ids: readonly number[] | null): Promise<number[]> {
  const { rows } = await orderedPage(plan, slice, ids).execute(db);
  const found = rows.map(({ id }) => id);
  return slice.isReversed ? found.toReversed() : found;
}

/** A page of all clients: nothing has to be found, and the count is known. */
export async function readWholePage(
  db: Db,
  plan: PagePlan,
  offset: number,
  limit: number,
  total: number,
): Promise<PageIds> {
  return { filtered: total, ids: await readPage(db, plan, sliceOf(offset, limit, total), null) };
}

/** Count and page of the clients that match. For the thread of long reads. */
export async function readMatchingPage(db: Db, plan: PagePlan, offset: number, limit: number): Promise<PageIds> {
  const few = await idsFrom(db, hits(plan, FEW + 1));
  if (few.length <= FEW)
    return { filtered: few.length, ids: await readPage(db, plan, sliceOf(offset, limit, few.length), few) };
  const { rows } = await countHits(plan).execute(db);
  const { filtered } = rows[0]!;
  return { filtered, ids: await readPage(db, plan, sliceOf(offset, limit, filtered), null) };
}

/** Ids of all matches in order. For the thread of long reads. */
export async function readOrder(db: Db, plan: PagePlan): Promise<Uint32Array> {
  return Uint32Array.from(await idsFrom(db, orderedPage(plan, { offset: 0, limit: -1, isReversed: false }, null)));
}

/** Every client there is. Counts the narrow table, whose pages are few. */
export const countClients = sql<{ total: number }>`SELECT count(*) AS total FROM clientStates`;

/** Attachments of each of these clients as a JSON array, ascending. */
export async function inboundIdsOf(db: Db, clientIds: readonly number[]): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ clientId: number; inboundIds: string }>`
    SELECT link.clientId, json_group_array(link.inboundId ORDER BY link.inboundId) AS inboundIds
    FROM json_each(${asList(clientIds)}) AS wanted
    CROSS JOIN clientInbounds AS link ON link.clientId = wanted.value
    GROUP BY link.clientId`.execute(db);
  return new Map(rows.map(({ clientId, inboundIds }) => [clientId, JSON.parse(inboundIds) as number[]]));
}

/** Inbounds of these protocols; null when those are all there are. */
export async function inboundIdsByProtocol(db: Db, protocols: readonly string[]): Promise<number[] | null> {
  const { rows } = await sql<{ id: number; isOther: 0 | 1 }>`
    SELECT id, protocol NOT IN (SELECT value FROM json_each(${asList(protocols)})) AS isOther FROM inbounds`.execute(
    db,
  );
  return rows.every(({ isOther }) => isOther === 0) ? null : rows.flatMap(({ id, isOther }) => (isOther ? [] : [id]));
}

/** Stored group names and labels in use. Steps from label to label through the index instead of reading every client. */
export const groupLabels = sql<{ name: string }>`
  WITH RECURSIVE label(name) AS (
    SELECT min(groupName) FROM clients WHERE groupName <> ''
    UNION ALL
    SELECT (SELECT min(groupName) FROM clients WHERE groupName > label.name AND groupName <> '')
    FROM label WHERE label.name IS NOT NULL
  )
  SELECT name FROM label WHERE name IS NOT NULL UNION SELECT name FROM clientGroups`;
