import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db, Schema } from '../../store/schema.ts';

export async function viewsOf(db: Db, owner: string, page: string): Promise<{ name: string; view: string }[]> {
  return db
    .selectFrom('savedViews')
    .select(['name', 'view'])
    .where('owner', '=', owner)
    .where('page', '=', page)
    .orderBy('name')
    .execute();
}

export async function putView(trx: WriteTransaction, row: Schema['savedViews']): Promise<void> {
  const { view, updatedAtMs } = row;
  await trx
    .insertInto('savedViews')
    .values(row)
    .onConflict((conflict) => conflict.columns(['owner', 'page', 'name']).doUpdateSet({ view, updatedAtMs }))
    .execute();
}

export async function dropView(trx: WriteTransaction, owner: string, page: string, name: string): Promise<void> {
  await trx
    .deleteFrom('savedViews')
    .where('owner', '=', owner)
    .where('page', '=', page)
    .where('name', '=', name)
    .execute();
}
