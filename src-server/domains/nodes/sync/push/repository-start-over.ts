import { sql } from 'kysely';
import type { WriteTransaction } from '../../../../store/open-store.ts';
import type { Db } from '../../../../store/schema.ts';
import { NO_BASELINE } from './repository-attempts.ts';
import { raiseVersion } from './repository-push.ts';

/**
 * Starts over with another panel at the node's address: nothing is delivered there yet, and nothing on it is ours. What
 * was to be deleted on the node is put aside until the node is recognised.
 */
export async function startOver(trx: WriteTransaction, nodeId: number, nowMs: number): Promise<void> {
  const changedAtMs = await raiseVersion(trx, nodeId, nowMs);
  await suspendDeletions(trx, nodeId);
  await trx.deleteFrom('nodeDrift').where('nodeId', '=', nodeId).execute();
  await trx.deleteFrom('nodeApplied').where('nodeId', '=', nodeId).execute();
  // Its counters start at zero.
  const lastReset = sql<number>`coalesce((SELECT lastTrafficResetAtMs FROM inbounds
    WHERE inbounds.id = nodeInbounds.inboundId), 0)`;
  await trx
    .updateTable('nodeInbounds')
    .set({ remoteId: 0, remoteTag: '', changedAtMs, resetDeliveredAtMs: lastReset, remoteResetAtMs: null })
    .where('nodeId', '=', nodeId)
    .execute();
  await trx
    .updateTable('nodeClients')
    .set({ email: '', emailKey: '', ...NO_BASELINE, changedAtMs, isResetDue: 0 })
    .where('nodeId', '=', nodeId)
    .execute();
}

async function suspendDeletions(trx: WriteTransaction, nodeId: number): Promise<void> {
  const isGone = sql`NOT EXISTS (SELECT 1 FROM inbounds WHERE inbounds.id = nodeInbounds.inboundId
    AND inbounds.nodeId = nodeInbounds.nodeId)`;
  const isLeaving = sql`NOT EXISTS (SELECT 1 FROM clientInbounds AS link
    JOIN inbounds AS inbound ON inbound.id = link.inboundId
    WHERE link.clientId = nodeClients.clientId AND inbound.nodeId = nodeClients.nodeId)`;
  await sql`INSERT INTO suspendedDeletions (nodeId, kind, itemId, remoteId, name, nameKey)
    SELECT nodeId, 'inbound', inboundId, remoteId, remoteTag, remoteTag FROM nodeInbounds
      WHERE nodeId = ${nodeId} AND remoteTag <> '' AND ${isGone}
    UNION ALL SELECT nodeId, 'client', clientId, 0, email, emailKey FROM nodeClients
      WHERE nodeId = ${nodeId} AND emailKey <> '' AND ${isLeaving}
    ON CONFLICT (nodeId, kind, itemId) DO NOTHING`.execute(trx);
  await sql`DELETE FROM nodeInbounds WHERE nodeId = ${nodeId} AND ${isGone}`.execute(trx);
  await sql`DELETE FROM nodeClients WHERE nodeId = ${nodeId} AND ${isLeaving}`.execute(trx);
}

/** Folded names of clients whose deletion on the node is suspended. */
export async function suspendedNames(db: Db, nodeId: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('suspendedDeletions')
    .select('nameKey')
    .where('nodeId', '=', nodeId)
    .where('kind', '=', 'client')
    .execute();
  return new Set(rows.map(({ nameKey }) => nameKey));
}

/** The node is recognised: what was to be deleted on it is marked again, except names that it has for others by now. */
export async function resumeDeletions(trx: WriteTransaction, nodeId: number, nowMs: number): Promise<void> {
  const version = await raiseVersion(trx, nodeId, nowMs);
  await sql`INSERT INTO nodeInbounds (nodeId, inboundId, remoteId, remoteTag, changedAtMs)
    SELECT nodeId, itemId, remoteId, name, ${version} FROM suspendedDeletions
    WHERE nodeId = ${nodeId} AND kind = 'inbound' ON CONFLICT (inboundId) DO NOTHING`.execute(trx);
  await sql`INSERT INTO nodeClients (nodeId, clientId, email, emailKey, changedAtMs)
    SELECT nodeId, itemId, name, nameKey, ${version} FROM suspendedDeletions AS suspended
    WHERE nodeId = ${nodeId} AND kind = 'client' AND NOT EXISTS (SELECT 1 FROM nodeClients AS held
      WHERE held.nodeId = suspended.nodeId AND held.emailKey = suspended.nameKey)
    ON CONFLICT (nodeId, clientId) DO NOTHING`.execute(trx);
  await trx.deleteFrom('suspendedDeletions').where('nodeId', '=', nodeId).execute();
}
