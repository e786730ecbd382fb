import type { Insertable, Updateable } from 'kysely';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db, Row, Schema } from '../../store/schema.ts';
import type { OutboundSubRow } from './present.ts';

export type StoredSub = Row<'outboundSubs'>;
export type NewSub = Insertable<Schema['outboundSubs']>;

const SHOWN = [
  'id',
  'remark',
  'url',
  'enabled',
  'allowPrivate',
  'prepend',
  'tagPrefix',
  'updateIntervalSec',
  'priority',
  'lastUpdatedAtMs',
  'lastError',
  'outboundCount',
  'leftOut',
  'createdAtMs',
  'updatedAtMs',
] as const;

/** Newest first. */
export function shownSubs(db: Db): Promise<OutboundSubRow[]> {
  return db.selectFrom('outboundSubs').select(SHOWN).orderBy('id', 'desc').execute();
}

/** In the order of their outbounds. */
export function orderedSubs(db: Db): Promise<OutboundSubRow[]> {
  return db.selectFrom('outboundSubs').select(SHOWN).orderBy('priority').orderBy('id').execute();
}

export function storedSub(db: Db, id: number): Promise<StoredSub | undefined> {
  return db.selectFrom('outboundSubs').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Prefixes and tags of the other subscriptions. */
export function claimsOfOthers(db: Db, id: number): Promise<{ tagPrefix: string; knownTags: string }[]> {
  return db.selectFrom('outboundSubs').select(['tagPrefix', 'knownTags']).where('id', '!=', id).execute();
}

export async function insertSub(trx: WriteTransaction, row: NewSub): Promise<number> {
  return (await trx.insertInto('outboundSubs').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

export async function changeSub(
  trx: WriteTransaction,
  id: number,
  change: Updateable<Schema['outboundSubs']>,
): Promise<void> {
  await trx.updateTable('outboundSubs').set(change).where('id', '=', id).execute();
}

/** @returns whether it existed. */
export async function deleteSub(trx: WriteTransaction, id: number): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('outboundSubs').where('id', '=', id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
