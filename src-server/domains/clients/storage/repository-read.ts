import { sql } from 'kysely';
import { parseJsonObject } from '../../../contract/json-text.ts';
import { foldText } from '../../../store/fold-text.ts';
import { CHUNK_SIZE } from '../bulk/chunked.ts';
import type { ShownExternalLink } from '../contract.ts';
import { asList, CLIENT_COLUMNS } from './client-row.ts';
import type { Db } from '../../../store/schema.ts';
import type { KeptTraffic, StoredClient, StoredLink } from './stored-types.ts';
import type { InboundFacts } from '../rules/credential-rules.ts';
import { eachNumber, eachText } from '../../../store/dialect/each-json.ts';

/** Clients with these folded e-mails, without unknown ones. */
export async function clientsByKeys(db: Db, emailKeys: readonly string[]): Promise<StoredClient[]> {
  const { rows } = await sql<StoredClient>`
    SELECT ${CLIENT_COLUMNS} FROM ${eachText(asList(emailKeys))} AS wanted
    CROSS JOIN clients AS client ON client.emailKey = wanted.value
    CROSS JOIN clientStates AS state ON state.clientId = client.id`.execute(db);
  return rows;
}

/** When an app last fetched the client's subscription, 0 = never. */
export async function lastSubFetchOf(db: Db, id: number): Promise<number> {
  const row = await db
    .selectFrom('clientStates')
    .select('lastSubFetchAtMs')
    .where('clientId', '=', id)
    .executeTakeFirst();
  return row?.lastSubFetchAtMs ?? 0;
}

/** The client with this e-mail, ignoring case. */
export async function clientByEmail(db: Db, email: string): Promise<StoredClient | null> {
  return (await clientsByKeys(db, [foldText(email)]))[0] ?? null;
}

/** Clients with these ids, by id; unknown ones are omitted. */
export async function clientsByIds(db: Db, ids: readonly number[]): Promise<StoredClient[]> {
  const { rows } = await sql<StoredClient>`
    SELECT ${CLIENT_COLUMNS} FROM ${eachNumber(asList(ids))} AS wanted
    CROSS JOIN clients AS client ON client.id = wanted.value
    CROSS JOIN clientStates AS state ON state.clientId = client.id
    ORDER BY client.id`.execute(db);
  return rows;
}

/** Up to `limit` clients after an id, by id: for reading all of them in pages. */
export async function clientsAfter(db: Db, afterId: number, limit: number): Promise<StoredClient[]> {
  const { rows } = await sql<StoredClient>`
    SELECT ${CLIENT_COLUMNS} FROM clients AS client
    JOIN clientStates AS state ON state.clientId = client.id
    WHERE client.id > ${afterId} ORDER BY client.id LIMIT ${limit}`.execute(db);
  return rows;
}

/** Attachments of these clients, by client and inbound. */
export async function linksOf(db: Db, clientIds: readonly number[]): Promise<StoredLink[]> {
  const { rows } = await sql<StoredLink>`
    SELECT link.clientId, link.inboundId, link.flowOverride, link.passwordOverride
    FROM ${eachNumber(asList(clientIds))} AS wanted
    CROSS JOIN clientInbounds AS link ON link.clientId = wanted.value
    ORDER BY link.clientId, link.inboundId`.execute(db);
  return rows;
}

/** Which of these subscription ids are in use, and by which client. */
export async function ownersOfSubIds(
  db: Db,
  subIds: readonly string[],
): Promise<{ clientId: number; subId: string }[]> {
  const { rows } = await sql<{ clientId: number; subId: string }>`
    SELECT client.id AS clientId, client.subId FROM ${eachText(asList(subIds))} AS wanted
    CROSS JOIN clients AS client ON client.subId = wanted.value`.execute(db);
  return rows;
}

/** The parts of these inbounds that decide credentials; unknown ids are omitted. */
export async function inboundFacts(db: Db, ids: readonly number[]): Promise<Map<number, InboundFacts>> {
  const { rows } = await sql<{ id: number; protocol: string; settings: string; streamSettings: string }>`
    SELECT inbound.id, inbound.protocol, inbound.settings, inbound.streamSettings
    FROM ${eachNumber(asList(ids))} AS wanted
    CROSS JOIN inbounds AS inbound ON inbound.id = wanted.value`.execute(db);
  return new Map(
    rows.map(({ id, protocol, settings, streamSettings }) => [
      id,
      {
        id,
        protocol,
        settings: parseJsonObject(settings) ?? {},
        streamSettings: parseJsonObject(streamSettings),
      },
    ]),
  );
}

export async function externalLinksOf(db: Db, clientId: number): Promise<ShownExternalLink[]> {
  const rows = await db
    .selectFrom('clientExternalLinks as link')
    .leftJoin('remoteSubscriptions as remote', (join) =>
      join.onRef('remote.url', '=', 'link.value').on('link.kind', '=', 'subscription'),
    )
    .select(['link.kind', 'link.value', 'link.remark', 'remote.fetchedAtMs', 'remote.error'])
    .where('link.clientId', '=', clientId)
    .orderBy('link.sortIndex')
    .orderBy('link.id')
    .execute();
  return rows.map(({ fetchedAtMs, error, ...link }) =>
    fetchedAtMs === null ? link : { ...link, lastFetchAt: fetchedAtMs, lastFetchError: error ?? '' },
  );
}

/** Counters that outlived their client. */
export async function keptTraffics(db: Db, emailKeys: readonly string[]): Promise<KeptTraffic[]> {
  const { rows } = await sql<KeptTraffic>`
    SELECT kept.emailKey, kept.email, kept.upBytes, kept.downBytes, kept.lastOnlineAtMs
    FROM ${eachText(asList(emailKeys))} AS wanted
    CROSS JOIN keptTraffics AS kept ON kept.emailKey = wanted.value`.execute(db);
  return rows;
}

/** Up to {@link CHUNK_SIZE} clients of an inbound after an id, by id. */
export async function clientsOfInbound(db: Db, inboundId: number, afterId: number): Promise<StoredClient[]> {
  const { rows } = await sql<StoredClient>`
    SELECT ${CLIENT_COLUMNS} FROM clientInbounds AS link
    CROSS JOIN clients AS client ON client.id = link.clientId
    CROSS JOIN clientStates AS state ON state.clientId = link.clientId
    WHERE link.inboundId = ${inboundId} AND link.clientId > ${afterId}
    ORDER BY link.clientId LIMIT ${CHUNK_SIZE}`.execute(db);
  return rows;
}

/** Up to {@link CHUNK_SIZE} clients of a plan after an id, by id. */
export async function clientsOfPlan(db: Db, planId: number, afterId: number): Promise<StoredClient[]> {
  const { rows } = await sql<StoredClient>`
    SELECT ${CLIENT_COLUMNS} FROM clients AS client
    JOIN clientStates AS state ON state.clientId = client.id
    WHERE client.planId = ${planId} AND client.planId > 0 AND client.id > ${afterId}
    ORDER BY client.id LIMIT ${CHUNK_SIZE}`.execute(db);
  return rows;
}
