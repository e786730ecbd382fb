import { sql } from 'kysely';
import type { WriteTransaction } from '../../../../store/open-store.ts';
import type { Db } from '../../../../store/schema.ts';
import type { DueEnding } from '../repository-endings.ts';
import { noteClientsApplied } from '../../drift/repository-applied.ts';
import { eachObject, numbersIn } from '../../../../store/dialect/each-json.ts';

/** An inbound as its node needs it; members of one deleted here are null. */
export interface HeldInbound {
  inboundId: number;
  remoteId: number;
  remoteTag: string;
  /** Its tag here; empty when it no longer exists. */
  tag: string;
  changedAtMs: number;
  isGone: boolean;
  /** The last reset here is still pending on the node. */
  isResetDue: boolean;
  isDeletionConfirmed: boolean;
}

type HeldFlag = 'isGone' | 'isResetDue' | 'isDeletionConfirmed';

/** All inbounds that the node holds or should hold, by id. */
export async function heldInbounds(db: Db, nodeId: number): Promise<HeldInbound[]> {
  const { rows } = await sql<Omit<HeldInbound, HeldFlag> & Record<HeldFlag, 0 | 1>>`
    SELECT held.inboundId, held.remoteId, held.remoteTag, held.changedAtMs, held.isDeletionConfirmed, coalesce(inbound.tag, '') AS tag,
      inbound.id IS NULL AS isGone,
      coalesce(inbound.lastTrafficResetAtMs > held.resetDeliveredAtMs, false) AS isResetDue
    FROM nodeInbounds AS held LEFT JOIN inbounds AS inbound ON inbound.id = held.inboundId AND inbound.nodeId = held.nodeId
    WHERE held.nodeId = ${nodeId} ORDER BY held.inboundId`.execute(db);
  return rows.map(({ isGone, isResetDue, isDeletionConfirmed, ...row }) => ({
    ...row,
    isGone: isGone === 1,
    isResetDue: isResetDue === 1,
    isDeletionConfirmed: isDeletionConfirmed === 1,
  }));
}

export function inboundRow(db: Db, inboundId: number) {
  return db.selectFrom('inbounds').selectAll().where('id', '=', inboundId).executeTakeFirst();
}
export type InboundRow = NonNullable<Awaited<ReturnType<typeof inboundRow>>>;

/** A client whose entry on the node may differ. */
export interface WaitingClient {
  clientId: number;
  /** Name under which the node knows it; empty = unknown there, or deleted here and a newer client has its record. */
  email: string;
  /** Whether an inbound of the node carries it; otherwise it should be removed from the node. */
  isWanted: boolean;
  isResetDue: boolean;
  isDeletionConfirmed: boolean;
  /** How far its open sessions there should be ended; empty = the node cuts what it can. */
  endSessions: '' | DueEnding['how'];
}

type WaitingFlag = 'isWanted' | 'isReplaced' | 'isResetDue' | 'isDeletionConfirmed';

export async function waitingClients(db: Db, nodeId: number): Promise<WaitingClient[]> {
  const { rows } = await sql<Omit<WaitingClient, WaitingFlag> & Record<WaitingFlag, 0 | 1>>`
    SELECT held.clientId, held.email, held.isResetDue, held.isDeletionConfirmed, held.endSessions, EXISTS (
        SELECT 1 FROM clientInbounds AS link JOIN inbounds AS inbound ON inbound.id = link.inboundId
        WHERE link.clientId = held.clientId AND inbound.nodeId = held.nodeId) AS isWanted,
      EXISTS (SELECT 1 FROM nodeClients AS other WHERE other.nodeId = held.nodeId AND other.emailKey = held.emailKey
        AND other.emailKey <> '' AND other.clientId > held.clientId) AS isReplaced
    FROM nodeClients AS held WHERE held.nodeId = ${nodeId} AND held.changedAtMs > 0 ORDER BY held.clientId`.execute(db);
  return rows.map(({ isWanted, isReplaced, isResetDue, isDeletionConfirmed, ...row }) => ({
    ...row,
    email: isReplaced === 1 && isWanted === 0 ? '' : row.email,
    isWanted: isWanted === 1,
    isResetDue: isResetDue === 1,
    isDeletionConfirmed: isDeletionConfirmed === 1,
  }));
}

