import { sql } from 'kysely';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Db } from '../../../store/schema.ts';
import { readJson } from '../../../contract/json-text.ts';
import { ClientState, Facts } from './facts.ts';
import { eachNumber, eachText } from '../../../store/dialect/each-json.ts';
import { spelled } from '../../../store/dialect/spelled.ts';

/** A client as one JSON text, for the node `held.nodeId`, for both delivery and comparison. See {@link ClientState}. */
const STATE = sql`json_object('enable', state.enable, 'totalGB', state.quotaBytes, 'expiryTime', state.expiresAtMs,
  'limitIp', client.limitIp, 'tgId', client.tgId, 'reset', iif(state.resetDay > 0, 0, state.resetDays),
  'resetDay', state.resetDay, 'group', client.groupName, 'subId', client.subId, 'id', client.uuid, 'auth', client.auth,
  'security', client.security, 'reverse', CASE WHEN json_valid(client.reverse) THEN coalesce(json_extract(client.reverse, '$.tag'), '')
    ELSE '' END,
  'links', json((SELECT json_group_array(json_object('inboundId', link.inboundId, 'flow', link.flowOverride,
      'password', iif(link.passwordOverride = '', client.password, link.passwordOverride)))
    FROM clientInbounds AS link JOIN inbounds AS inbound ON inbound.id = link.inboundId
    WHERE link.clientId = client.id AND inbound.nodeId = held.nodeId)))`;

/** Records that the node has these clients as they are here now, except those changed since and still pending. */
export async function noteClientsApplied(
  trx: WriteTransaction,
  nodeId: number,
  clientIds: readonly number[],
): Promise<void> {
  await sql`INSERT INTO nodeApplied (nodeId, kind, itemId, fields)
    SELECT held.nodeId, 'client', held.clientId, ${STATE}
    FROM ${eachNumber(JSON.stringify(clientIds))} AS j CROSS JOIN nodeClients AS held
      ON held.nodeId = ${nodeId} AND held.clientId = j.value AND held.changedAtMs = 0
    CROSS JOIN clients AS client ON client.id = held.clientId
    CROSS JOIN clientStates AS state ON state.clientId = held.clientId
    WHERE true ON CONFLICT (nodeId, kind, itemId) DO UPDATE SET fields = excluded.fields`.execute(trx);
}

/** Same as {@link noteClientsApplied}, by the folded names that the node uses. */
export async function noteNamesApplied(
  trx: WriteTransaction,
  nodeId: number,
  emailKeys: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ clientId: number }>`SELECT held.clientId
    FROM ${eachText(JSON.stringify(emailKeys))} AS j CROSS JOIN nodeClients AS held
      ON held.nodeId = ${nodeId} AND held.emailKey = j.value AND held.emailKey <> ''`.execute(trx);
  await noteClientsApplied(
    trx,
    nodeId,
    rows.map(({ clientId }) => clientId),
  );
}

export async function noteInboundApplied(
  trx: WriteTransaction,
  nodeId: number,
  inboundId: number,
  facts: Facts,
): Promise<void> {
  const row = { nodeId, kind: 'inbound' as const, itemId: inboundId, fields: JSON.stringify(facts) };
  await trx
    .insertInto('nodeApplied')
    .values(row)
    .onConflict((conflict) => conflict.columns(['nodeId', 'kind', 'itemId']).doUpdateSet({ fields: row.fields }))
    .execute();
}

/**
 * Records that the node has the inbound without clients: their absence is no edit, whatever else of them was applied.
 */
export async function noteNobodyApplied(trx: WriteTransaction, nodeId: number, inboundId: number): Promise<void> {
  const links = spelled(
    sql<string>`json_set(fields, '$.links', json((SELECT json_group_array(json(link.value))
      FROM json_each(fields, '$.links') AS link WHERE json_extract(link.value, '$.inboundId') <> ${inboundId})))`,
    sql`CAST(jsonb_set(CAST(fields AS jsonb), '{links}', coalesce((SELECT jsonb_agg(link)
      FROM jsonb_array_elements(CAST(fields AS jsonb) -> 'links') AS link
      WHERE CAST(link ->> 'inboundId' AS INTEGER) <> ${inboundId}), '[]')) AS TEXT)`,
  );
  await sql`UPDATE nodeApplied SET fields = ${links} WHERE nodeId = ${nodeId} AND kind = 'client' AND json_valid(fields)
    AND itemId IN (SELECT clientId FROM clientInbounds WHERE inboundId = ${inboundId})`.execute(trx);
}

