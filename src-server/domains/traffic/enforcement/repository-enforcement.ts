import { sql } from 'kysely';
import type { Db } from '../../../store/schema.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import { foundFirst } from '../../../store/dialect/found-first.ts';
import { eachNumber, numberAt, numbersIn } from '../../../store/dialect/each-json.ts';

const DAY_MS = 86_400_000;

/** Clients due for automatic renewal: on one of this panel's own inbounds and not disabled manually. */
const RENEWABLE = sql`(resetDays > 0 OR resetDay > 0) AND expiresAtMs > 0 AND disabledBy <> 'admin' AND EXISTS (
  SELECT 1 FROM clientInbounds AS link JOIN inbounds AS inbound ON inbound.id = link.inboundId
  WHERE link.clientId = clientStates.clientId AND inbound.nodeId IS NULL)`;
// Only constants in the conditions: SQLite uses a partial index when it can see that its condition holds.
// Written exactly as in the index, with the column on the left.
const SPENT = sql`enable = 1 AND quotaBytes > 0 AND quotaBytes <= upBytes + downBytes`;
/** Depleted according to a panel above this one, which sees more than this panel's core. */
const PEER_SPENT = sql`enable = 1 AND quotaBytes > 0 AND peerTotalBytes >= quotaBytes`;
const ENDING = sql`enable = 1 AND expiresAtMs > 0`;

async function idsOf(trx: WriteTransaction, query: ReturnType<typeof sql>): Promise<number[]> {
  const { rows } = await (query as ReturnType<typeof sql<{ id: number }>>).execute(trx);
  return rows.map(({ id }) => id);
}

export function clientsToRenew(trx: WriteTransaction, nowMs: number, limit: number): Promise<number[]> {
  return idsOf(
    trx,
    sql`SELECT clientId AS id FROM clientStates WHERE ${RENEWABLE} AND expiresAtMs <= ${nowMs} ORDER BY expiresAtMs LIMIT ${limit}`,
  );
}

/**
 * Enables clients and moves their expiry: to the next moment of the client's day of the month, or by whole periods
 * until it is in the future, so that the day of the week stays.
 * @param dayMoments by day of the month, the next expiry of clients with that day; index 0 is unused
 */
export async function renew(
  trx: WriteTransaction,
  idsJson: string,
  dayMoments: readonly number[],
  nowMs: number,
): Promise<void> {
  const now = sql`CAST(${nowMs} AS INTEGER)`;
  await sql`UPDATE clientStates SET enable = 1, disabledBy = '', expiresAtMs = CASE
      WHEN resetDay > 0 THEN ${numberAt(JSON.stringify(dayMoments), sql`resetDay`)}
      ELSE min(${sql.raw(String(Number.MAX_SAFE_INTEGER))},
        expiresAtMs + ((${now} - expiresAtMs) / (resetDays * ${sql.raw(String(DAY_MS))}) + 1) * resetDays * ${sql.raw(String(DAY_MS))})
      END
    WHERE clientId IN ${numbersIn(idsJson)}`.execute(trx);
  await touch(trx, idsJson, nowMs);
}

export async function clientsToDisable(trx: WriteTransaction, nowMs: number, limit: number): Promise<number[]> {
  const spent = await idsOf(
    trx,
    sql`${foundFirst(sql`SELECT clientId AS id FROM clientStates WHERE ${SPENT}`)} LIMIT ${limit}`,
  );
  const elsewhere = await idsOf(
    trx,
    sql`${foundFirst(sql`SELECT clientId AS id FROM clientStates WHERE ${PEER_SPENT}`)} LIMIT ${limit}`,
  );
  const expired = await idsOf(
    trx,
    sql`SELECT clientId AS id FROM clientStates WHERE ${ENDING} AND expiresAtMs <= ${nowMs} ORDER BY expiresAtMs LIMIT ${limit}`,
  );
  return [...new Set([...spent, ...elsewhere, ...expired])].slice(0, limit);
}

export async function disableClients(trx: WriteTransaction, idsJson: string, nowMs: number): Promise<void> {
  await sql`UPDATE clientStates SET enable = 0, disabledBy = 'loop' WHERE clientId IN ${numbersIn(idsJson)}`.execute(
    trx,
  );
  await touch(trx, idsJson, nowMs);
}

