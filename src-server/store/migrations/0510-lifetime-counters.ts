import type { Kysely } from 'kysely';

/** Counters that no reset touches, so that panels above miss nothing that was used just before one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['resetUpBytes', 'resetDownBytes'])
    await db.schema
      .alterTable('clientStates')
      .addColumn(column, 'integer', (definition) => definition.notNull().defaultTo(0))
      .execute();
  for (const column of ['lifetimeUpBytes', 'lifetimeDownBytes'])
    await db.schema.alterTable('nodeClients').addColumn(column, 'integer').execute();
}
