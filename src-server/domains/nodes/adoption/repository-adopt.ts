import { sql } from 'kysely';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Db } from '../../../store/schema.ts';
import { eachObject, eachText, numbersIn } from '../../../store/dialect/each-json.ts';

/** A client as reported by the node: its name there and its counters. */
export interface ReportedClient {
  email: string;
  emailKey: string;
  upBytes: number;
  downBytes: number;
}

/** What this panel knows about a name used on the node. */
export interface KnownName {
  emailKey: string;
  /**
   * `own`: belongs to the node, or has no owner. `agreed`: a client of this panel, in sync. `waiting`: a client of this
   * panel with a change pending delivery.
   */
  state: 'own' | 'agreed' | 'waiting';
}

/** State of each of these names on the node. */
export async function knownNames(db: Db, nodeId: number, emailKeys: readonly string[]): Promise<KnownName[]> {
  const { rows } = await sql<KnownName>`SELECT j.value AS emailKey,
      max(CASE WHEN held.clientId IS NOT NULL THEN iif(held.changedAtMs = 0, 'agreed', 'waiting')
        WHEN fresh.clientId IS NOT NULL THEN 'waiting' ELSE 'own' END) AS state
    FROM ${eachText(JSON.stringify(emailKeys))} AS j
    LEFT JOIN nodeClients AS held ON held.nodeId = ${nodeId} AND held.emailKey = j.value AND held.emailKey <> ''
    LEFT JOIN clients AS client ON client.emailKey = j.value
    LEFT JOIN nodeClients AS fresh ON fresh.nodeId = ${nodeId} AND fresh.clientId = client.id
    GROUP BY j.value`.execute(db);
  return rows;
}

/** Returns the names that clients of this panel already use. */
export async function takenNames(trx: WriteTransaction, emailKeys: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{
    emailKey: string;
  }>`SELECT client.emailKey FROM ${eachText(JSON.stringify(emailKeys))} AS j
    CROSS JOIN clients AS client ON client.emailKey = j.value`.execute(trx);
  return new Set(rows.map(({ emailKey }) => emailKey));
}

/** Records that the node holds the inbound exactly as it is here, after adopting it. */
export async function holdInbound(
  trx: WriteTransaction,
  place: { inboundId: number; nodeId: number; remoteId: number; remoteTag: string },
): Promise<void> {
  await trx.insertInto('nodeInbounds').values(place).execute();
}

/** Records that the node holds these clients. Their past usage there is not counted again. */
export async function holdClients(
  trx: WriteTransaction,
  nodeId: number,
  reported: readonly ReportedClient[],
): Promise<void> {
  await sql`INSERT INTO nodeClients (nodeId, clientId, email, emailKey, upBytes, downBytes, changedAtMs)
    SELECT ${nodeId}, client.id, j.value ->> 'email', j.value ->> 'emailKey', CAST(j.value ->> 'upBytes' AS INTEGER), CAST(j.value ->> 'downBytes' AS INTEGER), 0
    FROM ${eachObject(JSON.stringify(reported))} AS j CROSS JOIN clients AS client ON client.emailKey = j.value ->> 'emailKey'
    WHERE true ON CONFLICT DO NOTHING`.execute(trx);
}

/** Clients that this panel has deleted are to be deleted on the node once more; each order has a number of its own. */
export async function deleteAgain(
  trx: WriteTransaction,
  nodeId: number,
  clients: readonly ReportedClient[],
  version: number,
): Promise<void> {
  const { least } = await trx
    .selectFrom('nodeClients')
    .select((eb) => eb.fn.coalesce(eb.fn.min('clientId'), sql<number>`0`).as('least'))
    .where('nodeId', '=', nodeId)
    .executeTakeFirstOrThrow();
  const orders = clients.map(({ email, emailKey }, at) => ({ email, emailKey, id: Math.min(least, 0) - 1 - at }));
  await sql`INSERT INTO nodeClients (nodeId, clientId, email, emailKey, changedAtMs)
    SELECT ${nodeId}, coalesce(client.id, CAST(j.value ->> 'id' AS INTEGER)), j.value ->> 'email', j.value ->> 'emailKey', ${version}
    FROM ${eachObject(JSON.stringify(orders))} AS j LEFT JOIN clients AS client ON client.emailKey = j.value ->> 'emailKey'
    WHERE true ON CONFLICT DO NOTHING`.execute(trx);
}

/** Whether no change of the inbound itself is pending delivery. */
export async function isInboundAgreed(trx: WriteTransaction, inboundId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('nodeInbounds')
    .select('changedAtMs')
    .where('inboundId', '=', inboundId)
    .executeTakeFirst();
  return row?.changedAtMs === 0;
}

/** Records another tag of the inbound on the node. */
export async function noteRemoteTag(trx: WriteTransaction, inboundId: number, remoteTag: string): Promise<void> {
  await trx.updateTable('nodeInbounds').set({ remoteTag }).where('inboundId', '=', inboundId).execute();
}

/** Returns the inbounds that are not on this node. */
export async function inboundsElsewhere(
  trx: WriteTransaction,
  nodeId: number,
  inboundIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM inbounds
    WHERE id IN ${numbersIn(JSON.stringify(inboundIds))} AND nodeId IS NOT ${nodeId}`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

interface NamedOtherwise {
  clientId: number;
  /** Its name here, and the one the node is known to hold it under. */
  email: string;
  emailKey: string;
  reportedEmail: string;
  /** 1 = a change of the client is pending delivery to the node. */
  isWaiting: 0 | 1;
}

/** Clients on the node, found by subscription, whose known name differs from the reported one. */
export async function namedOtherwise(
  db: Db,
  nodeId: number,
  named: readonly { email: string; emailKey: string; subId: string }[],
): Promise<NamedOtherwise[]> {
  const { rows } = await sql<NamedOtherwise>`
    SELECT held.clientId, client.email, held.emailKey, held.changedAtMs > 0 AS isWaiting, j.value ->> 'email' AS reportedEmail
    FROM ${eachObject(JSON.stringify(named))} AS j CROSS JOIN clients AS client ON client.subId = j.value ->> 'subId'
    CROSS JOIN nodeClients AS held ON held.nodeId = ${nodeId} AND held.clientId = client.id
    WHERE held.emailKey <> '' AND held.emailKey <> j.value ->> 'emailKey'`.execute(db);
  return rows;
}

/** Records another name of the client on the node. */
export async function noteRemoteName(
  trx: WriteTransaction,
  nodeId: number,
  clientId: number,
  name: { email: string; emailKey: string },
): Promise<void> {
  await trx
    .updateTable('nodeClients')
    .set(name)
    .where('nodeId', '=', nodeId)
    .where('clientId', '=', clientId)
    .execute();
}
