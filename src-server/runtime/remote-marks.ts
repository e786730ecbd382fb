import { sql } from 'kysely';
import { foldText } from '../store/fold-text.ts';
import type { WriteTransaction } from '../store/open-store.ts';
import type { Change, ResetCause } from './runtime.ts';
import { eachText, numbersIn, textsIn } from '../store/dialect/each-json.ts';

/**
 * Records inside a transaction what nodes have to take over, under a new, higher version of the node: delivering a
 * version clears the marks up to it, and a change made meanwhile stays.
 */
export async function markChange(trx: WriteTransaction, change: Change, nowMs: number): Promise<void> {
  const { inboundIds = [], users = [] } = change;
  const places = await placesOf(trx, [...inboundIds, ...users.map(({ inboundId }) => inboundId)]);
  if (places.size === 0) return;
  const versions = await raiseVersions(trx, [...new Set(places.values())], nowMs);
  for (const inboundId of new Set(inboundIds)) {
    const nodeId = places.get(inboundId);
    if (nodeId !== undefined) await markInbound(trx, nodeId, inboundId, versions.get(nodeId)!);
  }
  const emails = new Map<number, Set<string>>();
  for (const { inboundId, emails: names } of users) {
    const nodeId = places.get(inboundId);
    if (nodeId === undefined) continue;
    const keys = emails.get(nodeId) ?? new Set();
    for (const name of names) keys.add(foldText(name));
    emails.set(nodeId, keys);
  }
  for (const [nodeId, keys] of emails) await markClients(trx, nodeId, [...keys], versions.get(nodeId)!);
  if (change.endSessions !== undefined) await markEndings(trx, change.endSessions, places);
}

/** Where clients are that were disabled or removed: under their current name, or the one the node knows. */
async function markEndings(
  trx: WriteTransaction,
  { how, users }: NonNullable<Change['endSessions']>,
  places: ReadonlyMap<number, number>,
): Promise<void> {
  for (const { inboundId, emails } of users) {
    const nodeId = places.get(inboundId);
    if (nodeId === undefined) continue;
    const keys = JSON.stringify(emails.map(foldText));
    await sql`UPDATE nodeClients SET endSessions = ${how} WHERE nodeId = ${nodeId}
      AND (emailKey IN ${textsIn(keys)}
        OR clientId IN (SELECT id FROM clients WHERE emailKey IN ${textsIn(keys)}))`.execute(trx);
  }
}

/**
 * The clients' counters were reset to zero here: the next reading of a node is a new baseline, and the node follows.
 * When a new period has begun, the node begins it too: its baseline stays, as what was not read yet still counts.
 * @param besides id of a node that has begun it; 0 = none
 */
export async function markReset(
  trx: WriteTransaction,
  idsJson: string,
  nowMs: number,
  { cause = 'request', besides = 0 }: { cause?: ResetCause; besides?: number } = {},
): Promise<void> {
  const { rows } = await sql<{ nodeId: number }>`SELECT DISTINCT nodeId FROM nodeClients
    WHERE clientId IN ${numbersIn(idsJson)} AND emailKey <> '' AND nodeId <> ${besides}`.execute(trx);
  const baseline =
    cause === 'request'
      ? sql`upBytes = NULL, downBytes = NULL, lifetimeUpBytes = NULL, lifetimeDownBytes = NULL, `
      : sql``;
  const versions = await raiseVersions(
    trx,
    rows.map(({ nodeId }) => nodeId),
    nowMs,
  );
  for (const [nodeId, version] of versions)
    await sql`UPDATE nodeClients SET ${baseline}isResetDue = 1, resetCause = ${cause}, changedAtMs = ${version}
      WHERE nodeId = ${nodeId} AND clientId IN ${numbersIn(idsJson)} AND emailKey <> ''`.execute(trx);
}

/** Node by inbound, for those that are on a node or were until they were deleted. */
async function placesOf(trx: WriteTransaction, inboundIds: readonly number[]): Promise<Map<number, number>> {
  const ids = JSON.stringify([...new Set(inboundIds)]);
  const { rows } = await sql<{ inboundId: number; nodeId: number }>`
    SELECT id AS inboundId, nodeId FROM inbounds
      WHERE id IN ${numbersIn(ids)} AND nodeId IN (SELECT id FROM nodes)
    UNION SELECT inboundId, nodeId FROM nodeInbounds WHERE inboundId IN ${numbersIn(ids)}`.execute(trx);
  return new Map(rows.map(({ inboundId, nodeId }) => [inboundId, nodeId]));
}

/** @returns the new version of each node */
async function raiseVersions(
  trx: WriteTransaction,
  nodeIds: readonly number[],
  nowMs: number,
): Promise<Map<number, number>> {
  if (nodeIds.length === 0) return new Map();
  const { rows } = await sql<{ id: number; version: number }>`
    UPDATE nodes SET configDirty = 1, configDirtyAtMs = max(CAST(${nowMs} AS INTEGER), configDirtyAtMs + 1)
    WHERE id IN ${numbersIn(JSON.stringify(nodeIds))} RETURNING id, configDirtyAtMs AS version`.execute(trx);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

async function markInbound(trx: WriteTransaction, nodeId: number, inboundId: number, version: number): Promise<void> {
  await sql`INSERT INTO nodeInbounds (inboundId, nodeId, changedAtMs) VALUES (${inboundId}, ${nodeId}, ${version})
    ON CONFLICT (inboundId) DO UPDATE SET changedAtMs = excluded.changedAtMs`.execute(trx);
}

/** By the client's current name, and by the one the node knows: it may have been renamed or deleted. */
async function markClients(
  trx: WriteTransaction,
  nodeId: number,
  emailKeys: readonly string[],
  version: number,
): Promise<void> {
  const keys = JSON.stringify(emailKeys);
  await sql`INSERT INTO nodeClients (nodeId, clientId, changedAtMs)
    SELECT ${nodeId}, client.id, ${version} FROM ${eachText(keys)} AS j CROSS JOIN clients AS client ON client.emailKey = j.value
    WHERE true ON CONFLICT (nodeId, clientId) DO UPDATE SET changedAtMs = excluded.changedAtMs, isDeletionConfirmed = 0`.execute(
    trx,
  );
  await sql`UPDATE nodeClients SET changedAtMs = ${version}, isDeletionConfirmed = 0
    WHERE nodeId = ${nodeId} AND emailKey <> '' AND emailKey IN ${textsIn(keys)}`.execute(trx);
}
