import type { Insertable } from 'kysely';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Db, Row, Schema } from '../../../store/schema.ts';

export type MasterRow = Row<'masters'>;

/** The name under which the key for a master is sealed. */
export const masterKeySeal = (trunkId: string): string => `masters/key/${trunkId}`;

/** Ordered by enrolment time. */
export function allMasters(db: Db): Promise<MasterRow[]> {
  return db.selectFrom('masters').selectAll().orderBy('enrolledAtMs').orderBy('trunkId').execute();
}

/** Replaces an earlier enrolment with the same authority: a master knows this panel once. */
export async function saveMaster(trx: WriteTransaction, row: Insertable<Schema['masters']>): Promise<void> {
  await trx.deleteFrom('masters').where('authority', '=', row.authority).execute();
  await trx.insertInto('masters').values(row).execute();
}

export async function renewCertificate(
  trx: WriteTransaction,
  trunkId: string,
  values: Pick<MasterRow, 'certificate' | 'key'>,
): Promise<void> {
  await trx.updateTable('masters').set(values).where('trunkId', '=', trunkId).execute();
}

/** The previous address is kept as the former one. */
export async function moveMaster(
  trx: WriteTransaction,
  { trunkId, url: formerUrl }: Pick<MasterRow, 'trunkId' | 'url'>,
  url: string,
): Promise<void> {
  await trx
    .updateTable('masters')
    .set({ url, formerUrl, name: new URL(url).host })
    .where('trunkId', '=', trunkId)
    .execute();
}

/** @returns whether there was one */
export async function deleteMaster(trx: WriteTransaction, trunkId: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('masters').where('trunkId', '=', trunkId).executeTakeFirst();
  return numDeletedRows > 0n;
}
