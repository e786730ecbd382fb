import { sql, type Kysely } from 'kysely';

/** Client plans, and which one each client has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('clientPlans')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('nameKey', 'text', (column) => column.notNull().unique())
    .addColumn('quotaBytes', 'bigint', (column) => column.notNull())
    .addColumn('days', 'integer', (column) => column.notNull())
    .addColumn('startsAtFirstUse', 'integer', (column) => column.notNull())
    .addColumn('resetDays', 'integer', (column) => column.notNull())
    .addColumn('resetDay', 'integer', (column) => column.notNull())
    .addColumn('limitIp', 'integer', (column) => column.notNull())
    .addColumn('groupName', 'text', (column) => column.notNull())
    .addColumn('flow', 'text', (column) => column.notNull())
    .addColumn('createdAtMs', 'bigint', (column) => column.notNull())
    .addColumn('updatedAtMs', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('clientPlanInbounds')
    .addColumn('planId', 'integer', (column) => column.notNull().references('clientPlans.id').onDelete('cascade'))
    .addColumn('inboundId', 'integer', (column) => column.notNull().references('inbounds.id').onDelete('cascade'))
    .addColumn('createdAtMs', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('clientPlanInboundsKey', ['planId', 'inboundId'])
    .execute();
  await db.schema
    .alterTable('clients')
    .addColumn('planId', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // Most clients of most panels have none.
  await db.schema
    .createIndex('clientsByPlan')
    .on('clients')
    .columns(['planId', 'id'])
    .where(sql.ref('planId'), '>', sql.lit(0))
    .execute();
}
