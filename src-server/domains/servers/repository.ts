import { sql } from 'kysely';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db, Schema } from '../../store/schema.ts';

type Row = Schema['panelServers'];

/** The server that was made active last; undefined = none has been. */
export const lastActive = (db: Db): Promise<Omit<Row, 'sourceGuid' | 'keptUntilMs'> | undefined> =>
  db
    .selectFrom('panelServers')
    .select(['id', 'name', 'address', 'keyProof', 'activeSinceMs'])
    .orderBy('activeSinceMs', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

/** Under what a server's core counts; undefined = it has never been active. */
export const sourceGuidOfServer = async (db: Db, id: string): Promise<string | undefined> =>
  (await db.selectFrom('panelServers').select('sourceGuid').where('id', '=', id).executeTakeFirst())?.sourceGuid;

/** Notes who is active from now on; what it counts under stays as it was first. */
export async function noteActive(
  trx: WriteTransaction,
  row: Pick<Row, 'id' | 'name' | 'address' | 'keyProof' | 'sourceGuid' | 'activeSinceMs'>,
): Promise<void> {
  const { name, address, keyProof, activeSinceMs } = row;
  await trx
    .insertInto('panelServers')
    .values({ ...row, keptUntilMs: 0 })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ name, address, keyProof, activeSinceMs, keptUntilMs: 0 }),
    )
    .execute();
}

export const setAddress = async (trx: WriteTransaction, id: string, address: string): Promise<void> =>
  void (await trx.updateTable('panelServers').set({ address }).where('id', '=', id).execute());

/** The place of the active panel is kept while it starts again. By the clock of the server: those of the machines differ. */
export const keepPlace = async (trx: WriteTransaction, id: string, forMs: number): Promise<void> =>
  void (await trx
    .updateTable('panelServers')
    .set({ keptUntilMs: sql<number>`CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) + ${forMs}` })
    .where('id', '=', id)
    .execute());

/** Whether another server's place is kept now. */
export async function isPlaceKept(db: Db, ownId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM panelServers
    WHERE id <> ${ownId} AND keptUntilMs > CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)`.execute(db);
  return rows.length > 0;
}
