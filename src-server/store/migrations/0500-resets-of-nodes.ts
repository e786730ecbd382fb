import type { Kysely } from 'kysely';

/** Nodes begin periods themselves, too: what they used since then must survive the reset that is due. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('nodeClients')
    .addColumn('resetCause', 'text', (column) => column.notNull().defaultTo('request'))
    .execute();
  await db.schema.alterTable('nodeInbounds').addColumn('remoteResetAtMs', 'integer').execute();
}
