import type { Kysely } from 'kysely';

/** A command asks the running panel to obtain a certificate: the panel holds the ports that authorities contact. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('certificates')
    .addColumn('askedAtMs', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
