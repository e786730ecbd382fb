import type { Kysely } from 'kysely';

/** Where an enrolled node says that it listens, to follow it until the operator enters something else. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('nodes')
    .addColumn('seenPlace', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
}