/** State of an inbound last applied; null = not known. */
export async function inboundApplied(db: Db, nodeId: number, inboundId: number): Promise<Facts | null> {
  const row = await db
    .selectFrom('nodeApplied')
    .select('fields')
    .where('nodeId', '=', nodeId)
    .where('kind', '=', 'inbound')
    .where('itemId', '=', inboundId)
    .executeTakeFirst();
  return row === undefined ? null : readJson(Facts.nullable(), row.fields, null);
}

/** A client of a node: the wanted state and the one last applied. */
export interface NodeClientState {
  clientId: number;
  email: string;
  /** Folded name on the node; empty = never delivered. */
  emailKey: string;
  isWaiting: boolean;
  want: ClientState;
  /** Null = not known. */
  applied: ClientState | null;
}

const PAGE_ROWS = 1_000;

/** Pages through the clients of a node by id. @param inboundId only those on it; 0 = all */
export async function* clientStatesOf(db: Db, nodeId: number, inboundId = 0): AsyncGenerator<NodeClientState[]> {
  for (let afterId = 0; ;) {
    const page = await clientStates(
      db,
      sql`held.nodeId = ${nodeId} AND held.clientId > ${afterId} AND (${inboundId} = 0 OR EXISTS (SELECT 1
        FROM clientInbounds AS link WHERE link.clientId = held.clientId AND link.inboundId = ${inboundId}))`,
      { limit: PAGE_ROWS, offset: 0 },
    );
    if (page.length > 0) yield page;
    if (page.length < PAGE_ROWS) return;
    afterId = page.at(-1)!.clientId;
  }
}

/** Names on the node of clients deleted here, or detached from this inbound, that still have to go. */
export async function leavingNames(db: Db, nodeId: number, inboundId: number): Promise<string[]> {
  const { rows } = await sql<{ emailKey: string }>`SELECT held.emailKey FROM nodeClients AS held
    WHERE held.nodeId = ${nodeId} AND held.changedAtMs > 0 AND held.emailKey <> '' AND NOT EXISTS (SELECT 1
      FROM clientInbounds AS link WHERE link.clientId = held.clientId AND link.inboundId = ${inboundId})`.execute(db);
  return rows.map(({ emailKey }) => emailKey);
}

/** One page of a node's clients by id. */
export const clientStatePage = (db: Db, nodeId: number, page: { limit: number; offset: number }) =>
  clientStates(db, sql`held.nodeId = ${nodeId}`, page);

async function clientStates(
  db: Db,
  which: ReturnType<typeof sql>,
  { limit, offset }: { limit: number; offset: number },
): Promise<NodeClientState[]> {
  const { rows } = await sql<{
    clientId: number;
    email: string;
    emailKey: string;
    isWaiting: 0 | 1;
    want: string;
    applied: string | null;
  }>`SELECT held.clientId, client.email, held.emailKey, held.changedAtMs > 0 AS isWaiting, ${STATE} AS want,
      applied.fields AS applied
    FROM nodeClients AS held CROSS JOIN clients AS client ON client.id = held.clientId
    CROSS JOIN clientStates AS state ON state.clientId = held.clientId
    LEFT JOIN nodeApplied AS applied ON applied.nodeId = held.nodeId AND applied.kind = 'client'
      AND applied.itemId = held.clientId
    WHERE ${which} ORDER BY held.clientId LIMIT ${limit} OFFSET ${offset}`.execute(db);
  return rows.map(({ want, applied, isWaiting, ...row }) => ({
    ...row,
    isWaiting: isWaiting === 1,
    want: JSON.parse(want) as ClientState,
    applied: applied === null ? null : readJson(ClientState.nullable(), applied, null),
  }));
}

/** Number of clients that a node holds or should hold. */
export async function countClients(db: Db, nodeId: number): Promise<number> {
  const { count } = await db
    .selectFrom('nodeClients as held')
    .innerJoin('clients as client', 'client.id', 'held.clientId')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('held.nodeId', '=', nodeId)
    .executeTakeFirstOrThrow();
  return count;
}
