import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db, Flag, Row } from '../../store/schema.ts';

export type ApiTokenRow = Row<'apiTokens'>;

export function listTokens(db: Db): Promise<ApiTokenRow[]> {
  return db.selectFrom('apiTokens').selectAll().orderBy('id').execute();
}

export async function hasTokenNamed(db: Db, name: string): Promise<boolean> {
  const found = await db.selectFrom('apiTokens').select('id').where('name', '=', name).executeTakeFirst();
  return found !== undefined;
}

export function insertToken(
  trx: WriteTransaction,
  token: Pick<ApiTokenRow, 'name' | 'tokenHash' | 'createdAtMs'>,
): Promise<ApiTokenRow> {
  return trx
    .insertInto('apiTokens')
    .values({ ...token, enabled: 1 })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteToken(trx: WriteTransaction, id: number): Promise<void> {
  await trx.deleteFrom('apiTokens').where('id', '=', id).execute();
}

/** @returns false when there is no such token. */
export async function setTokenEnabled(trx: WriteTransaction, id: number, enabled: Flag): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('apiTokens')
    .set({ enabled })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export function findEnabledByHash(db: Db, tokenHash: string): Promise<ApiTokenRow | undefined> {
  return db
    .selectFrom('apiTokens')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('enabled', '=', 1)
    .executeTakeFirst();
}

export async function hasEnabledToken(db: Db): Promise<boolean> {
  const found = await db.selectFrom('apiTokens').select('id').where('enabled', '=', 1).limit(1).executeTakeFirst();
  return found !== undefined;
}
