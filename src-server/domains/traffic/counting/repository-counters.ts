import { sql } from 'kysely';
import type { Store, WriteTransaction } from '../../../store/open-store.ts';
import { addBaseline, type BaselineBook, type BaselineRow, type CounterKind } from './baselines.ts';
import { eachText } from '../../../store/dialect/each-json.ts';

/** Rows per read on the main thread: a few ms. */
const PAGE = 2_000;
const OWNER_OF: Record<CounterKind, string> = {
  user: '(SELECT id FROM clients WHERE email = j.value)',
  inbound: '(SELECT id FROM inbounds WHERE tag = j.value AND nodeId IS NULL)',
  outbound: 'NULL',
};

/** Id of a bookkeeping or counting source, created if missing. */
export async function sourceIdOf(
  trx: WriteTransaction,
  kind: 'core' | 'node' | 'reset' | 'manual' | 'opening',
  guid = '',
): Promise<number> {
  const found = await trx
    .selectFrom('trafficSources')
    .select('id')
    .where('kind', '=', kind)
    .where('guid', '=', guid)
    .executeTakeFirst();
  if (found !== undefined) return found.id;
  const added = await trx
    .insertInto('trafficSources')
    .values({ kind, guid, bootId: '' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return added.id;
}

/** The core whose baselines the database holds; empty when there is none. */
export async function storedBootOf(store: Store, sourceGuid: string): Promise<string> {
  const source = await store.reader
    .selectFrom('trafficSources')
    .select('bootId')
    .where('kind', '=', 'core')
    .where('guid', '=', sourceGuid)
    .executeTakeFirst();
  return source?.bootId ?? '';
}

/**
 * Makes `bootId` the boot that the source's baselines belong to. The baselines of another boot are dropped in the same
 * transaction: the panel started that process itself, so everything it counts is new.
 */
export async function enterBoot(trx: WriteTransaction, sourceId: number, bootId: string): Promise<void> {
  const source = await trx
    .selectFrom('trafficSources')
    .select('bootId')
    .where('id', '=', sourceId)
    .executeTakeFirstOrThrow();
  if (source.bootId === bootId) return;
  await trx.deleteFrom('counterBaselines').where('sourceId', '=', sourceId).execute();
  await trx.updateTable('trafficSources').set({ bootId }).where('id', '=', sourceId).execute();
}

/** Loads rows missing from the book from the table, in pages that yield to the event loop in between. */
export async function loadNewBaselines(store: Store, book: BaselineBook): Promise<void> {
  for (;;) {
    const { rows } = await sql<BaselineRow>`
      SELECT id, kind, subject, ownerId, upBytes, downBytes FROM counterBaselines
      WHERE id > ${book.maxId} AND sourceId = ${book.sourceId} ORDER BY id LIMIT ${PAGE}`.execute(store.reader);
    for (const row of rows) addBaseline(book, row);
    if (rows.length < PAGE) return;
    await new Promise(setImmediate);
  }
}

/**
 * Takes over owner changes of counters. Runs inside the transaction that credits them, so no other one is open.
 * @returns whether any owner changed
 */
export async function takeChangedOwners(trx: WriteTransaction, book: BaselineBook): Promise<boolean> {
  const { rows } = await sql<{ subject: string; ownerId: number | null }>`
    SELECT base.subject, base.ownerId FROM changedOwners AS changed
    CROSS JOIN counterBaselines AS base ON base.id = changed.baselineId AND base.sourceId = ${book.sourceId}`.execute(
    trx,
  );
  if (rows.length === 0) return false;
  // Changes for another server's core wait for the panel that books that one.
  await sql`DELETE FROM changedOwners WHERE NOT EXISTS (SELECT 1 FROM counterBaselines AS base
    WHERE base.id = changedOwners.baselineId AND base.sourceId <> ${book.sourceId})`.execute(trx);
  const { positions, owners } = book.tables.user;
  for (const { subject, ownerId } of rows) {
    // A counter missing from the book is read with its owner.
    const position = positions.get(subject);
    if (position !== undefined) owners[position] = ownerId ?? 0;
  }
  return true;
}

/** Creates zero baselines for new names, owned by the client that has the name now. Known names stay unchanged. */
export async function registerSubjects(
  trx: WriteTransaction,
  sourceId: number,
  kind: CounterKind,
  subjects: readonly string[],
): Promise<void> {
  await sql`INSERT INTO counterBaselines (sourceId, kind, subject, ownerId)
    SELECT ${sourceId}, ${kind}, j.value, ${sql.raw(OWNER_OF[kind])} FROM ${eachText(JSON.stringify(subjects))} AS j
    WHERE true ON CONFLICT (sourceId, kind, subject) DO NOTHING`.execute(trx);
}
