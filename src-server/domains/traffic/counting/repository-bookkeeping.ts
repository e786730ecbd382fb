import { sql, type Kysely, type RawBuilder } from 'kysely';
import { runBatch } from '../../../store/batch.ts';
import { openEntryId } from '../../../store/dialect/open-entry-id.ts';
import { COUNTERS } from '../../../store/journal/captured-tables.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Schema } from '../../../store/schema.ts';
import { bucketStartSec, FINE_SPAN_SEC } from '../ledger/ledger-spans.ts';
import { sourceIdOf } from './repository-counters.ts';
import { numbersIn, textsIn } from '../../../store/dialect/each-json.ts';

export type BookkeepingKind = 'reset' | 'manual' | 'opening';

/** Target counters of one client, in bytes. */
export interface CounterTarget {
  clientId: number;
  upBytes: number;
  downBytes: number;
}

/**
 * Sets the same counters for many clients. One ledger entry per client books the difference, so that the sum of its
 * ledger still equals its counters; a client that already has them gets none.
 * @param idsJson JSON array of client ids; unknown ones are ignored.
 */
export async function setSameCounters(
  trx: WriteTransaction,
  idsJson: string,
  to: { upBytes: number; downBytes: number },
  kind: BookkeepingKind,
  nowMs: number,
): Promise<void> {
  const sourceId = await sourceIdOf(trx, kind);
  const { upBytes, downBytes } = to;
  // Totals of other panels are from before the reset.
  if (kind === 'reset') await sql`DELETE FROM peerTotals WHERE clientId IN ${numbersIn(idsJson)}`.execute(trx);
  await sql`INSERT INTO trafficLedger (spanSec, bucketStartSec, clientId, sourceId, upBytes, downBytes)
    SELECT ${FINE_SPAN_SEC}, ${bucketStartSec(nowMs, FINE_SPAN_SEC)}, clientId, ${sourceId}, ${upBytes} - upBytes, ${downBytes} - downBytes
    FROM clientStates WHERE clientId IN ${numbersIn(idsJson)} AND (upBytes <> ${upBytes} OR downBytes <> ${downBytes})
    ON CONFLICT (spanSec, bucketStartSec, clientId, sourceId) DO UPDATE SET upBytes = trafficLedger.upBytes + excluded.upBytes, downBytes = trafficLedger.downBytes + excluded.downBytes`.execute(
    trx,
  );
  await noteCounters(trx, idsJson, kind);
  await sql`UPDATE clientStates SET upBytes = ${upBytes}, downBytes = ${downBytes}${kept(kind, upBytes, downBytes)}
    WHERE clientId IN ${numbersIn(idsJson)} AND (upBytes <> ${upBytes} OR downBytes <> ${downBytes})`.execute(trx);
}

/** Like {@link setSameCounters}, with separate values for each client. */
export async function setOwnCounters(
  trx: WriteTransaction,
  targets: readonly CounterTarget[],
  kind: BookkeepingKind,
  nowMs: number,
): Promise<void> {
  if (targets.length === 0) return;
  const sourceId = await sourceIdOf(trx, kind);
  const up = Float64Array.from(targets, ({ upBytes }) => upBytes);
  const down = Float64Array.from(targets, ({ downBytes }) => downBytes);
  const ids = Float64Array.from(targets, ({ clientId }) => clientId);
  await runBatch(
    trx,
    sql`INSERT INTO trafficLedger (spanSec, bucketStartSec, clientId, sourceId, upBytes, downBytes)
      SELECT ${0}, ${0}, clientId, ${0}, ${0} - upBytes, ${0} - downBytes FROM clientStates
      WHERE clientId = ${0} AND (upBytes <> ${0} OR downBytes <> ${0})
      ON CONFLICT (spanSec, bucketStartSec, clientId, sourceId) DO UPDATE SET upBytes = trafficLedger.upBytes + excluded.upBytes, downBytes = trafficLedger.downBytes + excluded.downBytes`,
    [[FINE_SPAN_SEC], [bucketStartSec(nowMs, FINE_SPAN_SEC)], [sourceId], up, down, ids, up, down],
    targets.length,
  );
  await noteCounters(trx, JSON.stringify([...ids]), kind);
  await runBatch(
    trx,
    sql`UPDATE clientStates SET upBytes = ${0}, downBytes = ${0}${kept(kind, 0, 0)} WHERE clientId = ${0}`,
    [up, down, ...(kind === 'reset' ? [up, down] : []), ids],
    targets.length,
  );
}

