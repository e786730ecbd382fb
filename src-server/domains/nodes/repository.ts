import { sql, type Insertable, type Updateable } from 'kysely';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db, NodeTable } from '../../store/schema.ts';
import type { NodeRow } from './stored-types.ts';
import { eachText } from '../../store/dialect/each-json.ts';

/** By id. */
export function allNodes(db: Db): Promise<NodeRow[]> {
  return db.selectFrom('nodes').selectAll().orderBy('id').execute();
}

export async function findNode(db: Db, id: number): Promise<NodeRow | null> {
  return (await db.selectFrom('nodes').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Whether something is marked for the node; also true when it no longer exists. */
export async function isDirty(db: Db, id: number): Promise<boolean> {
  const node = await db.selectFrom('nodes').select('configDirty').where('id', '=', id).executeTakeFirst();
  return node?.configDirty !== 0;
}

export async function isNameTaken(db: Db, name: string): Promise<boolean> {
  const found = await db.selectFrom('nodes').select('id').where('name', '=', name).executeTakeFirst();
  return found !== undefined;
}

/** @returns the new id */
export async function insertNode(trx: WriteTransaction, row: Insertable<NodeTable>): Promise<number> {
  return (await trx.insertInto('nodes').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

export async function updateNode(trx: WriteTransaction, id: number, values: Updateable<NodeTable>): Promise<void> {
  await trx.updateTable('nodes').set(values).where('id', '=', id).execute();
}

/** Current e-mails of the clients that the node knows by these names; names of the node's own clients are omitted. */
export async function emailsByNames(
  db: Db,
  nodeId: number,
  emailKeys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ emailKey: string; email: string }>`SELECT held.emailKey, client.email
    FROM ${eachText(JSON.stringify(emailKeys))} AS j CROSS JOIN nodeClients AS held
      ON held.nodeId = ${nodeId} AND held.emailKey = j.value AND held.emailKey <> ''
    JOIN clients AS client ON client.id = held.clientId`.execute(db);
  return new Map(rows.map(({ emailKey, email }) => [emailKey, email]));
}

/** Inbounds on the node and behind it: their tags here and there, and the panel each one runs on. */
export function hostedTags(
  db: Db,
  nodeId: number,
): Promise<{ tag: string; remoteTag: string; originNodeGuid: string }[]> {
  return db
    .selectFrom('nodeInbounds as held')
    .innerJoin('inbounds as inbound', 'inbound.id', 'held.inboundId')
    .select(['inbound.tag', 'held.remoteTag', 'inbound.originNodeGuid'])
    .where('held.nodeId', '=', nodeId)
    .where('held.remoteTag', '<>', '')
    .execute();
}

export async function countInbounds(trx: WriteTransaction, nodeId: number): Promise<number> {
  const { count } = await trx
    .selectFrom('inbounds')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('nodeId', '=', nodeId)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Deletes the node with its records of held items and sightings.
 * @param guid GUID that no other node has; empty = none
 */
export async function deleteNode(trx: WriteTransaction, id: number, guid: string): Promise<void> {
  const observers = [`node:${id}`, ...(guid === '' ? [] : [guid])];
  await trx.deleteFrom('clientAddresses').where('guid', 'in', observers).execute();
  await trx.deleteFrom('nodeClients').where('nodeId', '=', id).execute();
  await trx.deleteFrom('nodeInbounds').where('nodeId', '=', id).execute();
  await trx.deleteFrom('nodes').where('id', '=', id).execute();
}

/** Nodes through which inbounds of this panel have arrived. */
export async function hostsOfOrigin(db: Db, guid: string): Promise<number[]> {
  const rows = await db
    .selectFrom('inbounds')
    .select('nodeId')
    .distinct()
    .where('originNodeGuid', '=', guid)
    .where('nodeId', 'is not', null)
    .execute();
  return rows.flatMap(({ nodeId }) => (nodeId === null ? [] : [nodeId]));
}
