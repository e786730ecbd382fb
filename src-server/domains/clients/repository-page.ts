import { sql, type RawBuilder } from 'kysely';
import { asList, type Db } from './client-row.ts';
import type { PagePlan } from './page-query.ts';

export interface PageIds {
  /** Clients that match, on all pages. */
  filtered: number;
  /** Record ids of this page, in order. */
  ids: number[];
}

interface PageRow {
  filtered: number;
  /** JSON array. */
  ids: string;
}

/** Count and page in one statement, so that the matches are found once. For the thread of long reads. */
export function matchingPage(plan: PagePlan, offset: number, limit: number): RawBuilder<PageRow> {
  const { where, sortKey, descending, joinsClients } = plan;
  const order = sortKey === null ? sql`id` : sql`sortKey ${descending ? sql`DESC` : sql`ASC`}, id`;
  return sql<PageRow>`
    WITH hit AS MATERIALIZED (
      SELECT state.clientId AS id, ${sortKey ?? sql`0`} AS sortKey
      FROM clientStates AS state
      ${joinsClients ? sql`JOIN clients AS client ON client.id = state.clientId` : sql``}
      WHERE ${where ?? sql`1`}
    )
    SELECT (SELECT count(*) FROM hit) AS filtered, (
      SELECT json_group_array(id) FROM (SELECT id FROM hit ORDER BY ${order} LIMIT ${limit} OFFSET ${offset})
    ) AS ids`;
}

export async function readMatchingPage(db: Db, plan: PagePlan, offset: number, limit: number): Promise<PageIds> {
  const { rows } = await matchingPage(plan, offset, limit).execute(db);
  const { filtered, ids } = rows[0]!;
  return { filtered, ids: JSON.parse(ids) as number[] };
}

/** A page of all clients by record id: walks the narrow table's key only. */
export const pageById = (offset: number, limit: number): RawBuilder<{ id: number }> =>
  sql`SELECT clientId AS id FROM clientStates ORDER BY clientId LIMIT ${limit} OFFSET ${offset}`;

/** A page of all clients by e-mail: walks the unique index only. */
export const pageByEmail = (offset: number, limit: number, descending: boolean): RawBuilder<{ id: number }> =>
  sql`SELECT id FROM clients ORDER BY emailKey ${descending ? sql`DESC` : sql`ASC`} LIMIT ${limit} OFFSET ${offset}`;

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

/** Inbounds of these protocols. */
export async function inboundIdsByProtocol(db: Db, protocols: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM inbounds WHERE protocol IN (SELECT value FROM json_each(${asList(protocols)}))`.execute(db);
  return rows.map(({ id }) => id);
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
