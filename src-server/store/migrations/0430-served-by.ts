import type { Kysely } from 'kysely';

/** Several panels on one database run cores at once: each inbound may name the server whose core runs it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('inbounds').addColumn('serverId', 'text').execute();
  await db.schema
    .alterTable('panelServers')
    .addColumn('seenAtMs', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('panelServers')
    .addColumn('coreReport', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
}
