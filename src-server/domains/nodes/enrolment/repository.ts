import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Db, Row } from '../../../store/schema.ts';

export type EnrolmentRow = Row<'enrolments'>;

/** Long enough to tell a late host what is wrong with its ticket. */
const KEPT_MS = 7 * 86_400_000;

export async function findEnrolment(db: Db, id: string): Promise<EnrolmentRow | null> {
  return (await db.selectFrom('enrolments').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Tickets that a host can still enrol with, oldest first. */
export function openEnrolments(db: Db, nowMs: number): Promise<EnrolmentRow[]> {
  return db
    .selectFrom('enrolments')
    .selectAll()
    .where('state', '=', 'open')
    .where('expiresAtMs', '>', nowMs)
    .orderBy('createdAtMs')
    .orderBy('id')
    .execute();
}

export async function insertEnrolment(trx: WriteTransaction, row: EnrolmentRow): Promise<void> {
  await trx
    .deleteFrom('enrolments')
    .where('expiresAtMs', '<', row.createdAtMs - KEPT_MS)
    .execute();
  await trx.insertInto('enrolments').values(row).execute();
}

/** @returns false when it is no longer open */
export async function endEnrolment(
  trx: WriteTransaction,
  id: string,
  values: { state: 'used'; nodeId: number } | { state: 'cancelled' },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('enrolments')
    .set(values)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
