import type { Kysely } from 'kysely';

/** Panels that share this database, one of them active at a time. A panel whose database is a file has no row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('panelServers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('keyProof', 'text', (column) => column.notNull())
    .addColumn('sourceGuid', 'text', (column) => column.notNull())
    .addColumn('activeSinceMs', 'integer', (column) => column.notNull())
    .addColumn('keptUntilMs', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
