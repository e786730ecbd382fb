import { sql } from 'kysely';
import { foldText } from '../../store/fold-text.ts';
import type { Db } from '../../store/schema.ts';
import { eachText } from '../../store/dialect/each-json.ts';

/** The e-mail of a client; null when no client has this id. */
export async function emailOf(db: Db, id: number): Promise<string | null> {
  const row = await db.selectFrom('clients').select('email').where('id', '=', id).executeTakeFirst();
  return row?.email ?? null;
}

/** The e-mails of those of these clients that exist. */
export async function emailsOf(db: Db, ids: readonly number[]): Promise<string[]> {
  const rows = await db.selectFrom('clients').select('email').where('id', 'in', ids).orderBy('email').execute();
  return rows.map(({ email }) => email);
}

/** Clients with a messaging id, ordered by id. */
export async function idsOwnedBy(db: Db, telegramId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM clients WHERE tgId = ${telegramId} AND tgId > 0 ORDER BY id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Ids and messaging ids of these clients; unknown ids are left out. */
export async function identitiesOf(
  db: Db,
  emails: readonly string[],
): Promise<{ id: number; email: string; tgId: number }[]> {
  const keys = JSON.stringify(emails.map((email) => foldText(email)));
  const { rows } = await sql<{ id: number; email: string; tgId: number }>`
    SELECT client.id, client.email, client.tgId FROM ${eachText(keys)} AS wanted
    CROSS JOIN clients AS client ON client.emailKey = wanted.value`.execute(db);
  return rows;
}
