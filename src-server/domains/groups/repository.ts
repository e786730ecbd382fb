import { sql } from 'kysely';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db, Schema } from '../../store/schema.ts';
import { textsIn } from '../../store/dialect/each-json.ts';

export interface MemberSums {
  name: string;
  clientCount: number;
  upBytes: number;
  downBytes: number;
}

/** Traffic of the members of each label in use. For the thread of long reads: it scans every member. */
export async function memberSums(db: Db): Promise<MemberSums[]> {
  const { rows } = await sql<MemberSums>`
    SELECT client.groupName AS name, count(*) AS clientCount, sum(state.upBytes) AS upBytes, sum(state.downBytes) AS downBytes
    FROM clients AS client JOIN clientStates AS state ON state.clientId = client.id
    WHERE client.groupName <> '' GROUP BY client.groupName`.execute(db);
  return rows;
}

export async function storedGroups(db: Db): Promise<Schema['clientGroups'][]> {
  return db.selectFrom('clientGroups').selectAll().execute();
}

/** E-mails of up to `limit` members after a record id, by id. */
export async function membersAfter(
  db: Db,
  name: string,
  afterId: number,
  limit: number,
): Promise<{ id: number; email: string }[]> {
  return db
    .selectFrom('clients')
    .select(['id', 'email'])
    .where('groupName', '=', name)
    .where('groupName', '<>', '')
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Whether a group is stored or any client carries its label. */
export async function groupExists(trx: WriteTransaction, name: string): Promise<boolean> {
  const { rows } = await sql<{ exists: 0 | 1 }>`
    SELECT EXISTS (SELECT 1 FROM clientGroups WHERE name = ${name})
      OR EXISTS (SELECT 1 FROM clients WHERE groupName = ${name} AND groupName <> '') AS "exists"`.execute(trx);
  return rows[0]?.exists === 1;
}

export async function insertGroup(trx: WriteTransaction, name: string, nowMs: number): Promise<void> {
  await trx
    .insertInto('clientGroups')
    .values({ name, upBaselineBytes: 0, downBaselineBytes: 0, createdAtMs: nowMs, updatedAtMs: nowMs })
    .execute();
}

/** Renames the stored row; its baseline stays. */
export async function renameRow(trx: WriteTransaction, from: string, to: string, nowMs: number): Promise<void> {
  await trx.updateTable('clientGroups').set({ name: to, updatedAtMs: nowMs }).where('name', '=', from).execute();
}

/** Renames the group that plans give to new clients. */
export async function renameInPlans(trx: WriteTransaction, from: string, to: string, nowMs: number): Promise<void> {
  await trx
    .updateTable('clientPlans')
    .set({ groupName: to, updatedAtMs: nowMs })
    .where('groupName', '=', from)
    .execute();
}

export async function deleteRow(trx: WriteTransaction, name: string): Promise<void> {
  await trx.deleteFrom('clientGroups').where('name', '=', name).execute();
}

/** Replaces a label on all its members; empty `to` clears it. @returns number of members. */
export async function relabel(trx: WriteTransaction, from: string, to: string, nowMs: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('clients')
    .set({ groupName: to, updatedAtMs: nowMs })
    .where('groupName', '=', from)
    .where('groupName', '<>', '')
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Labels the clients with these folded e-mails; empty clears. @returns number of clients whose label changed. */
export async function labelClients(
  trx: WriteTransaction,
  emailKeys: readonly string[],
  name: string,
  nowMs: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE clients SET groupName = ${name}, updatedAtMs = ${nowMs}
    WHERE groupName <> ${name} AND emailKey IN ${textsIn(JSON.stringify(emailKeys))}`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/** Clients with these folded e-mails whose label differs from `name`. */
export async function labelsOf(
  trx: WriteTransaction,
  emailKeys: readonly string[],
  name: string,
): Promise<{ email: string; groupName: string }[]> {
  const { rows } = await sql<{ email: string; groupName: string }>`
    SELECT email, groupName FROM clients
    WHERE groupName <> ${name} AND emailKey IN ${textsIn(JSON.stringify(emailKeys))}`.execute(trx);
  return rows;
}

/** Sets the baseline to the current traffic of the members. */
export async function setBaseline(trx: WriteTransaction, name: string, nowMs: number): Promise<void> {
  await sql`
    INSERT INTO clientGroups (name, upBaselineBytes, downBaselineBytes, createdAtMs, updatedAtMs)
    SELECT ${name}, coalesce(sum(state.upBytes), 0), coalesce(sum(state.downBytes), 0), ${nowMs}, ${nowMs}
    FROM clients AS client JOIN clientStates AS state ON state.clientId = client.id
    WHERE client.groupName = ${name} AND client.groupName <> ''
    ON CONFLICT (name) DO UPDATE SET upBaselineBytes = excluded.upBaselineBytes,
      downBaselineBytes = excluded.downBaselineBytes, updatedAtMs = excluded.updatedAtMs`.execute(trx);
}
