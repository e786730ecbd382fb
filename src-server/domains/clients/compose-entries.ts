import { sql, type RawBuilder } from 'kysely';
import type { JsonObject } from '../../contract/json.ts';
import type { ClientTraffic, StatsPageOptions } from '../inbounds/client-port.ts';
import type { Db } from './client-row.ts';
import { credentialOf, keyBytesOf, type InboundFacts } from './credential-rules.ts';
import { inboundFacts } from './repository-read.ts';

/** About 300 kB of text: sent on within a millisecond, made within two. */
const PAGE_ROWS = 1_000;

/**
 * `settings.clients` of one inbound as the interface shows it, in pages of JSON text: items with commas between them, as
 * UTF-8. The database writes them, in the thread that reads: everybody of a large inbound is tens of megabytes, which this
 * thread only passes on.
 */
export async function* entryPages(db: Db, inboundId: number): AsyncGenerator<Uint8Array> {
  const inbound = (await inboundFacts(db, [inboundId])).get(inboundId);
  if (inbound !== undefined) yield* pagesOf(db, inboundId, [...credentialMembers(inbound), ...ENTRY]);
}

/** What the slim list shows of each client, in pages as {@link entryPages}. */
export function slimEntryPages(db: Db, inboundId: number): AsyncGenerator<Uint8Array> {
  return pagesOf(db, inboundId, SLIM_ENTRY);
}

/** Counters and limits of an inbound's clients, in pages as {@link entryPages}. */
export function statsPages(db: Db, inboundId: number, options: StatsPageOptions): AsyncGenerator<Uint8Array> {
  return pagesOf(db, inboundId, statsMembers(inboundId, options));
}

/** All entries of each of these inbounds. */
export const composeEntries = (db: Db, inboundIds: readonly number[]): Promise<Map<number, JsonObject[]>> =>
  collect(inboundIds, (id) => entryPages(db, id));

/** All counters of each of these inbounds. */
export const statsOf = (
  db: Db,
  inboundIds: readonly number[],
  { overlay }: { overlay: boolean },
): Promise<Map<number, ClientTraffic[]>> =>
  collect(inboundIds, (id) => statsPages(db, id, { overlay, hasSecrets: true }));

/** All items of each of these inbounds. */
async function collect<T>(
  inboundIds: readonly number[],
  pagesFor: (inboundId: number) => AsyncIterable<Uint8Array>,
): Promise<Map<number, T[]>> {
  const result = new Map<number, T[]>();
  for (const inboundId of inboundIds) {
    const all: T[] = [];
    for await (const page of pagesFor(inboundId))
      for (const item of JSON.parse(`[${Buffer.from(page).toString()}]`) as T[]) all.push(item);
    result.set(inboundId, all);
  }
  return result;
}

/** SQL of one member of a JSON object: the text `,"key":value`, or an empty text when it is left out. */
type Member = RawBuilder<unknown>;

const number = (key: string, value: string): Member => sql.raw(`',"${key}":' || ${value}`);
const text = (key: string, value: string): Member => sql.raw(`',"${key}":' || json_quote(${value})`);
const flag = (key: string, value: string): Member => sql.raw(`iif(${value}, ',"${key}":true', ',"${key}":false')`);
/** @param member left out where `isEmpty` holds */
const unless = (isEmpty: string, member: Member): Member => sql`iif(${sql.raw(isEmpty)}, '', ${member})`;

const ENTRY: readonly Member[] = [
  text('email', 'client.email'),
  number('limitIp', 'client.limitIp'),
  number('totalGB', 'state.quotaBytes'),
  number('expiryTime', 'state.expiresAtMs'),
  flag('enable', 'state.enable'),
  number('tgId', 'client.tgId'),
  text('subId', 'client.subId'),
  text('comment', 'client.comment'),
  number('reset', 'state.resetDays'),
  unless('state.resetDay = 0', number('resetDay', 'state.resetDay')),
  unless(`client.groupName = ''`, text('group', 'client.groupName')),
  number('created_at', 'client.createdAtMs'),
  number('updated_at', 'client.updatedAtMs'),
];

