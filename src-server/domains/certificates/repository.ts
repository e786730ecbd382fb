import type { Insertable } from 'kysely';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db, Row, Schema } from '../../store/schema.ts';

export type CertificateRow = Row<'certificates'>;

export function allCertificates(db: Db): Promise<CertificateRow[]> {
  return db.selectFrom('certificates').selectAll().orderBy('id').execute();
}

export function findCertificate(db: Db, id: number): Promise<CertificateRow | undefined> {
  return db.selectFrom('certificates').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The id of the certificate with this case-folded name. */
export async function idOfName(db: Db, nameKey: string): Promise<number | undefined> {
  return (await db.selectFrom('certificates').select('id').where('nameKey', '=', nameKey).executeTakeFirst())?.id;
}

export async function insertCertificate(
  trx: WriteTransaction,
  row: Insertable<Schema['certificates']>,
): Promise<number> {
  const { id } = await trx.insertInto('certificates').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function changeCertificate(
  trx: WriteTransaction,
  id: number,
  change: Partial<CertificateRow>,
): Promise<void> {
  await trx.updateTable('certificates').set(change).where('id', '=', id).execute();
}

/** Certificates that a command has requested. */
export function requestedCertificates(db: Db): Promise<CertificateRow[]> {
  return db.selectFrom('certificates').selectAll().where('askedAtMs', '>', 0).orderBy('id').execute();
}

export async function deleteCertificate(trx: WriteTransaction, id: number): Promise<void> {
  await trx.deleteFrom('certificates').where('id', '=', id).execute();
}

/** Inbounds of this machine, including disabled ones, whose transport contains one of these texts. */
export function inboundsNaming(
  db: Db,
  text: string,
): Promise<{ id: number; remark: string; tag: string; streamSettings: string }[]> {
  return db
    .selectFrom('inbounds')
    .select(['id', 'remark', 'tag', 'streamSettings'])
    .where('nodeId', 'is', null)
    .where('streamSettings', 'like', `%${text}%`)
    .orderBy('id')
    .execute();
}
