import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { parseJsonObject } from '../contract/json-text.ts';
import type { ClientSource } from '../core/config/source.ts';
import { foldText } from '../store/fold-text.ts';
import type { Store } from '../store/open-store.ts';

/**
 * Clients already read, by id. A client on three inbounds is one object with one text of each kind, not three: that
 * much less memory for what waits for the core's start and what is kept afterwards.
 */
export type SharedClients = Map<number, ClientSource>;

/** E-mails per IN list; SQLite's limit is higher, but a fixed size keeps the number of cached statements small. */
const EMAIL_CHUNK = 400;
/** Rows per message from the reader thread: unpacking one takes a few ms of this thread. */
const PAGE_ROWS = 4_000;

/**
 * Enabled clients of an inbound, by id.
 * @param emails only these; null = all
 */
export async function readClients(
  store: Store,
  inboundId: number,
  emails: readonly string[] | null,
  shared?: SharedClients,
): Promise<ClientSource[]> {
  // All clients of an inbound can be 50,000 rows: the thread for long reads does that.
  const db = emails === null ? store.heavyReader : store.reader;
  const base = db
    .selectFrom('clientInbounds as link')
    .innerJoin('clients as client', 'client.id', 'link.clientId')
    .innerJoin('clientStates as state', 'state.clientId', 'link.clientId')
    .select([
      'link.clientId',
      'client.email',
      'client.uuid',
      sql<string>`CASE link.passwordOverride WHEN '' THEN client.password ELSE link.passwordOverride END`.as(
        'password',
      ),
      'client.auth',
      'link.flowOverride',
      'client.reverse',
    ])
    .where('link.inboundId', '=', inboundId)
    .where('state.enable', '=', 1)
    .orderBy('link.clientId');
  const clients: ClientSource[] = [];
  const take = (rows: Awaited<ReturnType<typeof base.execute>>): void => {
    for (const { clientId, email, uuid, password, auth, flowOverride: flow, reverse } of rows) {
      const known = shared?.get(clientId);
      if (known === undefined) {
        const client = { email, id: uuid, password, auth, flow, reverseTag: reverseTagOf(reverse) };
        shared?.set(clientId, client);
        clients.push(client);
      } else {
        const isAlike = known.flow === flow && known.password === password;
        clients.push(isAlike ? known : { ...known, flow, password });
      }
    }
  };
  if (emails === null) {
    let lastId = 0;
    for (;;) {
      const rows = await base.where('link.clientId', '>', lastId).limit(PAGE_ROWS).execute();
      take(rows);
      if (rows.length < PAGE_ROWS) return clients;
      lastId = rows.at(-1)!.clientId;
    }
  }
  const keys = [...new Set(emails.map(foldText))];
  for (let at = 0; at < keys.length; at += EMAIL_CHUNK) {
    // This reader is on the main thread: a bulk change of thousands would hold the event loop for the sum of these.
    if (at > 0) await nextTurn();
    take(await base.where('client.emailKey', 'in', keys.slice(at, at + EMAIL_CHUNK)).execute());
  }
  return clients;
}

function reverseTagOf(reverse: string): string {
  const tag = parseJsonObject(reverse)?.['tag'];
  return typeof tag === 'string' ? tag.trim() : '';
}