/** What a reset takes off the counters still belongs to the client's traffic since it was created. */
const kept = (kind: BookkeepingKind, upBytes: number, downBytes: number): RawBuilder<unknown> =>
  kind === 'reset'
    ? sql`, resetUpBytes = resetUpBytes + upBytes - ${upBytes}, resetDownBytes = resetDownBytes + downBytes - ${downBytes}`
    : sql``;

/**
 * Records the previous counters in the journal: an undo books the difference back through the ledger. Costs nothing in
 * a tick.
 */
async function noteCounters(trx: WriteTransaction, idsJson: string, kind: BookkeepingKind): Promise<void> {
  await sql`INSERT INTO journalRows (entryId, tableName, rowKey, before)
    SELECT ${openEntryId}, ${COUNTERS}, CAST(clientId AS TEXT),
      json_object('upBytes', upBytes, 'downBytes', downBytes, 'source', ${kind})
    FROM clientStates WHERE ${openEntryId} IS NOT NULL
      AND clientId IN ${numbersIn(idsJson)} ON CONFLICT DO NOTHING`.execute(trx);
}

/** The source of this panel's core; undefined before the first reading. */
export function sourceOfCore(db: WriteTransaction | Kysely<Schema>, sourceGuid: string) {
  return db
    .selectFrom('trafficSources')
    .select(['id', 'bootId'])
    .where('kind', '=', 'core')
    .where('guid', '=', sourceGuid)
    .executeTakeFirst();
}

/** Assigns counters that already run under these names to the given clients, from the next reading on. */
export async function giveCounters(
  trx: WriteTransaction,
  sourceId: number,
  entries: readonly { email: string; clientId: number }[],
): Promise<void> {
  await runBatch(
    trx,
    sql`UPDATE counterBaselines SET ownerId = ${0} WHERE sourceId = ${0} AND kind = 'user' AND subject = ${''}`,
    [Float64Array.from(entries, ({ clientId }) => clientId), [sourceId], entries.map(({ email }) => email)],
    entries.length,
  );
}

/** User counters whose owner is not the client that has the name now. @param names null = any */
function withOtherBearer(sourceId: number, names: readonly string[] | null) {
  const isNamed = names === null ? sql`true` : sql`base.subject IN ${textsIn(JSON.stringify(names))}`;
  return sql`base.sourceId = ${sourceId} AND base.kind = 'user' AND client.email = base.subject
    AND client.id IS DISTINCT FROM base.ownerId AND ${isNamed}`;
}

/** Whether any of these names has a client other than the one credited. @param names null = any */
export async function hasOtherBearers(
  db: Kysely<Schema>,
  sourceId: number,
  names: readonly string[] | null,
): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM counterBaselines AS base, clients AS client
    WHERE ${withOtherBearer(sourceId, names)} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Like {@link giveCounters}, for the clients that have the names now. Names without a client stay unchanged. */
export async function giveToBearers(
  trx: WriteTransaction,
  sourceId: number,
  names: readonly string[] | null,
): Promise<void> {
  await sql`UPDATE counterBaselines SET ownerId = given.clientId
    FROM (SELECT base.id, client.id AS clientId FROM counterBaselines AS base, clients AS client
      WHERE ${withOtherBearer(sourceId, names)}) AS given
    WHERE counterBaselines.id = given.id`.execute(trx);
}

