import { sql } from 'kysely';
import type { Store } from '../../../store/open-store.ts';
import type { LiveClientRow } from './live-types.ts';
import { eachText } from '../../../store/dialect/each-json.ts';

/** Names or ids per read on the main thread: 2 to 4 ms. */
const CHUNK = 400;

async function inChunks<R>(items: readonly string[], read: (json: string) => Promise<R[]>): Promise<R[]> {
  const all: R[] = [];
  for (let at = 0; at < items.length; at += CHUNK) {
    for (const row of await read(JSON.stringify(items.slice(at, at + CHUNK)))) all.push(row);
    await new Promise(setImmediate);
  }
  return all;
}

/** Current e-mails of the owners of these counters; a name without a counter belongs to the client with that e-mail. */
export async function findEmails(
  store: Store,
  sourceGuid: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = await inChunks(names, async (json) => {
    const found = await sql<{ name: string; email: string }>`
      SELECT j.value AS name, client.email FROM ${eachText(json)} AS j
      LEFT JOIN trafficSources AS source ON source.kind = 'core' AND source.guid = ${sourceGuid}
      LEFT JOIN counterBaselines AS base ON base.sourceId = source.id AND base.kind = 'user' AND base.subject = j.value
      JOIN clients AS client ON client.id = CASE WHEN base.id IS NULL THEN (SELECT id FROM clients WHERE email = j.value) ELSE base.ownerId END`.execute(
      store.reader,
    );
    return found.rows;
  });
  return new Map(rows.map(({ name, email }) => [name, email]));
}

// Counters as in every list: combined with the totals known from other panels.
const CLIENT_COLUMNS = sql`client.id AS clientId, client.email, state.enable, state.quotaBytes,
  max(state.upBytes, state.peerUpBytes) AS upBytes, max(state.downBytes, state.peerDownBytes) AS downBytes,
  state.expiresAtMs, state.resetDays, state.resetDay, state.lastOnlineAtMs,
  (SELECT min(link.inboundId) FROM clientInbounds AS link WHERE link.clientId = client.id) AS inboundId`;

export async function clientRows(store: Store, emails: readonly string[]): Promise<LiveClientRow[]> {
  return inChunks(emails, async (json) => {
    const { rows } = await sql<LiveClientRow>`SELECT ${CLIENT_COLUMNS} FROM ${eachText(json)} AS j
      JOIN clients AS client ON client.email = j.value JOIN clientStates AS state ON state.clientId = client.id`.execute(
      store.reader,
    );
    return rows;
  });
}

export function inboundRows(store: Store) {
  return store.reader
    .selectFrom('inbounds')
    .select(['id', 'tag', 'upBytes', 'downBytes', 'quotaBytes', 'enable'])
    .orderBy('id')
    .execute();
}

export function outboundRows(store: Store) {
  return store.reader.selectFrom('outboundTraffics').selectAll().orderBy('tag').execute();
}
