import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db } from '../../store/schema.ts';

/** Stored texts of these keys; keys without a row are absent. */
export async function readRows(db: Db, keys: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).where('key', 'in', keys).execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** Stored text of one key; undefined without a row. */
export async function readRow(db: Db, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value;
}

export async function writeRow(trx: WriteTransaction, key: string, value: string): Promise<void> {
  await trx
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** Last step of any accepted code; the panel has one secret, so a code used by any admin is used up. */
export async function lastTotpStep(trx: WriteTransaction): Promise<number> {
  const row = await trx
    .selectFrom('admins')
    .select(({ fn }) => fn.max('lastTotpStep').as('step'))
    .executeTakeFirst();
  return row?.step ?? 0;
}

/** Ends every session and sets the step after which the next code must be. */
export async function endAllSessions(trx: WriteTransaction, totpStep: number, nowMs: number): Promise<void> {
  await trx
    .updateTable('admins')
    .set(({ eb }) => ({ loginEpoch: eb('loginEpoch', '+', 1), lastTotpStep: totpStep, updatedAtMs: nowMs }))
    .execute();
}
