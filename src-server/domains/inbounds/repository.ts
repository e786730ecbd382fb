import type { Insertable, Updateable } from 'kysely';
import { foldText } from '../../store/fold-text.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db, Row, Schema } from '../../store/schema.ts';

/** Reads work with a reader and inside a transaction alike. */
export type Database = Db | WriteTransaction;
export type InboundRow = Row<'inbounds'>;
export type FallbackRow = Row<'inboundFallbacks'>;

export function allInbounds(db: Database): Promise<InboundRow[]> {
  return db.selectFrom('inbounds').selectAll().orderBy('id').execute();
}

export async function findInbound(db: Database, id: number): Promise<InboundRow | null> {
  return (await db.selectFrom('inbounds').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Inbounds that could conflict with a place: those on the port, and those on the same unix socket. */
export function inboundsNear(db: Database, port: number, socket: string | null): Promise<InboundRow[]> {
  const query = db.selectFrom('inbounds').selectAll().orderBy('id');
  if (socket === null) return query.where('port', '=', port).execute();
  return query.where((eb) => eb.or([eb('listen', '=', socket), eb('listen', 'like', `${socket},%`)])).execute();
}

/** @param exceptId an inbound that may keep the tag; 0 = none. */
export async function isTagTaken(db: Database, tag: string, exceptId: number): Promise<boolean> {
  const found = await db
    .selectFrom('inbounds')
    .select('id')
    .where('tag', '=', tag)
    .where('id', '<>', exceptId)
    .executeTakeFirst();
  return found !== undefined;
}

export async function insertInbound(
  trx: WriteTransaction,
  values: Omit<Insertable<Schema['inbounds']>, 'id'>,
): Promise<number> {
  const { id } = await trx.insertInto('inbounds').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateInbound(
  trx: WriteTransaction,
  id: number,
  values: Updateable<Schema['inbounds']>,
): Promise<void> {
  await trx.updateTable('inbounds').set(values).where('id', '=', id).execute();
}

/** The row and every fallback rule it is master or child of. */
export async function deleteInbound(trx: WriteTransaction, id: number): Promise<void> {
  await trx
    .deleteFrom('inboundFallbacks')
    .where((eb) => eb.or([eb('masterId', '=', id), eb('childId', '=', id)]))
    .execute();
  await trx.deleteFrom('inbounds').where('id', '=', id).execute();
}

export function inboundsWithReset(db: Database, period: string): Promise<{ id: number }[]> {
  return db.selectFrom('inbounds').select('id').where('trafficReset', '=', period).orderBy('id').execute();
}

export function fallbacksOfMaster(db: Database, masterId: number): Promise<FallbackRow[]> {
  return db
    .selectFrom('inboundFallbacks')
    .selectAll()
    .where('masterId', '=', masterId)
    .orderBy('sortOrder')
    .orderBy('id')
    .execute();
}

/** All rules that lead to an inbound; of each child, the first one comes first. */
export function rulesWithChild(db: Database): Promise<Pick<FallbackRow, 'masterId' | 'childId' | 'path'>[]> {
  return db
    .selectFrom('inboundFallbacks')
    .select(['masterId', 'childId', 'path'])
    .where('childId', '>', 0)
    .orderBy('sortOrder')
    .orderBy('id')
    .execute();
}

/** Inbounds whose emitted fallbacks depend on where this one listens. */
export async function mastersOfChild(db: Database, childId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('inboundFallbacks')
    .select('masterId')
    .distinct()
    .where('childId', '=', childId)
    .orderBy('masterId')
    .execute();
  return rows.map((row) => row.masterId);
}

export async function replaceFallbackRows(
  trx: WriteTransaction,
  masterId: number,
  rows: readonly Omit<FallbackRow, 'id' | 'masterId'>[],
): Promise<void> {
  await trx.deleteFrom('inboundFallbacks').where('masterId', '=', masterId).execute();
  for (const row of rows)
    await trx
      .insertInto('inboundFallbacks')
      .values({ ...row, masterId })
      .execute();
}

/** E-mails per statement: a fixed chunk keeps the prepared statements few. */
const CHUNK = 400;

/** Every attachment of these clients, by inbound. */
export async function inboundsCarrying(db: Database, emails: readonly string[]): Promise<Map<number, string[]>> {
  const carried = new Map<number, string[]>();
  for (let at = 0; at < emails.length; at += CHUNK) {
    const rows = await db
      .selectFrom('clients as client')
      .innerJoin('clientInbounds as link', 'link.clientId', 'client.id')
      .select(['client.email', 'link.inboundId'])
      .where('client.emailKey', 'in', emails.slice(at, at + CHUNK).map(foldText))
      .orderBy('client.id')
      .execute();
    for (const { inboundId, email } of rows) {
      const known = carried.get(inboundId);
      if (known === undefined) carried.set(inboundId, [email]);
      else known.push(email);
    }
  }
  return carried;
}
