import { sql } from 'kysely';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db } from '../../store/schema.ts';
import type { EventRow } from './repository.ts';

/** Filter of the panel's list. */
interface Listed {
  kinds: readonly string[];
  /** Threshold for `cpu.high`: other subscribers may have a lower one. */
  cpuPercent: number;
}

const isAbove = (cpuPercent: number) =>
  sql<boolean>`(kind <> 'cpu.high' OR CAST(json_extract(facts, '$.percent') AS REAL) > ${cpuPercent})`;

export function listedEvents(
  db: Db,
  { kinds, cpuPercent, before, limit }: Listed & { before: number; limit: number },
): Promise<EventRow[]> {
  let query = db
    .selectFrom('events')
    .select(['id', 'kind', 'atMs', 'facts'])
    .where('summaryId', 'is', null)
    .where('kind', 'in', kinds)
    .where(isAbove(cpuPercent))
    .orderBy('id', 'desc')
    .limit(limit);
  if (before > 0) query = query.where('id', '<', before);
  return query.execute();
}

/** How many of these kinds came after `id`, counted up to `most`. */
export async function countAfter(db: Db, { kinds, cpuPercent }: Listed, id: number, most: number): Promise<number> {
  const found = await db
    .selectFrom('events')
    .select('id')
    .where('summaryId', 'is', null)
    .where('kind', 'in', kinds)
    .where(isAbove(cpuPercent))
    .where('id', '>', id)
    .limit(most)
    .execute();
  return found.length;
}

export async function queueCounts(
  db: Db,
): Promise<{ channel: string; state: string; count: number; lastError: string }[]> {
  const { rows } = await sql<{ channel: string; state: string; count: number; lastError: string }>`
    SELECT channel, state, count(*) AS count, max(lastError) AS lastError FROM deliveries
    WHERE state IN ('waiting', 'dead') GROUP BY channel, state`.execute(db);
  return rows;
}

export function deadDeliveries(db: Db, most: number) {
  return db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .select(['channel', 'attempts', 'lastError', 'events.id', 'events.kind', 'events.atMs', 'events.facts'])
    .where('state', '=', 'dead')
    .orderBy('eventId', 'desc')
    .limit(most)
    .execute();
}

/** The event of a delivery that was given up. */
export function deadDelivery(db: Db, channel: string, eventId: number): Promise<EventRow | undefined> {
  return db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .select(['events.id', 'events.kind', 'events.atMs', 'events.facts'])
    .where('channel', '=', channel)
    .where('eventId', '=', eventId)
    .where('state', '=', 'dead')
    .executeTakeFirst();
}

/**
 * Deletes old events without waiting deliveries, a few at a time. @returns how many, not counting members of summaries
 */
export async function pruneEvents(
  trx: WriteTransaction,
  { beforeMs, upToId, most }: { beforeMs: number; upToId: number; most: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM events WHERE id IN (
      SELECT id FROM events AS old WHERE (atMs < ${beforeMs} OR id <= ${upToId}) AND NOT EXISTS (
        SELECT 1 FROM deliveries WHERE eventId = old.id AND state = 'waiting'
      ) AND NOT EXISTS (
        SELECT 1 FROM events AS member JOIN deliveries ON deliveries.eventId = member.id
        WHERE member.summaryId = old.id AND state = 'waiting'
      ) ORDER BY id LIMIT ${most}
    )`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/** Gives up deliveries that have waited since before this time. */
export async function giveUpOld(trx: WriteTransaction, beforeMs: number): Promise<void> {
  await trx
    .updateTable('deliveries')
    .set({ state: 'dead' })
    .where('state', '=', 'waiting')
    .where('eventId', 'in', (query) => query.selectFrom('events').select('id').where('atMs', '<', beforeMs))
    .execute();
}

/** Waiting deliveries of channels that have long been unregistered. */
export async function dropUnknownChannels(
  trx: WriteTransaction,
  known: readonly string[],
  beforeMs: number,
): Promise<void> {
  await trx
    .deleteFrom('deliveries')
    .where('channel', 'not in', known)
    .where('state', '=', 'waiting')
    .where('dueAtMs', '<', beforeMs)
    .execute();
}