const SLIM_ENTRY: readonly Member[] = [
  text('email', 'client.email'),
  flag('enable', 'state.enable'),
  unless(`client.comment = ''`, text('comment', 'client.comment')),
];

const PASSWORD = text('password', `iif(link.passwordOverride = '', client.password, link.passwordOverride)`);

/** Reverse proxy of vless. Text that is no JSON must not be looked into: that is an error. */
const REVERSE: Member = sql`CASE WHEN client.reverse = '' OR NOT json_valid(client.reverse) THEN ''
  WHEN json_type(client.reverse, '$.tag') = 'text' AND client.reverse ->> '$.tag' <> ''
  THEN ',"reverse":' || json_object('tag', client.reverse ->> '$.tag') ELSE '' END`;

/** The keys that depend on the protocol. */
function credentialMembers(inbound: InboundFacts): Member[] {
  const { protocol, settings } = inbound;
  switch (credentialOf(protocol)) {
    case 'uuid':
      return protocol === 'vmess'
        ? [text('id', 'client.uuid'), text('security', `iif(client.security = '', 'auto', client.security)`)]
        : [text('id', 'client.uuid'), text('flow', 'link.flowOverride'), REVERSE];
    case 'password': {
      const { method } = settings;
      // 2022 ciphers take their method from the inbound alone, the others want it repeated.
      const isLegacy = protocol === 'shadowsocks' && keyBytesOf(inbound) === null && typeof method === 'string';
      return isLegacy ? [sql`',"method":' || json_quote(${method})`, PASSWORD] : [PASSWORD];
    }
    case 'auth':
      return [text('auth', 'client.auth')];
    default:
      return [];
  }
}

/** One row of a traffic list; see `presentTraffic`. */
function statsMembers(inboundId: number, { overlay, hasSecrets }: StatsPageOptions): Member[] {
  const counter = (name: string, peer: string): string =>
    overlay ? `max(state.${name}, state.${peer})` : `state.${name}`;
  return [
    number('id', 'client.id'),
    sql`',"inboundId":' || ${inboundId}`,
    flag('enable', 'state.enable'),
    text('email', 'client.email'),
    text('uuid', hasSecrets ? 'client.uuid' : `''`),
    text('subId', hasSecrets ? 'client.subId' : `''`),
    number('up', counter('upBytes', 'peerUpBytes')),
    number('down', counter('downBytes', 'peerDownBytes')),
    number('expiryTime', 'state.expiresAtMs'),
    number('total', 'state.quotaBytes'),
    number('reset', 'state.resetDays'),
    number('resetDay', 'state.resetDay'),
    number('lastOnline', 'state.lastOnlineAtMs'),
  ];
}

interface Page {
  text: Uint8Array | null;
  lastId: number;
  rowCount: number;
}

/** Clients of one inbound by record id. The next page is made while the last one is on its way. */
async function* pagesOf(db: Db, inboundId: number, members: readonly Member[]): AsyncGenerator<Uint8Array> {
  async function read(afterId: number): Promise<Page> {
    const { rows } = await sql<Page>`
      SELECT CAST(group_concat(item, ',') AS BLOB) AS text, max(id) AS lastId, count(*) AS rowCount FROM (
        SELECT link.clientId AS id, '{' || substr(${sql.join([...members], sql` || `)}, 2) || '}' AS item
        FROM clientInbounds AS link
        CROSS JOIN clients AS client ON client.id = link.clientId
        CROSS JOIN clientStates AS state ON state.clientId = link.clientId
        WHERE link.inboundId = ${inboundId} AND link.clientId > ${afterId}
        ORDER BY link.clientId LIMIT ${PAGE_ROWS})`.execute(db);
    return rows[0]!;
  }
  for (let next: Promise<Page> | null = read(0); next !== null;) {
    const { text: items, lastId, rowCount }: Page = await next;
    next = rowCount < PAGE_ROWS ? null : read(lastId);
    // Whoever reads may leave in between; then nobody else hears of its failure.
    next?.catch(() => undefined);
    if (items !== null) yield items;
  }
}
