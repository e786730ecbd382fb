import { sql, type RawBuilder } from 'kysely';
import type { JsonObject } from '../../../contract/json.ts';
import type { ClientTraffic, StatsPageOptions } from '../../inbounds/client-port.ts';
import type { Db } from '../../../store/schema.ts';
import { credentialOf, keyBytesOf, type InboundFacts } from '../rules/credential-rules.ts';
import { inboundFacts } from './repository-read.ts';

/** About 300 kB of text: created within two milliseconds, sent within one. */
const PAGE_ROWS = 1_000;

/**
 * `settings.clients` of one inbound as the interface shows it, in pages of JSON text: items separated by commas, as
 * UTF-8. The database writes them in the reading thread: all clients of a large inbound are tens of megabytes, which
 * this thread only passes on.
 */
export async function* entryPages(db: Db, inboundId: number): AsyncGenerator<Uint8Array> {
  const inbound = (await inboundFacts(db, [inboundId])).get(inboundId);
  if (inbound !== undefined) yield* pagesOf(db, inboundId, [...credentialMembers(inbound), ...ENTRY]);
}

/** The slim list's fields of each client, in pages like {@link entryPages}. */
export function slimEntryPages(db: Db, inboundId: number): AsyncGenerator<Uint8Array> {
  return pagesOf(db, inboundId, SLIM_ENTRY);
}

/** Counters and limits of an inbound's clients, in pages like {@link entryPages}. */
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

/**
 * SQL of one member of a JSON object, as arguments of `concat`; the opening character depends on whether it is the
 * first.
 */
type Member = (opening: '{' | ',') => RawBuilder<unknown>;

const number =
  (key: string, value: string): Member =>
  (opening) =>
    sql.raw(`'${opening}"${key}":', ${value}`);
const text = (key: string, value: string): Member => number(key, `json_quote(${value})`);
const flag =
  (key: string, value: string): Member =>
  (opening) =>
    sql.raw(`iif(${value}, '${opening}"${key}":true', '${opening}"${key}":false')`);
/** @param member omitted where `isEmpty` holds; never the first */
const unless =
  (isEmpty: string, member: Member): Member =>
  (opening) =>
    sql`iif(${sql.raw(isEmpty)}, '', concat(${member(opening)}))`;

const ENTRY: readonly Member[] = [
  text('email', 'client.email'),
  number('limitIp', 'client.limitIp'),
  number('totalGB', 'state.quotaBytes'),
  number('expiryTime', 'state.expiresAtMs'),
  flag('enable', 'state.enable = 1'),
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
  flag('enable', 'state.enable = 1'),
  unless(`client.comment = ''`, text('comment', 'client.comment')),
];

const PASSWORD = text('password', `iif(link.passwordOverride = '', client.password, link.passwordOverride)`);

/** Reverse proxy of vless. Invalid JSON must be skipped, because accessing it is an error. */
const REVERSE: Member = () => sql`CASE WHEN client.reverse = '' OR NOT json_valid(client.reverse) THEN ''
  WHEN json_type(client.reverse, '$.tag') = 'text' AND json_extract(client.reverse, '$.tag') <> ''
  THEN ',"reverse":' || json_object('tag', json_extract(client.reverse, '$.tag')) ELSE '' END`;

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
      // 2022 ciphers take their method from the inbound alone, the others need it repeated.
      const isLegacy = protocol === 'shadowsocks' && keyBytesOf(inbound) === null && typeof method === 'string';
      return isLegacy
        ? [(opening) => sql`${sql.lit(`${opening}"method":`)}, json_quote(${method})`, PASSWORD]
        : [PASSWORD];
    }
    case 'auth':
      return [text('auth', 'client.auth')];
    default:
      return [];
  }
}

const LIFETIME = [
  number('lifetimeUp', 'state.upBytes + state.resetUpBytes'),
  number('lifetimeDown', 'state.downBytes + state.resetDownBytes'),
];

/** One row of a traffic list; see `presentTraffic`. */
function statsMembers(inboundId: number, { overlay, hasSecrets }: StatsPageOptions): Member[] {
  const counter = (name: string, peer: string): string =>
    overlay ? `max(state.${name}, state.${peer})` : `state.${name}`;
  return [
    number('id', 'client.id'),
    number('inboundId', String(inboundId)),
    flag('enable', 'state.enable = 1'),
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
    ...(overlay ? [] : LIFETIME),
  ];
}

/** Pages requested ahead, so that the reading thread never waits for this one. */
const PAGES_AHEAD = 3;

/** Clients of one inbound by record id. */
async function* pagesOf(db: Db, inboundId: number, members: readonly Member[]): AsyncGenerator<Uint8Array> {
  const item = sql`concat(${sql.join(members.map((member, at) => member(at === 0 ? '{' : ',')))}, '}')`;
  async function read(afterId: number, lastId: number): Promise<Uint8Array | null> {
    const { rows } = await sql<{ text: Uint8Array | null }>`
      SELECT CAST(group_concat(item, ',') AS BLOB) AS text FROM (
        SELECT ${item} AS item FROM clientInbounds AS link
        CROSS JOIN clients AS client ON client.id = link.clientId
        CROSS JOIN clientStates AS state ON state.clientId = link.clientId
        WHERE link.inboundId = ${inboundId} AND link.clientId > ${afterId} AND link.clientId <= ${lastId}
        ORDER BY link.clientId)`.execute(db);
    return rows[0]?.text ?? null;
  }
  const ends = await pageEnds(db, inboundId);
  const reading: Promise<Uint8Array | null>[] = [];
  for (let taken = 0, started = 0; taken < ends.length; taken++) {
    for (; started < ends.length && started <= taken + PAGES_AHEAD; started++) {
      const page = read(ends[started - 1] ?? 0, ends[started]!);
      // The consumer may stop early; then its failure is not reported.
      page.catch(() => undefined);
      reading.push(page);
    }
    const items = await reading.shift();
    if (items) yield items;
  }
}

/** The last client of each page, in order; clients added later belong to the last page. */
async function pageEnds(db: Db, inboundId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number | null }>`
    WITH RECURSIVE page (id) AS (VALUES (CAST(0 AS INTEGER)) UNION ALL SELECT (SELECT clientId FROM clientInbounds
      WHERE inboundId = ${inboundId} AND clientId > page.id ORDER BY clientId LIMIT 1 OFFSET ${PAGE_ROWS - 1})
      FROM page WHERE page.id IS NOT NULL)
    SELECT id FROM page WHERE id > 0`.execute(db);
  return [...rows.map(({ id }) => id!), Number.MAX_SAFE_INTEGER];
}
