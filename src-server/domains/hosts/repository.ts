import { sql } from 'kysely';
import { runBatch } from '../../store/batch.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db } from '../../store/schema.ts';
import type { HostRow } from './present.ts';
import { numbersIn } from '../../store/dialect/each-json.ts';

export type NewHostRow = Omit<HostRow, 'id'>;

export function allHosts(db: Db): Promise<HostRow[]> {
  return db.selectFrom('hosts').selectAll().orderBy('inboundId').orderBy('sortOrder').orderBy('id').execute();
}

export function hostsOf(db: Db, inboundId: number): Promise<HostRow[]> {
  return db
    .selectFrom('hosts')
    .selectAll()
    .where('inboundId', '=', inboundId)
    .orderBy('sortOrder')
    .orderBy('id')
    .execute();
}

export function hostsInGroup(db: Db, groupId: string): Promise<HostRow[]> {
  return db.selectFrom('hosts').selectAll().where('groupId', '=', groupId).orderBy('sortOrder').orderBy('id').execute();
}

export function hostById(db: Db, id: number): Promise<HostRow | undefined> {
  return db.selectFrom('hosts').selectAll().where('id', '=', id).executeTakeFirst();
}

/** How many of the inbounds exist. */
export async function countInbounds(trx: WriteTransaction, ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    SELECT count(*) AS found FROM inbounds WHERE id IN ${numbersIn(JSON.stringify(ids))}`.execute(trx);
  return rows[0]?.found ?? 0;
}

export async function insertHost(trx: WriteTransaction, row: NewHostRow): Promise<number> {
  return (await trx.insertInto('hosts').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

export async function replaceHost(trx: WriteTransaction, { id, ...row }: HostRow): Promise<void> {
  await trx.updateTable('hosts').set(row).where('id', '=', id).execute();
}

/** @returns number of hosts deleted. */
export async function deleteHosts(trx: WriteTransaction, ids: readonly number[]): Promise<number> {
  const { numAffectedRows } = await sql`
    DELETE FROM hosts WHERE id IN ${numbersIn(JSON.stringify(ids))}`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

export async function switchHosts(
  trx: WriteTransaction,
  ids: readonly number[],
  enable: 0 | 1,
  nowMs: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE hosts SET enable = ${enable}, updatedAtMs = ${nowMs}
    WHERE id IN ${numbersIn(JSON.stringify(ids))}`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/** Each id's position becomes its order. */
export async function orderHosts(trx: WriteTransaction, ids: readonly number[]): Promise<void> {
  const query = trx.updateTable('hosts').set({ sortOrder: 0 }).where('id', '=', 0);
  await runBatch(trx, query, [ids.map((_id, position) => position), [...ids]], ids.length);
}

/** Each group's position becomes the order of all its rows. */
export async function orderGroups(trx: WriteTransaction, groupIds: readonly string[]): Promise<void> {
  const query = trx.updateTable('hosts').set({ sortOrder: 0 }).where('groupId', '=', '');
  await runBatch(trx, query, [groupIds.map((_id, position) => position), [...groupIds]], groupIds.length);
}
