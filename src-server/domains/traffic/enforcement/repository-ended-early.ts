import { sql } from 'kysely';
import { numbersIn } from '../../../store/dialect/each-json.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Db } from '../../../store/schema.ts';

/** A clock that runs a little fast ends nobody noticeably early. */
export const SET_BACK_MS = 60_000;

/** Ended by its expiry at a time that has not come yet: the clock was ahead. */
const endedEarly = (nowMs: number) => sql`enable = 0 AND disabledBy = 'loop' AND updatedAtMs > ${nowMs + SET_BACK_MS}
  AND expiresAtMs > ${nowMs} AND expiresAtMs <= updatedAtMs`;

/** Clients that a clock running ahead has ended, unless their quota is used up as well. */
export async function clientsEndedEarly(db: Db, nowMs: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM clients
    JOIN clientStates AS state ON state.clientId = clients.id
    WHERE ${endedEarly(nowMs)}
      AND (quotaBytes = 0 OR (upBytes + downBytes < quotaBytes AND peerTotalBytes < quotaBytes))
    LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The same for this panel's own inbounds. */
export async function inboundsEndedEarly(db: Db, nowMs: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM inbounds
    WHERE nodeId IS NULL AND ${endedEarly(nowMs)} AND (quotaBytes = 0 OR upBytes + downBytes < quotaBytes)`.execute(db);
  return rows.map(({ id }) => id);
}

export async function enableClients(trx: WriteTransaction, idsJson: string, nowMs: number): Promise<void> {
  const isOne = numbersIn(idsJson);
  await sql`UPDATE clientStates SET enable = 1, disabledBy = '' WHERE clientId IN ${isOne}`.execute(trx);
  await sql`UPDATE clients SET updatedAtMs = ${nowMs} WHERE id IN ${isOne}`.execute(trx);
}

export async function enableInbounds(trx: WriteTransaction, idsJson: string, nowMs: number): Promise<void> {
  await sql`UPDATE inbounds SET enable = 1, disabledBy = '', updatedAtMs = ${nowMs}
    WHERE id IN ${numbersIn(idsJson)}`.execute(trx);
}
