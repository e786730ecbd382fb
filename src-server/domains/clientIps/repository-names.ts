import { sql } from 'kysely';
import { foldText } from '../../store/fold-text.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import { textsIn } from '../../store/dialect/each-json.ts';

/** Moves the addresses of a renamed client; those stored under the new name belonged to another client. */
export async function moveAddresses(trx: WriteTransaction, from: string, to: string): Promise<void> {
  const [fromKey, toKey] = [foldText(from), foldText(to)];
  if (fromKey !== toKey) await trx.deleteFrom('clientAddresses').where('emailKey', '=', toKey).execute();
  await trx
    .updateTable('clientAddresses')
    .set({ emailKey: toKey, email: to })
    .where('emailKey', '=', fromKey)
    .execute();
}

/** Deletes the sightings of these clients. */
export async function dropAddresses(trx: WriteTransaction, emails: readonly string[]): Promise<void> {
  const keys = JSON.stringify(emails.map(foldText));
  await sql`DELETE FROM clientAddresses WHERE emailKey IN ${textsIn(keys)}`.execute(trx);
}
