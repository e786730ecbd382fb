import { lastIdOf } from '../../store/dialect/last-id.ts';
import { runBatch } from '../../store/batch.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db, Schema } from '../../store/schema.ts';
import type { StoredEvent } from './channel.ts';
import type { EventKind } from './contract.ts';

export interface NewEvent extends StoredEvent {
  summaryId: number | null;
}
export interface NewDelivery {
  channel: string;
  eventId: number;
  dueAtMs: number;
}
export interface DueDelivery {
  event: StoredEvent;
  attempts: number;
}

export interface EventRow {
  id: number;
  kind: string;
  atMs: number;
  facts: string;
}
export const toEvent = ({ id, kind, atMs, facts }: EventRow): StoredEvent => ({
  id,
  kind: kind as EventKind,
  atMs,
  facts: JSON.parse(facts) as StoredEvent['facts'],
});

/** The largest id ever given. */
export const lastEventId = (db: Db): Promise<number> => lastIdOf(db, 'events');

export async function insertEvents(trx: WriteTransaction, events: readonly NewEvent[]): Promise<void> {
  const query = trx.insertInto('events').values({ id: 0, kind: '', atMs: 0, facts: '', summaryId: null as never });
  await runBatch(
    trx,
    query,
    [
      events.map(({ id }) => id),
      events.map(({ kind }) => kind),
      events.map(({ atMs }) => atMs),
      events.map(({ facts }) => JSON.stringify(facts)),
      events.map(({ summaryId }) => summaryId),
    ],
    events.length,
  );
}

export async function insertDeliveries(trx: WriteTransaction, deliveries: readonly NewDelivery[]): Promise<void> {
  const query = trx
    .insertInto('deliveries')
    .values({ channel: '', eventId: 0, state: 'waiting', attempts: 0, dueAtMs: 0, lastError: '' })
    .onConflict((conflict) => conflict.doNothing());
  await runBatch(
    trx,
    query,
    [
      deliveries.map(({ channel }) => channel),
      deliveries.map(({ eventId }) => eventId),
      ['waiting'],
      [0],
      deliveries.map(({ dueAtMs }) => dueAtMs),
      [''],
    ],
    deliveries.length,
  );
}

/** Makes events members of a summary; summarised channels get only the summary. */
export async function joinSummary(
  trx: WriteTransaction,
  summaryId: number,
  memberIds: readonly number[],
  channels: readonly string[],
): Promise<void> {
  if (memberIds.length === 0) return;
  await trx.updateTable('events').set({ summaryId }).where('id', 'in', memberIds).execute();
  if (channels.length === 0) return;
  await trx.deleteFrom('deliveries').where('eventId', 'in', memberIds).where('channel', 'in', channels).execute();
}

export async function growSummary(
  trx: WriteTransaction,
  id: number,
  facts: StoredEvent['facts'],
  dueAtMs: number,
): Promise<void> {
  await trx
    .updateTable('events')
    .set({ facts: JSON.stringify(facts) })
    .where('id', '=', id)
    .execute();
  await trx.updateTable('deliveries').set({ dueAtMs }).where('eventId', '=', id).execute();
}

/** Due deliveries of this channel, oldest first; one due after `latestMs` was noted by a clock that was ahead. */
export async function dueDeliveries(
  db: Db,
  channel: string,
  { nowMs, latestMs, most }: { nowMs: number; latestMs: number; most: number },
): Promise<DueDelivery[]> {
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .select(['events.id', 'events.kind', 'events.atMs', 'events.facts', 'deliveries.attempts'])
    .where('channel', '=', channel)
    .where('state', '=', 'waiting')
    .where((eb) => eb.or([eb('dueAtMs', '<=', nowMs), eb('dueAtMs', '>', latestMs)]))
    .orderBy('dueAtMs')
    .orderBy('eventId')
    .limit(most)
    .execute();
  return rows.map(({ attempts, ...event }) => ({ event: toEvent(event), attempts }));
}

/** When the next delivery of a channel is due; null = none waits. */
export async function nextDueAtMs(db: Db, channel: string): Promise<number | null> {
  const row = await db
    .selectFrom('deliveries')
    .select('dueAtMs')
    .where('channel', '=', channel)
    .where('state', '=', 'waiting')
    .orderBy('dueAtMs')
    .limit(1)
    .executeTakeFirst();
  return row?.dueAtMs ?? null;
}

export async function settleDelivery(
  trx: WriteTransaction,
  channel: string,
  eventId: number,
  change: Partial<Pick<Schema['deliveries'], 'state' | 'attempts' | 'dueAtMs' | 'lastError'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('deliveries')
    .set(change)
    .where('channel', '=', channel)
    .where('eventId', '=', eventId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function dropDelivery(trx: WriteTransaction, channel: string, eventId: number): Promise<void> {
  await trx.deleteFrom('deliveries').where('channel', '=', channel).where('eventId', '=', eventId).execute();
}

/** Deletes the deliveries of a removed channel. */
export async function dropChannel(trx: WriteTransaction, channel: string): Promise<void> {
  await trx.deleteFrom('deliveries').where('channel', '=', channel).execute();
}
