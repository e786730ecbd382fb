import { sql } from 'kysely';
import type { WriteTransaction } from '../../store/open-store.ts';
import { eachNumber } from '../../store/dialect/each-json.ts';

/**
 * Call before clients' counters are lowered or removed: subtracts them from their groups' baselines, so that the
 * groups' displayed totals do not drop. A baseline may become negative: that keeps the usage of former members in the
 * total.
 */
export const keepGroupTotals = (trx: WriteTransaction, clientIds: readonly number[], nowMs: number): Promise<void> =>
  moveBaselines(trx, clientIds, nowMs, -1);

/** The reverse: call after deleted clients came back with their old counters. */
export const giveGroupTotals = (trx: WriteTransaction, clientIds: readonly number[], nowMs: number): Promise<void> =>
  moveBaselines(trx, clientIds, nowMs, 1);

async function moveBaselines(
  trx: WriteTransaction,
  clientIds: readonly number[],
  nowMs: number,
  sign: 1 | -1,
): Promise<void> {
  // The plus keeps SQLite from scanning all group members for each client, which it does without statistics.
  await sql`
    INSERT INTO clientGroups (name, upBaselineBytes, downBaselineBytes, createdAtMs, updatedAtMs)
    SELECT client.groupName, ${sign} * sum(state.upBytes), ${sign} * sum(state.downBytes), ${nowMs}, ${nowMs}
    FROM ${eachNumber(JSON.stringify(clientIds))} AS wanted
    CROSS JOIN clients AS client ON client.id = wanted.value
    CROSS JOIN clientStates AS state ON state.clientId = client.id
    WHERE +client.groupName <> '' AND (state.upBytes > 0 OR state.downBytes > 0)
    GROUP BY client.groupName
    ON CONFLICT (name) DO UPDATE SET
      upBaselineBytes = clientGroups.upBaselineBytes + excluded.upBaselineBytes,
      downBaselineBytes = clientGroups.downBaselineBytes + excluded.downBaselineBytes,
      updatedAtMs = excluded.updatedAtMs`.execute(trx);
}

/** Bytes of removed members, by group: they stay in the groups' totals. */
export async function takeFromBaselines(
  trx: WriteTransaction,
  bytes: readonly { name: string; upBytes: number; downBytes: number }[],
  nowMs: number,
): Promise<void> {
  for (const { name, upBytes, downBytes } of bytes)
    await sql`INSERT INTO clientGroups (name, upBaselineBytes, downBaselineBytes, createdAtMs, updatedAtMs)
      VALUES (${name}, ${-upBytes}, ${-downBytes}, ${nowMs}, ${nowMs})
      ON CONFLICT (name) DO UPDATE SET upBaselineBytes = clientGroups.upBaselineBytes + excluded.upBaselineBytes,
        downBaselineBytes = clientGroups.downBaselineBytes + excluded.downBaselineBytes, updatedAtMs = excluded.updatedAtMs`.execute(
      trx,
    );
}
