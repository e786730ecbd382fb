import { sql } from 'kysely';
import type { WriteTransaction } from '../../store/open-store.ts';
import { eachNumber } from '../../store/dialect/each-json.ts';

/**
 * Called before counters of clients are lowered or removed: takes them off the baselines of their groups, so that the
 * groups' shown totals do not drop. A baseline may become negative: that is how usage of members that left keeps counting.
 */
export const keepGroupTotals = (trx: WriteTransaction, clientIds: readonly number[], nowMs: number): Promise<void> =>
  moveBaselines(trx, clientIds, nowMs, -1);

/** The way back: called after these clients returned with the counters they had. */
export const giveGroupTotals = (trx: WriteTransaction, clientIds: readonly number[], nowMs: number): Promise<void> =>
  moveBaselines(trx, clientIds, nowMs, 1);

async function moveBaselines(
  trx: WriteTransaction,
  clientIds: readonly number[],
  nowMs: number,
  sign: 1 | -1,
): Promise<void> {
  // The plus keeps SQLite from walking through all members of groups for each client, which it does while it knows of none.
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

/** Bytes of members that are gone, by group: they stay in what the groups show. */
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
