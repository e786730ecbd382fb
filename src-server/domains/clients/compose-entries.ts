import { sql } from 'kysely';
import type { JsonObject } from '../../contract/json.ts';
import type { ClientTraffic, SlimClient } from '../inbounds/client-port.ts';
import { CLIENT_COLUMNS, type Db } from './client-row.ts';
import { credentialOf, effectivePassword, keyBytesOf, type InboundFacts } from './credential-rules.ts';
import { presentReverse, presentTraffic } from './present.ts';
import { inboundFacts } from './repository-read.ts';
import type { StoredClient } from './stored-types.ts';

type AttachedClient = StoredClient & { flowOverride: string; passwordOverride: string };

/** Rows per message between threads. */
const PAGE_ROWS = 500;

/** Clients of one inbound by record id, in pages. */
async function* attachedTo(db: Db, inboundId: number): AsyncGenerator<AttachedClient[]> {
  for (let afterId = 0; ;) {
    const { rows } = await sql<AttachedClient>`
      SELECT ${CLIENT_COLUMNS}, link.flowOverride, link.passwordOverride
      FROM clientInbounds AS link
      CROSS JOIN clients AS client ON client.id = link.clientId
      CROSS JOIN clientStates AS state ON state.clientId = link.clientId
      WHERE link.inboundId = ${inboundId} AND link.clientId > ${afterId}
      ORDER BY link.clientId LIMIT ${PAGE_ROWS}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_ROWS) return;
    afterId = rows.at(-1)!.id;
  }
}

/** `settings.clients` of one inbound as the interface shows it, in pages. */
export async function* entryPages(db: Db, inboundId: number): AsyncGenerator<JsonObject[]> {
  const inbound = (await inboundFacts(db, [inboundId])).get(inboundId);
  if (inbound === undefined) return;
  for await (const page of attachedTo(db, inboundId)) yield page.map((row) => presentEntry(row, inbound));
}

/** What the slim list shows of each client, in pages. */
export async function* slimEntryPages(db: Db, inboundId: number): AsyncGenerator<SlimClient[]> {
  for await (const page of attachedTo(db, inboundId))
    yield page.map(({ email, enable, comment }) => ({
      email,
      enable: enable === 1,
      ...(comment === '' ? {} : { comment }),
    }));
}

/** Counters and limits of an inbound's clients, in pages. */
export async function* statsPages(
  db: Db,
  inboundId: number,
  { overlay }: { overlay: boolean },
): AsyncGenerator<ClientTraffic[]> {
  for await (const page of attachedTo(db, inboundId)) yield page.map((row) => presentTraffic(row, inboundId, overlay));
}

/** All pages of each of these inbounds. */
export async function collect<T>(
  inboundIds: readonly number[],
  pagesOf: (inboundId: number) => AsyncIterable<T[]>,
): Promise<Map<number, T[]>> {
  const result = new Map<number, T[]>();
  for (const inboundId of inboundIds) {
    const all: T[] = [];
    for await (const page of pagesOf(inboundId)) for (const each of page) all.push(each);
    result.set(inboundId, all);
  }
  return result;
}

function presentEntry(row: AttachedClient, inbound: InboundFacts): JsonObject {
  return {
    ...credentialEntry(row, inbound),
    email: row.email,
    limitIp: row.limitIp,
    totalGB: row.quotaBytes,
    expiryTime: row.expiresAtMs,
    enable: row.enable === 1,
    tgId: row.tgId,
    subId: row.subId,
    comment: row.comment,
    reset: row.resetDays,
    ...(row.resetDay === 0 ? {} : { resetDay: row.resetDay }),
    ...(row.groupName === '' ? {} : { group: row.groupName }),
    created_at: row.createdAtMs,
    updated_at: row.updatedAtMs,
  };
}

/** The keys that depend on the protocol. */
function credentialEntry(row: AttachedClient, inbound: InboundFacts): JsonObject {
  const { protocol, settings } = inbound;
  switch (credentialOf(protocol)) {
    case 'uuid': {
      if (protocol === 'vmess') return { id: row.uuid, security: row.security === '' ? 'auto' : row.security };
      const reverse = presentReverse(row.reverse);
      return { id: row.uuid, flow: row.flowOverride, ...(reverse === null ? {} : { reverse }) };
    }
    case 'password': {
      const password = effectivePassword(row, row);
      const { method } = settings;
      // 2022 ciphers take their method from the inbound alone, the others want it repeated.
      const isLegacy = protocol === 'shadowsocks' && keyBytesOf(inbound) === null && typeof method === 'string';
      return isLegacy ? { method, password } : { password };
    }
    case 'auth':
      return { auth: row.auth };
    default:
      return {};
  }
}