/** Clients whose name here another one still has on the node, which is to be renamed there too. */
export async function blockedNames(db: Db, nodeId: number): Promise<{ clientId: number; bearerId: number }[]> {
  const { rows } = await sql<{ clientId: number; bearerId: number }>`SELECT held.clientId, bearer.clientId AS bearerId
    FROM nodeClients AS held CROSS JOIN clients AS client ON client.id = held.clientId AND client.emailKey <> held.emailKey
    CROSS JOIN nodeClients AS bearer ON bearer.nodeId = held.nodeId AND bearer.emailKey = client.emailKey
      AND bearer.emailKey <> '' AND bearer.changedAtMs > 0
    CROSS JOIN clients AS other ON other.id = bearer.clientId AND other.emailKey <> bearer.emailKey
    WHERE held.nodeId = ${nodeId} AND held.changedAtMs > 0`.execute(db);
  return rows;
}

/** A client that is new to the node. */
export interface FreshClient {
  clientId: number;
  emailKey: string;
  subId: string;
}

export async function freshClients(db: Db, nodeId: number): Promise<FreshClient[]> {
  const { rows } = await sql<FreshClient>`SELECT client.id AS clientId, client.emailKey, client.subId
    FROM nodeClients AS held CROSS JOIN clients AS client ON client.id = held.clientId
    WHERE held.nodeId = ${nodeId} AND held.changedAtMs > 0 AND held.emailKey = ''`.execute(db);
  return rows;
}

/** Clients known to the node by another name than here. */
export async function renamedClients(db: Db, nodeId: number): Promise<{ clientId: number; emailKey: string }[]> {
  const { rows } = await sql<{ clientId: number; emailKey: string }>`SELECT held.clientId, held.emailKey
    FROM nodeClients AS held CROSS JOIN clients AS client ON client.id = held.clientId AND client.emailKey <> held.emailKey
    WHERE held.nodeId = ${nodeId} AND held.changedAtMs > 0 AND held.emailKey <> ''`.execute(db);
  return rows;
}

/** Folded names under which the node knows these clients. */
export async function namesThere(db: Db, nodeId: number, clientIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ clientId: number; emailKey: string }>`SELECT clientId, emailKey FROM nodeClients
    WHERE nodeId = ${nodeId} AND clientId IN ${numbersIn(JSON.stringify(clientIds))}`.execute(db);
  return new Map(rows.map(({ clientId, emailKey }) => [clientId, emailKey]));
}

/** Inbounds with clients that the node still knows by another name. */
export async function inboundsOfRenamed(db: Db, nodeId: number): Promise<number[]> {
  const ids = (await renamedClients(db, nodeId)).map(({ clientId }) => clientId);
  const { rows } = await sql<{ inboundId: number }>`SELECT DISTINCT inboundId FROM clientInbounds
    WHERE clientId IN ${numbersIn(JSON.stringify(ids))}`.execute(db);
  return rows.map(({ inboundId }) => inboundId);
}

/** A client with its attachments on the node, in the wanted state. */
export async function wantedClient(db: Db, nodeId: number, clientId: number) {
  const client = await db
    .selectFrom('clients')
    .innerJoin('clientStates', 'clientStates.clientId', 'clients.id')
    .selectAll('clients')
    .select(['enable', 'disabledBy', 'quotaBytes', 'expiresAtMs', 'resetDays', 'resetDay'])
    .where('clients.id', '=', clientId)
    .executeTakeFirst();
  if (client === undefined) return null;
  const links = await db
    .selectFrom('clientInbounds as link')
    .innerJoin('inbounds as inbound', 'inbound.id', 'link.inboundId')
    .select(['link.inboundId', 'link.flowOverride', 'link.passwordOverride', 'inbound.protocol'])
    .where('link.clientId', '=', clientId)
    .where('inbound.nodeId', '=', nodeId)
    .orderBy('link.inboundId')
    .execute();
  return { ...client, links };
}
export type WantedClient = NonNullable<Awaited<ReturnType<typeof wantedClient>>>;

