import { sql, type Kysely } from 'kysely';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Schema } from '../../store/schema.ts';
import { raiseVersion } from './repository-push.ts';

type Db = Kysely<Schema>;

/** A client as the node tells of it: its name there, and its counters. */
export interface ToldClient {
  email: string;
  emailKey: string;
  upBytes: number;
  downBytes: number;
}

/** What is known of a name that the node uses. */
export interface KnownName {
  emailKey: string;
  /**
   * `own`: the node's own, or nobody's. `agreed`: a client of this panel, the same here and there. `waiting`: a client of this
   * panel with a change on its way.
   */
  state: 'own' | 'agreed' | 'waiting';
}

/** What each of these names means on the node. */
export async function knownNames(db: Db, nodeId: number, emailKeys: readonly string[]): Promise<KnownName[]> {
  const { rows } = await sql<KnownName>`SELECT j.value AS emailKey,
      CASE WHEN held.clientId IS NOT NULL THEN iif(held.changedAtMs = 0, 'agreed', 'waiting')
        WHEN fresh.clientId IS NOT NULL THEN 'waiting' ELSE 'own' END AS state
    FROM json_each(${JSON.stringify(emailKeys)}) AS j
    LEFT JOIN nodeClients AS held ON held.nodeId = ${nodeId} AND held.emailKey = j.value AND held.emailKey <> ''
    LEFT JOIN clients AS client ON client.emailKey = j.value
    LEFT JOIN nodeClients AS fresh ON fresh.nodeId = ${nodeId} AND fresh.clientId = client.id
    GROUP BY j.value`.execute(db);
  return rows;
}

/** Those of the names that clients of this panel have. */
export async function takenNames(trx: WriteTransaction, emailKeys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    emailKey: string;
  }>`SELECT client.emailKey FROM json_each(${JSON.stringify(emailKeys)}) AS j
    CROSS JOIN clients AS client ON client.emailKey = j.value`.execute(trx);
  return new Set(rows.map(({ emailKey }) => emailKey));
}

/** The node holds the inbound as it is here: it was taken over from there. */
export async function holdInbound(
  trx: WriteTransaction,
  at: { inboundId: number; nodeId: number; remoteId: number; remoteTag: string; nowMs: number },
): Promise<void> {
  const { nowMs, ...place } = at;
  await trx
    .insertInto('nodeInbounds')
    .values({ ...place, resetDeliveredAtMs: nowMs })
    .execute();
}

/** The node holds these clients; what they have used there until now is not counted again. */
export async function holdClients(trx: WriteTransaction, nodeId: number, told: readonly ToldClient[]): Promise<void> {
  await sql`INSERT INTO nodeClients (nodeId, clientId, email, emailKey, upBytes, downBytes, changedAtMs)
    SELECT ${nodeId}, client.id, j.value ->> 'email', j.value ->> 'emailKey', j.value ->> 'upBytes', j.value ->> 'downBytes', 0
    FROM json_each(${JSON.stringify(told)}) AS j CROSS JOIN clients AS client ON client.emailKey = j.value ->> 'emailKey'
    WHERE true ON CONFLICT DO NOTHING`.execute(trx);
}

/** Whether nothing of the inbound itself is on its way to the node. */
export async function isInboundAgreed(trx: WriteTransaction, inboundId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('nodeInbounds')
    .select('changedAtMs')
    .where('inboundId', '=', inboundId)
    .executeTakeFirst();
  return row?.changedAtMs === 0;
}

/** The inbound is called otherwise on the node. */
export async function noteRemoteTag(trx: WriteTransaction, inboundId: number, remoteTag: string): Promise<void> {
  await trx.updateTable('nodeInbounds').set({ remoteTag }).where('inboundId', '=', inboundId).execute();
}

/** Those of the inbounds that are not on this node. */
export async function inboundsElsewhere(
  trx: WriteTransaction,
  nodeId: number,
  inboundIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM inbounds
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify(inboundIds)})) AND nodeId IS NOT ${nodeId}`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

/** Clients that the node has lost go there once more, and count from the beginning there. */
export async function redeliver(
  trx: WriteTransaction,
  nodeId: number,
  emailKeys: readonly string[],
  nowMs: number,
): Promise<void> {
  const version = await raiseVersion(trx, nodeId, nowMs);
  await sql`UPDATE nodeClients SET changedAtMs = ${version}, upBytes = NULL, downBytes = NULL WHERE nodeId = ${nodeId} AND changedAtMs = 0
    AND emailKey IN (SELECT value FROM json_each(${JSON.stringify(emailKeys)}))`.execute(trx);
}
