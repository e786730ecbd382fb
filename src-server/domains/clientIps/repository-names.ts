import { sql } from 'kysely';
import { foldText } from '../../store/fold-text.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import { textsIn } from '../../store/dialect/each-json.ts';

/** The addresses of a renamed client go with it; what was known under its new name was another client's. */
export async function moveAddresses(trx: WriteTransaction, from: string, to: string): Promise<void> {
  const [fromKey, toKey] = [foldText(from), foldText(to)];
  if (fromKey !== toKey) await trx.deleteFrom('clientAddresses').where('emailKey', '=', toKey).execute();
  await trx
    .updateTable('clientAddresses')
    .set({ emailKey: toKey, email: to })
    .where('emailKey', '=', fromKey)
    .execute();
}

/** Forgets where these clients were seen. */
export async function dropAddresses(trx: WriteTransaction, emails: readonly string[]): Promise<void> {
  const keys = JSON.stringify(emails.map(foldText));
  await sql`DELETE FROM clientAddresses WHERE emailKey IN ${textsIn(keys)}`.execute(trx);
}