/** Inbounds of the node that carry a waiting client. */
export async function inboundsOfWaiting(db: Db, nodeId: number): Promise<number[]> {
  const { rows } = await sql<{ inboundId: number }>`SELECT DISTINCT link.inboundId
    FROM nodeClients AS held CROSS JOIN clientInbounds AS link ON link.clientId = held.clientId
    JOIN inbounds AS inbound ON inbound.id = link.inboundId AND inbound.nodeId = held.nodeId
    WHERE held.nodeId = ${nodeId} AND held.changedAtMs > 0 ORDER BY link.inboundId`.execute(db);
  return rows.map(({ inboundId }) => inboundId);
}

/** Inbounds with clients whose edits on the node are kept. */
export async function inboundsOfKept(db: Db, nodeId: number): Promise<number[]> {
  const { rows } = await sql<{ inboundId: number }>`
    SELECT inboundId FROM nodeDrift WHERE nodeId = ${nodeId} AND kind = 'client' AND inboundId <> 0
    UNION SELECT link.inboundId FROM nodeDrift AS drift
      CROSS JOIN nodeClients AS held ON held.nodeId = drift.nodeId AND held.emailKey = drift.name AND held.emailKey <> ''
      CROSS JOIN clientInbounds AS link ON link.clientId = held.clientId
    WHERE drift.nodeId = ${nodeId} AND drift.kind = 'client'`.execute(db);
  return rows.map(({ inboundId }) => inboundId);
}

/** Marks all clients of these inbounds, which are new to the node. */
export async function enrol(trx: WriteTransaction, nodeId: number, inboundIds: readonly number[], version: number) {
  await sql`INSERT INTO nodeClients (nodeId, clientId, changedAtMs)
    SELECT DISTINCT ${nodeId}, link.clientId, ${version} FROM clientInbounds AS link
    WHERE link.inboundId IN ${numbersIn(JSON.stringify(inboundIds))}
    ON CONFLICT (nodeId, clientId) DO UPDATE SET changedAtMs = max(nodeClients.changedAtMs, excluded.changedAtMs), isDeletionConfirmed = 0`.execute(
    trx,
  );
}

/** Marks clients left without an inbound of the node; deleting an inbound does not name them. */
export async function discharge(trx: WriteTransaction, nodeId: number, version: number): Promise<void> {
  await sql`UPDATE nodeClients SET changedAtMs = ${version} WHERE nodeId = ${nodeId} AND changedAtMs = 0
    AND NOT EXISTS (SELECT 1 FROM clientInbounds AS link JOIN inbounds AS inbound ON inbound.id = link.inboundId
      WHERE link.clientId = nodeClients.clientId AND inbound.nodeId = ${nodeId})`.execute(trx);
}

/** Recorded before the first delivery, so that a lost response does not make the inbound look like the node's own. */
export async function noteAttempt(trx: WriteTransaction, inboundId: number, remoteTag: string): Promise<void> {
  await trx.updateTable('nodeInbounds').set({ remoteTag, remoteId: 0 }).where('inboundId', '=', inboundId).execute();
}

/** Records that the node holds the inbound as of `version`; a later change stays marked. */
export async function noteInbound(
  trx: WriteTransaction,
  inboundId: number,
  at: { remoteId: number; remoteTag: string; version: number },
): Promise<void> {
  await sql`UPDATE nodeInbounds SET remoteId = ${at.remoteId}, remoteTag = ${at.remoteTag},
      changedAtMs = CASE WHEN changedAtMs <= ${at.version} THEN 0 ELSE changedAtMs END
    WHERE inboundId = ${inboundId}`.execute(trx);
}