/** A client in notifications of its disabling. */
export interface EndedClient {
  clientId: number;
  email: string;
  usedBytes: number;
  quotaBytes: number;
  expiresAtMs: number;
}

export async function endedClients(trx: WriteTransaction, idsJson: string): Promise<EndedClient[]> {
  const { rows } =
    await sql<EndedClient>`SELECT client.id AS clientId, client.email, state.upBytes + state.downBytes AS usedBytes,
      state.quotaBytes, state.expiresAtMs
    FROM ${eachNumber(idsJson)} AS j JOIN clients AS client ON client.id = j.value
    JOIN clientStates AS state ON state.clientId = client.id`.execute(trx);
  return rows;
}

async function touch(trx: WriteTransaction, idsJson: string, nowMs: number): Promise<void> {
  await sql`UPDATE clients SET updatedAtMs = ${nowMs} WHERE id IN ${numbersIn(idsJson)}`.execute(trx);
}

const INBOUND_DUE = (nowMs: number) => sql`enable = 1 AND nodeId IS NULL AND
  ((quotaBytes > 0 AND upBytes + downBytes >= quotaBytes) OR (expiresAtMs > 0 AND expiresAtMs <= ${nowMs}))`;

/** Disables this panel's own inbounds that are depleted or expired. @returns their ids */
export function disableInbounds(trx: WriteTransaction, nowMs: number): Promise<number[]> {
  return idsOf(
    trx,
    sql`UPDATE inbounds SET enable = 0, disabledBy = 'loop', updatedAtMs = ${nowMs} WHERE ${INBOUND_DUE(nowMs)} RETURNING id`,
  );
}

/**
 * Whether one of the clients may have an open connection: the core has counted it in its current boot, or it was seen
 * since the core started.
 */
export async function mayBeConnected(
  trx: WriteTransaction,
  sourceGuid: string,
  idsJson: string,
  coreStartedAtMs: number,
): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM ${eachNumber(idsJson)} AS j
    JOIN clients AS client ON client.id = j.value JOIN clientStates AS state ON state.clientId = j.value
    WHERE state.lastOnlineAtMs >= ${coreStartedAtMs} OR EXISTS (
      SELECT 1 FROM counterBaselines AS base JOIN trafficSources AS source ON source.id = base.sourceId
      WHERE base.kind = 'user' AND base.subject = client.email AND source.kind = 'core' AND source.guid = ${sourceGuid})
    LIMIT 1`.execute(trx);
  return rows.length > 0;
}

/**
 * When enforcement is due next, in ms since the epoch: 0 = now, null = nothing is scheduled. A few index lookups, cheap
 * enough for every second on the main thread.
 */
export async function nextDueMs(db: Db, nowMs: number): Promise<number | null> {
  const { rows } = await sql<{
    spent: number | null;
    elsewhere: number | null;
    ending: number | null;
    renewing: number | null;
    inbound: number | null;
  }>`
    SELECT (${foundFirst(sql`SELECT 0 FROM clientStates WHERE ${SPENT}`)} LIMIT 1) AS spent,
      (${foundFirst(sql`SELECT 0 FROM clientStates WHERE ${PEER_SPENT}`)} LIMIT 1) AS elsewhere,
      (SELECT expiresAtMs FROM clientStates WHERE ${ENDING} ORDER BY expiresAtMs LIMIT 1) AS ending,
      (SELECT expiresAtMs FROM clientStates WHERE ${RENEWABLE} ORDER BY expiresAtMs LIMIT 1) AS renewing,
      (SELECT min(CASE WHEN quotaBytes > 0 AND upBytes + downBytes >= quotaBytes THEN 0 ELSE expiresAtMs END)
        FROM inbounds WHERE enable = 1 AND nodeId IS NULL
          AND (expiresAtMs > 0 OR (quotaBytes > 0 AND upBytes + downBytes >= quotaBytes))) AS inbound`.execute(db);
  const moments = Object.values(rows[0] ?? {}).filter((moment) => moment !== null);
  const next = moments.length === 0 ? null : Math.min(...moments);
  return next !== null && next <= nowMs ? 0 : next;
}
