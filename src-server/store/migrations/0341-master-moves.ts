import type { Kysely } from 'kysely';

/** A master that moves tells its nodes where it will be; until it is there they find it where it was. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('masters')
    .addColumn('formerUrl', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
}