export async function noteInboundReset(trx: WriteTransaction, inboundId: number, resetAtMs: number): Promise<void> {
  await trx
    .updateTable('nodeInbounds')
    // What the node reports next is this reset, and no period that it began by itself.
    .set({ resetDeliveredAtMs: resetAtMs, remoteResetAtMs: null })
    .where('inboundId', '=', inboundId)
    .execute();
}

export async function forgetInbound(trx: WriteTransaction, inboundId: number): Promise<void> {
  await trx.deleteFrom('nodeInbounds').where('inboundId', '=', inboundId).execute();
}

/** A client as held by a node after a delivery. */
export interface Delivered {
  clientId: number;
  email: string;
  emailKey: string;
  /** Baseline for a client that had none: its previous counter there, mostly 0. */
  upBytes: number;
  downBytes: number;
}

/**
 * Records that the node knows the client by this name as of `version`. A client new to the node counts from its first
 * byte; one with a pending reset keeps its baseline until the node has carried it out.
 */
export async function noteClients(
  trx: WriteTransaction,
  nodeId: number,
  delivered: readonly Delivered[],
  version: number,
): Promise<void> {
  await sql`UPDATE nodeClients SET email = j.value ->> 'email', emailKey = j.value ->> 'emailKey',
      upBytes = CASE WHEN isResetDue = 1 THEN upBytes ELSE coalesce(upBytes, CAST(j.value ->> 'upBytes' AS INTEGER)) END,
      downBytes = CASE WHEN isResetDue = 1 THEN downBytes ELSE coalesce(downBytes, CAST(j.value ->> 'downBytes' AS INTEGER)) END,
      changedAtMs = CASE WHEN changedAtMs <= ${version} AND isResetDue = 0 THEN 0 ELSE changedAtMs END
    FROM ${eachObject(JSON.stringify(delivered))} AS j
    WHERE nodeClients.nodeId = ${nodeId} AND nodeClients.clientId = CAST(j.value ->> 'clientId' AS INTEGER)`.execute(
    trx,
  );
  const ids = delivered.map(({ clientId }) => clientId);
  await noteClientsApplied(trx, nodeId, ids);
}

/** Records the resets carried out: baselines are zero now. Other changes are still pending. */
export async function noteClientResets(
  trx: WriteTransaction,
  nodeId: number,
  clientIds: readonly number[],
  version: number,
): Promise<void> {
  await sql`UPDATE nodeClients SET isResetDue = 0, upBytes = 0, downBytes = 0
    WHERE nodeId = ${nodeId} AND changedAtMs <= ${version}
      AND clientId IN ${numbersIn(JSON.stringify(clientIds))}`.execute(trx);
}

export async function forgetClients(
  trx: WriteTransaction,
  nodeId: number,
  clientIds: readonly number[],
  version: number,
): Promise<void> {
  await sql`DELETE FROM nodeClients WHERE nodeId = ${nodeId} AND changedAtMs <= ${version}
    AND clientId IN ${numbersIn(JSON.stringify(clientIds))}`.execute(trx);
  // Attached to the node again in the meantime: new to the node.
  await sql`UPDATE nodeClients SET email = '', emailKey = '', upBytes = NULL, downBytes = NULL, lifetimeUpBytes = NULL,
      lifetimeDownBytes = NULL, isResetDue = 0, endSessions = ''
    WHERE nodeId = ${nodeId} AND clientId IN ${numbersIn(JSON.stringify(clientIds))}`.execute(trx);
}

/** Records what was delivered of `version` and what was refused; later changes keep the node marked. */
export async function noteDelivery(
  trx: WriteTransaction,
  nodeId: number,
  {
    version,
    isDelivered,
    ...reported
  }: { version: number; syncError: string; syncRefusals: string; isDelivered: boolean },
): Promise<void> {
  await trx
    .updateTable('nodes')
    .set(reported)
    .where('id', '=', nodeId)
    .where('syncError', '<>', reported.syncError)
    .execute();
  if (isDelivered)
    await trx
      .updateTable('nodes')
      .set({ configDirty: 0 })
      .where('id', '=', nodeId)
      .where('configDirtyAtMs', '=', version)
      .execute();
}

