import { sql } from 'kysely';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db } from '../../store/schema.ts';
import { eachObject } from '../../store/dialect/each-json.ts';

export interface ExpiringClient {
  clientId: number;
  email: string;
  expiresAtMs: number;
}

/** Clients that expire by this time, do not renew automatically, and have not been notified of this expiry. */
export async function clientsExpiring(
  db: Db,
  { nowMs, untilMs, most }: { nowMs: number; untilMs: number; most: number },
): Promise<ExpiringClient[]> {
  const { rows } = await sql<ExpiringClient>`
    SELECT state.clientId, client.email, state.expiresAtMs FROM clientStates AS state
    JOIN clients AS client ON client.id = state.clientId
    WHERE state.expiresAtMs > 0 AND state.expiresAtMs > ${nowMs} AND state.expiresAtMs <= ${untilMs}
      AND state.enable = 1 AND state.resetDays = 0 AND state.resetDay = 0
      AND NOT EXISTS (SELECT 1 FROM clientNotices AS notice WHERE notice.clientId = state.clientId
        AND notice.kind = 'client.expiring' AND notice.mark = state.expiresAtMs)
    ORDER BY state.expiresAtMs LIMIT ${most}`.execute(db);
  return rows;
}

export interface SpendingClient {
  clientId: number;
  email: string;
  usedBytes: number;
  quotaBytes: number;
  /** The largest listed percent that is reached; 0 = none any more. */
  percent: number;
  /** The percent notified of last. */
  notified: number;
}

/** Clients whose reached percent of the quota differs from the one notified of: higher, or lower after a reset. */
export async function clientsSpending(db: Db, percents: readonly number[], most: number): Promise<SpendingClient[]> {
  const descending = [...percents].sort((a, b) => b - a);
  const cases = descending.map(
    (percent) => sql`WHEN used * 100 >= quotaBytes * ${sql.lit(percent)} THEN ${sql.lit(percent)}`,
  );
  const { rows } = await sql<SpendingClient>`
    SELECT clientId, client.email, usedBytes, quotaBytes, percent, notified FROM (
      SELECT state.clientId, state.used AS usedBytes, quotaBytes, coalesce(notice.mark, 0) AS notified,
        CASE ${sql.join(cases, sql` `)} ELSE 0 END AS percent
      FROM (SELECT clientId, upBytes + downBytes AS used, quotaBytes FROM clientStates
        WHERE quotaBytes > 0 AND enable = 1) AS state
      LEFT JOIN clientNotices AS notice ON notice.clientId = state.clientId AND notice.kind = 'client.quota'
    ) JOIN clients AS client ON client.id = clientId
    WHERE percent <> notified LIMIT ${most}`.execute(db);
  return rows;
}

export async function noteClients(
  trx: WriteTransaction,
  kind: string,
  marks: readonly { clientId: number; mark: number }[],
): Promise<void> {
  await sql`INSERT INTO clientNotices (clientId, kind, mark)
    SELECT CAST(value ->> 'clientId' AS INTEGER), ${kind}, CAST(value ->> 'mark' AS INTEGER) FROM ${eachObject(JSON.stringify(marks))}
    WHERE CAST(value ->> 'clientId' AS INTEGER) IN (SELECT id FROM clients)
    ON CONFLICT (clientId, kind) DO UPDATE SET mark = excluded.mark`.execute(trx);
}

export interface QuarantinedEntry {
  id: number;
  kind: string;
  subject: string;
  upBytes: number;
  downBytes: number;
}

export function quarantinedAfter(db: Db, id: number, most: number): Promise<QuarantinedEntry[]> {
  return db
    .selectFrom('quarantinedDeltas')
    .select(['id', 'kind', 'subject', 'upBytes', 'downBytes'])
    .where('id', '>', id)
    .orderBy('id')
    .limit(most)
    .execute();
}

export async function markOf(db: Db, key: string): Promise<string | null> {
  const row = await db.selectFrom('eventMarks').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

export async function setMark(trx: WriteTransaction, key: string, value: string): Promise<void> {
  await trx
    .insertInto('eventMarks')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** The largest existing id; 0 = none. */
export async function lastQuarantinedId(db: Db): Promise<number> {
  const row = await db.selectFrom('quarantinedDeltas').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? 0;
}
