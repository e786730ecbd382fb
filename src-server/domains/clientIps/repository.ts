import { sql } from 'kysely';
import { runBatch } from '../../store/batch.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db, Schema } from '../../store/schema.ts';
import { eachText, textsIn } from '../../store/dialect/each-json.ts';

/** One sighting of a client at an address. */
export type Sighting = Schema['clientAddresses'];

/** Addresses kept per client and observer; beyond that the oldest are dropped. */
export const MAX_ADDRESSES = 64;

/** Stores sightings; the newer time of an address wins. Then drops addresses beyond the bound for each given client. */
export async function storeSightings(trx: WriteTransaction, sightings: readonly Sighting[]): Promise<void> {
  await runBatch(
    trx,
    sql`INSERT INTO clientAddresses (emailKey, guid, ip, email, seenAtSec) VALUES (${''}, ${''}, ${''}, ${''}, ${0})
      ON CONFLICT (emailKey, guid, ip) DO UPDATE SET seenAtSec = excluded.seenAtSec, email = excluded.email
      WHERE excluded.seenAtSec > clientAddresses.seenAtSec`,
    [
      sightings.map(({ emailKey }) => emailKey),
      sightings.map(({ guid }) => guid),
      sightings.map(({ ip }) => ip),
      sightings.map(({ email }) => email),
      Float64Array.from(sightings, ({ seenAtSec }) => seenAtSec),
    ],
    sightings.length,
  );
  const keys = JSON.stringify([...new Set(sightings.map(({ emailKey }) => emailKey))]);
  await sql`DELETE FROM clientAddresses WHERE (emailKey, guid, ip) IN (SELECT emailKey, guid, ip FROM (
      SELECT emailKey, guid, ip, row_number() OVER (PARTITION BY emailKey, guid ORDER BY seenAtSec DESC, ip) AS place
      FROM clientAddresses WHERE emailKey IN ${textsIn(keys)}) WHERE place > ${MAX_ADDRESSES})`.execute(trx);
}

/** Drops up to `limit` sightings before `fromSec` or after `untilSec`. @returns whether there may be more. */
export async function dropOutside(
  trx: WriteTransaction,
  { fromSec, untilSec, limit }: { fromSec: number; untilSec: number; limit: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`DELETE FROM clientAddresses WHERE (emailKey, guid, ip) IN (
      SELECT emailKey, guid, ip FROM clientAddresses
      WHERE seenAtSec < ${fromSec} OR seenAtSec > ${untilSec} LIMIT ${limit})`.execute(trx);
  return Number(numAffectedRows ?? 0n) === limit;
}

/** Everything known about one client's addresses. */
export async function dropClient(trx: WriteTransaction, emailKey: string): Promise<void> {
  await trx.deleteFrom('clientAddresses').where('emailKey', '=', emailKey).execute();
}

/** Addresses of one client since `fromSec`, from every observer, newest first. */
export async function addressesOf(
  db: Db,
  emailKey: string,
  fromSec: number,
): Promise<{ ip: string; seenAtSec: number }[]> {
  const { rows } = await sql<{ ip: string; seenAtSec: number }>`
    SELECT ip, max(seenAtSec) AS seenAtSec FROM clientAddresses WHERE emailKey = ${emailKey} AND seenAtSec >= ${fromSec}
    GROUP BY ip ORDER BY 2 DESC, ip`.execute(db);
  return rows;
}

/** What observers other than `guid` saw since `fromSec`. */
export async function seenElsewhere(
  db: Db,
  guid: string,
  fromSec: number,
): Promise<{ emailKey: string; ip: string; seenAtSec: number }[]> {
  const { rows } = await sql<{ emailKey: string; ip: string; seenAtSec: number }>`
    SELECT emailKey, ip, max(seenAtSec) AS seenAtSec FROM clientAddresses
    WHERE seenAtSec >= ${fromSec} AND guid <> ${guid} GROUP BY emailKey, ip`.execute(db);
  return rows;
}

/** Sightings since `fromSec` in order of the clients' keys, starting after `afterKey`; whole clients only. */
export async function sightingsAfter(
  db: Db,
  afterKey: string,
  fromSec: number,
  clients: number,
): Promise<(Sighting & { clientId: number | null })[]> {
  const { rows } = await sql<Sighting & { clientId: number | null }>`
    SELECT seen.*, (SELECT id FROM clients WHERE clients.emailKey = seen.emailKey) AS clientId
    FROM (SELECT DISTINCT emailKey FROM clientAddresses WHERE emailKey > ${afterKey} ORDER BY emailKey LIMIT ${clients}) AS page
    JOIN clientAddresses AS seen ON seen.emailKey = page.emailKey
    ORDER BY seen.emailKey, seen.seenAtSec DESC, seen.ip`.execute(db);
  // The last key is returned even if all its sightings are old, so that the caller can continue after it.
  return rows.map((row) => ({ ...row, ip: row.seenAtSec < fromSec ? '' : row.ip }));
}

/** Limits of those of these clients that have one and may connect. */
export async function limitsOf(db: Db, emails: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ email: string; limitIp: number }>`
    SELECT client.email, client.limitIp FROM ${eachText(JSON.stringify(emails))} AS j
    JOIN clients AS client ON client.email = j.value JOIN clientStates AS state ON state.clientId = client.id
    WHERE client.limitIp > 0 AND state.enable = 1`.execute(db);
  return new Map(rows.map(({ email, limitIp }) => [email, limitIp]));
}

/** Which of these e-mails belong to a client now. */
export async function knownEmails(db: Db, emails: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ email: string }>`SELECT client.email FROM ${eachText(JSON.stringify(emails))} AS j
    JOIN clients AS client ON client.email = j.value`.execute(db);
  return new Set(rows.map(({ email }) => email));
}

/** The e-mails of these clients as stored, by key; keys without a client are absent. */
export async function spellingsOf(db: Db, emailKeys: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ emailKey: string; email: string }>`
    SELECT emailKey, email FROM clients WHERE emailKey IN ${textsIn(JSON.stringify([...new Set(emailKeys)]))}`.execute(
    db,
  );
  return new Map(rows.map(({ emailKey, email }) => [emailKey, email]));
}