/** E-mails and ids of all clients on an inbound, as named by a delivery of the whole inbound. */
export async function clientsOn(db: Db, inboundId: number) {
  return db
    .selectFrom('clientInbounds as link')
    .innerJoin('clients as client', 'client.id', 'link.clientId')
    .select(['client.id as clientId', 'client.email', 'client.emailKey'])
    .where('link.inboundId', '=', inboundId)
    .execute();
}

/** By e-mail, what disabled each disabled client of an inbound. */
export async function disablersOn(db: Db, inboundId: number): Promise<Map<string, 'admin' | 'loop'>> {
  const rows = await db
    .selectFrom('clientInbounds as link')
    .innerJoin('clients as client', 'client.id', 'link.clientId')
    .innerJoin('clientStates as state', 'state.clientId', 'link.clientId')
    .select(['client.email', 'state.disabledBy'])
    .where('link.inboundId', '=', inboundId)
    .where('state.enable', '=', 0)
    .execute();
  return new Map(rows.map(({ email, disabledBy }) => [email, disabledBy || 'loop']));
}

/** Disabled clients among these. */
export async function disabledAmong(db: Db, clientIds: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ clientId: number }>`SELECT clientId FROM clientStates WHERE enable = 0
    AND clientId IN ${numbersIn(JSON.stringify(clientIds))}`.execute(db);
  return new Set(rows.map(({ clientId }) => clientId));
}

/** Marks a lost inbound for another delivery. It stays known by its tag, so that it is recognised if it comes back. */
export async function noteLoss(trx: WriteTransaction, inboundId: number, version: number): Promise<void> {
  await sql`UPDATE nodeInbounds SET changedAtMs = max(changedAtMs, ${version})
    WHERE inboundId = ${inboundId}`.execute(trx);
}

/** @returns the new version of the node, larger than every one before */
export async function raiseVersion(trx: WriteTransaction, nodeId: number, nowMs: number): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    UPDATE nodes SET configDirty = 1, configDirtyAtMs = max(CAST(${nowMs} AS INTEGER), configDirtyAtMs + 1)
    WHERE id = ${nodeId} RETURNING configDirtyAtMs AS version`.execute(trx);
  return rows[0]!.version;
}

/** Marks everything the node holds for another delivery, under a new version. */
export async function redeliverAll(trx: WriteTransaction, nodeId: number, nowMs: number): Promise<void> {
  const version = await raiseVersion(trx, nodeId, nowMs);
  await trx.updateTable('nodeInbounds').set({ changedAtMs: version }).where('nodeId', '=', nodeId).execute();
  await trx.updateTable('nodeClients').set({ changedAtMs: version }).where('nodeId', '=', nodeId).execute();
}

/** Total usage of a client, by the name the node knows; a larger total from a panel above takes precedence. */
export interface ClientTotal {
  clientId: number;
  email: string;
  up: number;
  down: number;
  /** The node's own count. */
  ownUp: number;
  ownDown: number;
}

/**
 * Clients whose total differs from the node's own count.
 * @param besides ids of clients to include as well; null = all
 */
export async function totalsFor(db: Db, nodeId: number, besides: readonly number[] | null): Promise<ClientTotal[]> {
  const up = sql`max(state.upBytes, state.peerUpBytes)`;
  const down = sql`max(state.downBytes, state.peerDownBytes)`;
  const isWanted =
    besides === null
      ? sql`true`
      : sql`(${up} <> held.upBytes OR ${down} <> held.downBytes OR held.clientId IN ${numbersIn(JSON.stringify(besides))})`;
  const { rows } = await sql<ClientTotal>`
    SELECT held.clientId AS "clientId", held.email, ${up} AS up, ${down} AS down, held.upBytes AS "ownUp", held.downBytes AS "ownDown"
    FROM nodeClients AS held CROSS JOIN clientStates AS state ON state.clientId = held.clientId
    WHERE held.nodeId = ${nodeId} AND held.emailKey <> '' AND held.upBytes IS NOT NULL AND ${isWanted}`.execute(db);
  return rows;
}
