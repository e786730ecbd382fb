import { sql } from 'kysely';
import type { Db } from '../../store/schema.ts';
import { eachText } from '../../store/dialect/each-json.ts';

/** A possible recipient. */
export interface Addressee {
  clientId: number;
  email: string;
  emailKey: string;
  subId: string;
  /** It has opted out. */
  isStopped: 0 | 1;
}

const COLUMNS = sql`client.id AS clientId, client.email, client.emailKey, client.subId, stop.clientId IS NOT NULL AS isStopped`;

/** Clients with these folded e-mails; unknown ones are left out. */
export async function addresseesOf(db: Db, keys: readonly string[]): Promise<Addressee[]> {
  const { rows } = await sql<Addressee>`
    SELECT ${COLUMNS} FROM ${eachText(JSON.stringify(keys))} AS wanted
    CROSS JOIN clients AS client ON client.emailKey = wanted.value
    LEFT JOIN clientMailStops AS stop ON stop.clientId = client.id`.execute(db);
  return rows;
}

export async function addresseeOf(db: Db, clientId: number): Promise<Addressee | null> {
  const { rows } = await sql<Addressee>`
    SELECT ${COLUMNS} FROM clients AS client LEFT JOIN clientMailStops AS stop ON stop.clientId = client.id
    WHERE client.id = ${clientId}`.execute(db);
  return rows[0] ?? null;
}

/** @param atMs null = opts in again */
export async function setMailStop(trx: Db, clientId: number, atMs: number | null): Promise<void> {
  if (atMs === null) await trx.deleteFrom('clientMailStops').where('clientId', '=', clientId).execute();
  else
    await trx
      .insertInto('clientMailStops')
      .values({ clientId, atMs })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
