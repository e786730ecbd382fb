import type { Kysely } from 'kysely';

/** A master that moves tells its nodes its new address; until it is there they find it at the old one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('masters')
    .addColumn('formerUrl', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
}