/** The core sources of this panel and of the other servers on its database. */
export async function everyCoreSource(trx: WriteTransaction, ownGuid: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM trafficSources
    WHERE kind = 'core' AND (guid = ${ownGuid} OR guid IN (SELECT sourceGuid FROM panelServers))`.execute(trx);
  return rows.map(({ id }) => id);
}

/**
 * Records the owner of a name before the name is released, for counters that no reading has seen yet: their bytes
 * belong to the old owner and not to the next client with that name. Counters already seen know their owner.
 */
export async function noteBearers(trx: WriteTransaction, sourceId: number, idsJson: string): Promise<void> {
  await sql`INSERT INTO counterBaselines (sourceId, kind, subject, ownerId)
    SELECT ${sourceId}, 'user', email, id FROM clients WHERE id IN ${numbersIn(idsJson)}
    ON CONFLICT (sourceId, kind, subject) DO NOTHING`.execute(trx);
}

/** Like {@link noteBearers}, for a single name that the client no longer has. */
export async function noteFormerName(
  trx: WriteTransaction,
  sourceId: number,
  subject: string,
  clientId: number,
): Promise<void> {
  await sql`INSERT INTO counterBaselines (sourceId, kind, subject, ownerId)
    VALUES (${sourceId}, 'user', ${subject}, ${clientId}) ON CONFLICT (sourceId, kind, subject) DO NOTHING`.execute(
    trx,
  );
}

/** E-mails of the clients, to report who is affected. */
export async function emailsOf(trx: WriteTransaction, idsJson: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    SELECT email FROM clients WHERE id IN ${numbersIn(idsJson)}`.execute(trx);
  return rows.map(({ email }) => email);
}

/** The clients' entries in the inbounds that carry them, as a change for the runtime. */
export async function usersOf(
  trx: WriteTransaction,
  idsJson: string,
): Promise<{ inboundId: number; protocol: string; isLocal: boolean; serverId: string | null; emails: string[] }[]> {
  const { rows } = await sql<{
    inboundId: number;
    protocol: string;
    nodeId: number | null;
    serverId: string | null;
    emails: string;
  }>`SELECT inbound.id AS inboundId, inbound.protocol, inbound.nodeId, inbound.serverId, json_group_array(client.email) AS emails
    FROM clientInbounds AS link JOIN clients AS client ON client.id = link.clientId JOIN inbounds AS inbound ON inbound.id = link.inboundId
    WHERE link.clientId IN ${numbersIn(idsJson)} GROUP BY inbound.id ORDER BY inbound.id`.execute(trx);
  return rows.map(({ inboundId, protocol, nodeId, serverId, emails }) => ({
    inboundId,
    protocol,
    isLocal: nodeId === null,
    serverId,
    emails: JSON.parse(emails) as string[],
  }));
}

/** Clients of an inbound disabled because of their usage, here or above. @returns JSON array of ids */
export async function spentClientsOf(trx: WriteTransaction, inboundId: number, nowMs: number): Promise<string> {
  const { rows } = await sql<{ ids: string }>`
    SELECT json_group_array(state.clientId) AS ids FROM clientInbounds AS link JOIN clientStates AS state ON state.clientId = link.clientId
    WHERE link.inboundId = ${inboundId} AND state.enable = 0 AND state.disabledBy <> 'admin'
      AND (state.expiresAtMs <= 0 OR state.expiresAtMs > ${nowMs})`.execute(trx);
  return rows[0]?.ids ?? '[]';
}

/** All clients attached to the inbound. @returns JSON array of ids */
export async function clientIdsOf(trx: WriteTransaction, inboundId: number): Promise<string> {
  const { rows } = await sql<{ ids: string }>`
    SELECT json_group_array(clientId) AS ids FROM clientInbounds WHERE inboundId = ${inboundId}`.execute(trx);
  return rows[0]?.ids ?? '[]';
}

/** Enables clients again. */
export async function enableClients(trx: WriteTransaction, idsJson: string, nowMs: number): Promise<void> {
  await sql`UPDATE clientStates SET enable = 1, disabledBy = '' WHERE clientId IN ${numbersIn(idsJson)}`.execute(trx);
  await sql`UPDATE clients SET updatedAtMs = ${nowMs} WHERE id IN ${numbersIn(idsJson)}`.execute(trx);
}
