import { CLIENT_PROTOCOLS } from '../../contract/protocol-catalogue.ts';
import { sql } from 'kysely';
import type { StoredClient, StoredLink } from '../clients/storage/stored-types.ts';
import { eachObject } from '../../store/dialect/each-json.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Db } from '../../store/schema.ts';
import type { TurnReader } from '../../store/turn-reader.ts';

/** A client as its subscription renders it. */
export type Subscriber = Omit<
  StoredClient,
  | 'emailKey'
  | 'reverse'
  | 'limitIp'
  | 'groupName'
  | 'planId'
  | 'updatedAtMs'
  | 'disabledBy'
  | 'peerUpBytes'
  | 'peerDownBytes'
> & { hasExternalLinks: 0 | 1 };

/** A client with its attachments, by inbound. */
export interface AttachedSubscriber extends Subscriber {
  attachments: Omit<StoredLink, 'clientId'>[];
}

// Compiled once: building these for every request of an app costs more than running them.
const SUBSCRIBER = `SELECT client.id, client.email, client.subId, client.uuid, client.password, client.auth, client.flow,
    client.security, client.tgId, client.comment, client.createdAtMs, state.enable, state.quotaBytes, state.expiresAtMs,
    state.resetDays, state.resetDay, state.upBytes, state.downBytes, state.lastOnlineAtMs,
    EXISTS (SELECT 1 FROM clientExternalLinks AS link WHERE link.clientId = client.id) AS hasExternalLinks,
    (SELECT json_group_array(json_object('inboundId', attached.inboundId, 'flowOverride', attached.flowOverride,
        'passwordOverride', attached.passwordOverride) ORDER BY attached.inboundId)
      FROM clientInbounds AS attached WHERE attached.clientId = client.id) AS attachments
  FROM clients AS client JOIN clientStates AS state ON state.clientId = client.id`;
const BY_SUB_ID = `${SUBSCRIBER} WHERE client.subId = ? AND client.subId <> '' ORDER BY client.id`;
const BY_EMAIL = `${SUBSCRIBER} WHERE client.emailKey = ?`;
const AFTER = `${SUBSCRIBER} WHERE client.id > ? ORDER BY client.id LIMIT ?`;
const AT_INBOUND = `${SUBSCRIBER} JOIN clientInbounds AS link ON link.clientId = client.id
  WHERE link.inboundId = ? ORDER BY client.id LIMIT ?`;

/** One query: PostgreSQL takes longer to be asked than to answer. */
async function read(
  reader: TurnReader,
  query: string,
  parameters: readonly (string | number)[],
): Promise<AttachedSubscriber[]> {
  const rows = await reader.all<Subscriber & { attachments: string }>(query, parameters);
  return rows.map((row) => ({
    ...row,
    attachments: JSON.parse(row.attachments) as AttachedSubscriber['attachments'],
  }));
}

/** Clients with this subId, by id; found through its index. */
export const subscribersOf = (reader: TurnReader, subId: string): Promise<AttachedSubscriber[]> =>
  read(reader, BY_SUB_ID, [subId]);

export const subscriberByKey = async (reader: TurnReader, emailKey: string): Promise<AttachedSubscriber | undefined> =>
  (await read(reader, BY_EMAIL, [emailKey]))[0];

/** A page of all clients, by id. */
export const subscribersAfter = (reader: TurnReader, id: number, limit: number): Promise<AttachedSubscriber[]> =>
  read(reader, AFTER, [id, limit]);

/** The first clients of an inbound, by id. */
export const subscribersAt = (reader: TurnReader, inboundId: number, limit: number): Promise<AttachedSubscriber[]> =>
  read(reader, AT_INBOUND, [inboundId, limit]);

export interface StoredExternalLink {
  clientId: number;
  kind: 'link' | 'subscription';
  value: string;
  remark: string;
}

/** By client, then position. */
export function externalLinksOf(db: Db, clientIds: readonly number[]): Promise<StoredExternalLink[]> {
  return db
    .selectFrom('clientExternalLinks')
    .select(['clientId', 'kind', 'value', 'remark'])
    .where('clientId', 'in', [...clientIds])
    .orderBy('clientId')
    .orderBy('sortIndex')
    .orderBy('id')
    .execute();
}

export type InboundRow = Awaited<ReturnType<typeof inboundRows>>[number];

/** Fields of inbounds that links depend on, by id. */
export function inboundRows(db: Db) {
  return db
    .selectFrom('inbounds as inbound')
    .leftJoin('nodes as node', 'node.id', 'inbound.nodeId')
    .select(['inbound.id', 'inbound.remark', 'inbound.enable', 'inbound.listen', 'inbound.port', 'inbound.protocol'])
    .select(['inbound.settings', 'inbound.streamSettings', 'node.address as nodeAddress'])
    .where('inbound.protocol', 'in', [...CLIENT_PROTOCOLS, 'wireguard'])
    .orderBy('inbound.id')
    .execute();
}

export type FallbackRow = Awaited<ReturnType<typeof fallbackRows>>[number];

/** Rules that lead to an inbound, in order of precedence. */
export function fallbackRows(db: Db) {
  return db
    .selectFrom('inboundFallbacks')
    .select(['masterId', 'childId', 'dest'])
    .where((eb) => eb.or([eb('childId', '>', 0), eb('dest', 'like', '@%')]))
    .orderBy('sortOrder')
    .orderBy('id')
    .execute();
}

export type LinkedHostRow = Awaited<ReturnType<typeof hostRows>>[number];

/** Enabled hosts, in order. */
export function hostRows(db: Db) {
  return db
    .selectFrom('hosts')
    .select(['id', 'inboundId', 'address', 'port', 'content'])
    .where('enable', '=', 1)
    .orderBy('inboundId')
    .orderBy('sortOrder')
    .orderBy('id')
    .execute();
}

/** Records when apps fetched subscriptions. Several servers may report one client in any order. */
export async function stampFetches(trx: WriteTransaction, fetches: ReadonlyMap<number, number>): Promise<void> {
  const stamps = eachObject(JSON.stringify([...fetches].map(([id, at]) => ({ id, at }))));
  await sql`UPDATE clientStates SET lastSubFetchAtMs = stamp.atMs
    FROM (SELECT CAST(value ->> 'id' AS INTEGER) AS id, CAST(value ->> 'at' AS INTEGER) AS atMs FROM ${stamps} AS one) AS stamp
    WHERE clientId = stamp.id AND lastSubFetchAtMs < stamp.atMs`.execute(trx);
}

/** Records the results of fetching providers, and deletes providers that no client uses any more. */
export async function stampRemotes(
  trx: WriteTransaction,
  results: ReadonlyMap<string, { fetchedAtMs: number; error: string }>,
): Promise<void> {
  for (const [url, result] of results)
    await trx
      .insertInto('remoteSubscriptions')
      .values({ url, ...result })
      .onConflict((conflict) => conflict.column('url').doUpdateSet(result))
      .execute();
  await trx
    .deleteFrom('remoteSubscriptions')
    .where('url', 'not in', (links) =>
      links.selectFrom('clientExternalLinks').select('value').where('kind', '=', 'subscription'),
    )
    .execute();
}
