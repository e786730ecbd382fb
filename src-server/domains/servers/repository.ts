import { sql, type Selectable } from 'kysely';
import type { WriteTransaction } from '../../store/open-store.ts';
import { PRESENCE_KEY } from '../../store/postgres/shared-names.ts';
import type { Db, Schema } from '../../store/schema.ts';

type Row = Selectable<Schema['panelServers']>;

/** The server that became active last; undefined = none has. */
export const lastActive = (
  db: Db,
): Promise<Pick<Row, 'id' | 'name' | 'address' | 'keyProof' | 'activeSinceMs'> | undefined> =>
  db
    .selectFrom('panelServers')
    .select(['id', 'name', 'address', 'keyProof', 'activeSinceMs'])
    .orderBy('activeSinceMs', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

/** Source GUID of a server's core; undefined = the server is new. */
export const sourceGuidOfServer = async (db: Db, id: string): Promise<string | undefined> =>
  (await db.selectFrom('panelServers').select('sourceGuid').where('id', '=', id).executeTakeFirst())?.sourceGuid;

/** Records the active server; its source GUID stays as first recorded. */
export async function noteActive(
  trx: WriteTransaction,
  row: Pick<Row, 'id' | 'name' | 'address' | 'keyProof' | 'sourceGuid' | 'activeSinceMs'>,
): Promise<void> {
  const { name, address, keyProof, activeSinceMs } = row;
  await trx
    .insertInto('panelServers')
    .values({ ...row, keptUntilMs: 0 })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ name, address, keyProof, activeSinceMs, keptUntilMs: 0, coreReport: '' }),
    )
    .execute();
}

/** Records a standby server; its source GUID stays as first recorded. */
export async function noteStandby(
  trx: WriteTransaction,
  row: Pick<Row, 'id' | 'name' | 'address' | 'keyProof' | 'sourceGuid'>,
): Promise<void> {
  const { name, address, keyProof } = row;
  await trx
    .insertInto('panelServers')
    .values({ ...row, activeSinceMs: 0 })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name, address, keyProof, coreReport: '' }))
    .execute();
}

const SERVER_CLOCK = sql<number>`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`;

export const noteSeen = async (trx: WriteTransaction, id: string): Promise<void> =>
  void (await trx.updateTable('panelServers').set({ seenAtMs: SERVER_CLOCK }).where('id', '=', id).execute());

export const setCoreReport = async (trx: WriteTransaction, id: string, coreReport: string): Promise<void> =>
  void (await trx.updateTable('panelServers').set({ coreReport }).where('id', '=', id).execute());

/** Every server, whether it is connected now, and how many inbounds are assigned to it. */
export async function allServers(
  db: Db,
): Promise<(Omit<Row, 'keyProof' | 'sourceGuid' | 'keptUntilMs'> & { isConnected: number; inboundCount: number })[]> {
  const { rows } = await sql<Awaited<ReturnType<typeof allServers>>[number]>`
    SELECT server.id, server.name, server.address, server.activeSinceMs, server.seenAtMs, server.coreReport,
      EXISTS (SELECT 1 FROM pg_locks AS held WHERE held.locktype = 'advisory' AND held.granted AND held.objsubid = 2
        AND held.classid = ${PRESENCE_KEY} AND CAST(held.objid AS bigint) = CAST(hashtext(server.id) AS bigint) & 4294967295
        AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS isConnected,
      (SELECT count(*) FROM inbounds WHERE inbounds.serverId = server.id) AS inboundCount
    FROM panelServers AS server ORDER BY server.name, server.id`.execute(db);
  return rows;
}

export const isServerKnown = async (db: Db, id: string): Promise<boolean> =>
  (await db.selectFrom('panelServers').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

export const setAddress = async (trx: WriteTransaction, id: string, address: string): Promise<void> =>
  void (await trx.updateTable('panelServers').set({ address }).where('id', '=', id).execute());

/**
 * Reserves the active role while its panel restarts. Uses the database server's clock, since the machines' clocks
 * differ.
 */
export const keepPlace = async (trx: WriteTransaction, id: string, forMs: number): Promise<void> =>
  void (await trx
    .updateTable('panelServers')
    .set({ keptUntilMs: sql<number>`${SERVER_CLOCK} + ${forMs}` })
    .where('id', '=', id)
    .execute());

/** Whether another server's active role is reserved now. */
export async function isPlaceKept(db: Db, ownId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM panelServers
    WHERE id <> ${ownId} AND keptUntilMs > ${SERVER_CLOCK}`.execute(db);
  return rows.length > 0;
}
