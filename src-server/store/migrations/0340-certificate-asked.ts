import type { Kysely } from 'kysely';

/** A command asks the running panel for a certificate: the panel has the ports on which authorities ask. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('certificates')
    .addColumn('askedAtMs', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
