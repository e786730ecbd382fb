import { CompiledQuery, type Kysely } from 'kysely';
import { runBatch } from '../../store/batch.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import type { Schema } from '../../store/schema.ts';

type Db = Kysely<Schema>;

/** A client as its subscription renders it. */
export interface Subscriber {
  id: number;
  email: string;
  subId: string;
  uuid: string;
  password: string;
  auth: string;
  flow: string;
  security: string;
  tgId: number;
  comment: string;
  createdAtMs: number;
  enable: 0 | 1;
  quotaBytes: number;
  expiresAtMs: number;
  resetDays: number;
  upBytes: number;
  downBytes: number;
  lastOnlineAtMs: number;
  hasExternalLinks: 0 | 1;
}

export interface Attachment {
  clientId: number;
  inboundId: number;
  flowOverride: string;
  passwordOverride: string;
}

// Written out once: building these for every request of an app costs more than running them.
const SUBSCRIBER = `SELECT client.id, client.email, client.subId, client.uuid, client.password, client.auth, client.flow,
    client.security, client.tgId, client.comment, client.createdAtMs, state.enable, state.quotaBytes, state.expiresAtMs,
    state.resetDays, state.upBytes, state.downBytes, state.lastOnlineAtMs,
    EXISTS (SELECT 1 FROM clientExternalLinks AS link WHERE link.clientId = client.id) AS hasExternalLinks
  FROM clients AS client JOIN clientStates AS state ON state.clientId = client.id`;
const BY_SUB_ID = `${SUBSCRIBER} WHERE client.subId = ? AND client.subId <> '' ORDER BY client.id`;
const BY_EMAIL = `${SUBSCRIBER} WHERE client.emailKey = ?`;
const AFTER = `${SUBSCRIBER} WHERE client.id > ? ORDER BY client.id LIMIT ?`;
const ATTACHMENTS = `SELECT clientId, inboundId, flowOverride, passwordOverride FROM clientInbounds
  WHERE clientId IN (SELECT value FROM json_each(?)) ORDER BY inboundId, clientId`;
const ATTACHMENTS_OF_ONE = `SELECT clientId, inboundId, flowOverride, passwordOverride FROM clientInbounds
  WHERE clientId = ? ORDER BY inboundId`;

/** Clients with this subId, by id; found through its index. */
export async function subscribersOf(db: Db, subId: string): Promise<Subscriber[]> {
  return (await db.executeQuery<Subscriber>(CompiledQuery.raw(BY_SUB_ID, [subId]))).rows;
}

export async function subscriberByKey(db: Db, emailKey: string): Promise<Subscriber | undefined> {
  return (await db.executeQuery<Subscriber>(CompiledQuery.raw(BY_EMAIL, [emailKey]))).rows[0];
}

/** A page of all clients, by id. */
export async function subscribersAfter(db: Db, id: number, limit: number): Promise<Subscriber[]> {
  return (await db.executeQuery<Subscriber>(CompiledQuery.raw(AFTER, [id, limit]))).rows;
}

/** By inbound, then client. */
export async function attachmentsOf(db: Db, clientIds: readonly number[]): Promise<Attachment[]> {
  const query =
    clientIds.length === 1
      ? CompiledQuery.raw(ATTACHMENTS_OF_ONE, [clientIds[0]])
      : CompiledQuery.raw(ATTACHMENTS, [JSON.stringify(clientIds)]);
  return (await db.executeQuery<Attachment>(query)).rows;
}

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

/** Number that changes whenever another connection has committed. */
export async function dataVersion(db: Db): Promise<number> {
  const { rows } = await db.executeQuery<{ data_version: number }>(CompiledQuery.raw('PRAGMA data_version'));
  return rows[0]?.data_version ?? 0;
}

const LINKED = ['vmess', 'vless', 'trojan', 'shadowsocks', 'hysteria', 'hysteria2'];

export type InboundRow = Awaited<ReturnType<typeof inboundRows>>[number];

/** Inbounds as far as links depend on them, by id. */
export function inboundRows(db: Db) {
  return db
    .selectFrom('inbounds')
    .select(['id', 'remark', 'enable', 'listen', 'port', 'protocol', 'settings', 'streamSettings', 'nodeId'])
    .where('protocol', 'in', LINKED)
    .orderBy('id')
    .execute();
}

export type FallbackRow = Awaited<ReturnType<typeof fallbackRows>>[number];

/** Rules that lead to an inbound, first ones first. */
export function fallbackRows(db: Db) {
  return db
    .selectFrom('inboundFallbacks')
    .select(['masterId', 'childId'])
    .where('childId', '>', 0)
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

/** Remembers when apps fetched subscriptions. */
export async function stampFetches(trx: WriteTransaction, fetches: ReadonlyMap<number, number>): Promise<void> {
  const query = trx.updateTable('clientStates').set({ lastSubFetchAtMs: 0 }).where('clientId', '=', 0);
  await runBatch(trx, query, [[...fetches.values()], [...fetches.keys()]], fetches.size);
}

/** Remembers how fetches of providers went, and forgets providers that no client names any more. */
export async function stampRemotes(
  trx: WriteTransaction,
  outcomes: ReadonlyMap<string, { fetchedAtMs: number; error: string }>,
): Promise<void> {
  for (const [url, outcome] of outcomes)
    await trx
      .insertInto('remoteSubscriptions')
      .values({ url, ...outcome })
      .onConflict((conflict) => conflict.column('url').doUpdateSet(outcome))
      .execute();
  await trx
    .deleteFrom('remoteSubscriptions')
    .where('url', 'not in', (links) =>
      links.selectFrom('clientExternalLinks').select('value').where('kind', '=', 'subscription'),
    )
    .execute();
}
