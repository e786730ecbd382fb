import type { Insertable } from 'kysely';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db, Row, Schema } from '../../store/schema.ts';

export type WebhookRow = Row<'webhooks'>;
export type AttemptRow = Row<'webhookAttempts'>;

export function allWebhooks(db: Db): Promise<WebhookRow[]> {
  return db.selectFrom('webhooks').selectAll().orderBy('id').execute();
}

export async function insertWebhook(trx: WriteTransaction, row: Insertable<Schema['webhooks']>): Promise<number> {
  const { id } = await trx.insertInto('webhooks').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function updateWebhook(trx: WriteTransaction, id: number, change: Partial<WebhookRow>): Promise<void> {
  await trx.updateTable('webhooks').set(change).where('id', '=', id).execute();
}

export async function deleteWebhook(trx: WriteTransaction, id: number): Promise<void> {
  await trx.deleteFrom('webhooks').where('id', '=', id).execute();
}

/** Records a request and deletes those beyond the last `most` of this webhook. */
export async function noteAttempt(
  trx: WriteTransaction,
  attempt: Insertable<Schema['webhookAttempts']>,
  most: number,
): Promise<AttemptRow | null> {
  const isKnown = await trx.selectFrom('webhooks').select('id').where('id', '=', attempt.webhookId).executeTakeFirst();
  if (isKnown === undefined) return null;
  const row = await trx.insertInto('webhookAttempts').values(attempt).returningAll().executeTakeFirstOrThrow();
  await trx
    .deleteFrom('webhookAttempts')
    .where('webhookId', '=', attempt.webhookId)
    .where('id', '<=', (query) =>
      query
        .selectFrom('webhookAttempts')
        .select('id')
        .where('webhookId', '=', attempt.webhookId)
        .orderBy('id', 'desc')
        .limit(1)
        .offset(most),
    )
    .execute();
  return row;
}

export function attemptsOf(db: Db, webhookId: number): Promise<AttemptRow[]> {
  return db
    .selectFrom('webhookAttempts')
    .selectAll()
    .where('webhookId', '=', webhookId)
    .orderBy('id', 'desc')
    .execute();
}

export function findAttempt(db: Db, id: number): Promise<AttemptRow | undefined> {
  return db.selectFrom('webhookAttempts').selectAll().where('id', '=', id).executeTakeFirst();
}
