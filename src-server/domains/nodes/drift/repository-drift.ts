import { sql } from 'kysely';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Db } from '../../../store/schema.ts';
import { raiseVersion } from '../sync/push/repository-push.ts';
import type { DriftKind } from './contract.ts';
import { eachObject, eachText, numbersIn, textsIn } from '../../../store/dialect/each-json.ts';

/** Tags and folded e-mails on a node that are neither overwritten nor taken over. */
export interface Kept {
  inbounds: ReadonlySet<string>;
  clients: ReadonlySet<string>;
}

/** Items on a node that wait for a decision. @param isLeftOnly only those that the operator leaves alone */
export async function keptOn(db: Db, nodeId: number, isLeftOnly = false): Promise<Kept> {
  const rows = await db
    .selectFrom('nodeDrift')
    .select(['kind', 'name'])
    .where('nodeId', '=', nodeId)
    .where('isLeft', '>=', isLeftOnly ? 1 : 0)
    .execute();
  const names = (wanted: DriftKind): Set<string> =>
    new Set(rows.filter(({ kind }) => kind === wanted).map(({ name }) => name));
  return { inbounds: names('inbound'), clients: names('client') };
}

/** Number of undecided edits seen on each node. */
export async function undecidedEdits(db: Db): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ nodeId: number; count: number }>`
    SELECT nodeId, count(DISTINCT kind || name) AS count FROM nodeDrift AS seen WHERE NOT EXISTS (
      SELECT 1 FROM nodeDrift AS decided WHERE decided.nodeId = seen.nodeId AND decided.kind = seen.kind
        AND decided.name = seen.name AND decided.isLeft = 1) GROUP BY nodeId`.execute(db);
  return new Map(rows.map(({ nodeId, count }) => [nodeId, count]));
}

interface Seen {
  nodeId: number;
  inboundId: number;
  /** Tag of the inbound there, and whether the inbound itself differs. */
  tag: string;
  isDrifted: boolean;
  /** Folded e-mails of its clients that differ, are missing, or exist only there. */
  clients: readonly string[];
}

/**
 * Records what was seen of a node's inbound. Items that no longer differ and were not left alone are delivered again.
 */
export async function noteSeen(trx: WriteTransaction, seen: Seen, nowMs: number): Promise<void> {
  const { nodeId, inboundId, tag, isDrifted } = seen;
  const clients = JSON.stringify(seen.clients);
  await sql`INSERT INTO nodeDrift (nodeId, kind, name, inboundId, isLeft)
    SELECT ${nodeId}, 'client', j.value, ${inboundId}, 0 FROM ${eachText(clients)} AS j WHERE true
    UNION ALL SELECT ${nodeId}, 'inbound', ${tag}, 0, 0 WHERE ${isDrifted ? 1 : 0} = 1
    ON CONFLICT DO NOTHING`.execute(trx);
  const { numAffectedRows = 0n } = await sql`DELETE FROM nodeDrift WHERE nodeId = ${nodeId} AND isLeft = 0 AND (
      (kind = 'client' AND inboundId = ${inboundId} AND name NOT IN ${textsIn(clients)})
      OR (kind = 'inbound' AND name = ${tag} AND ${isDrifted ? 1 : 0} = 0))`.execute(trx);
  if (numAffectedRows > 0n) await deliverWaiting(trx, nodeId, nowMs);
}

/** Drops the records of these items: they are compared and delivered like all others again. */
export async function forgetKept(
  trx: WriteTransaction,
  nodeId: number,
  kind: DriftKind,
  names: readonly string[],
  nowMs: number,
): Promise<void> {
  const { numAffectedRows = 0n } = await sql`DELETE FROM nodeDrift WHERE nodeId = ${nodeId} AND kind = ${kind}
    AND name IN ${textsIn(JSON.stringify(names))}`.execute(trx);
  if (numAffectedRows > 0n) await deliverWaiting(trx, nodeId, nowMs);
}

/** Leaves these items alone from now on. */
export async function leaveAlone(
  trx: WriteTransaction,
  nodeId: number,
  items: readonly { kind: DriftKind; name: string; inboundId: number }[],
): Promise<void> {
  await sql`INSERT INTO nodeDrift (nodeId, kind, name, inboundId, isLeft)
    SELECT ${nodeId}, j.value ->> 'kind', j.value ->> 'name', CAST(j.value ->> 'inboundId' AS INTEGER), 1
    FROM ${eachObject(JSON.stringify(items))} AS j WHERE true ON CONFLICT (nodeId, kind, name, inboundId) DO UPDATE SET isLeft = 1`.execute(
    trx,
  );
}

/** Drops records of seen edits; items left alone stay so. */
export async function forgetSeen(trx: WriteTransaction, nodeId: number, nowMs: number): Promise<void> {
  await trx.deleteFrom('nodeDrift').where('nodeId', '=', nodeId).where('isLeft', '=', 0).execute();
  await deliverWaiting(trx, nodeId, nowMs);
}

/** Items held back stay marked, so the node needs a new delivery. */
async function deliverWaiting(trx: WriteTransaction, nodeId: number, nowMs: number): Promise<void> {
  const { rows } = await sql<{ isWaiting: 0 | 1 }>`SELECT
    EXISTS (SELECT 1 FROM nodeClients WHERE nodeId = ${nodeId} AND changedAtMs > 0)
    OR EXISTS (SELECT 1 FROM nodeInbounds WHERE nodeId = ${nodeId} AND changedAtMs > 0) AS isWaiting`.execute(trx);
  if (rows[0]?.isWaiting === 1) await raiseVersion(trx, nodeId, nowMs);
}

/** Marks items for the next delivery, whatever the node has. */
export async function markToSend(
  trx: WriteTransaction,
  nodeId: number,
  ids: { inbounds: readonly number[]; lost: readonly number[]; clients: readonly number[] },
  nowMs: number,
): Promise<void> {
  const version = await raiseVersion(trx, nodeId, nowMs);
  const { inbounds, lost, clients } = ids;
  await sql`UPDATE nodeInbounds SET changedAtMs = ${version} WHERE nodeId = ${nodeId}
    AND inboundId IN ${numbersIn(JSON.stringify([...inbounds, ...lost]))}`.execute(trx);
  // Treated as never delivered: it is added, with its clients.
  await sql`UPDATE nodeInbounds SET remoteId = 0, remoteTag = '' WHERE nodeId = ${nodeId}
    AND inboundId IN ${numbersIn(JSON.stringify(lost))}`.execute(trx);
  await sql`UPDATE nodeClients SET changedAtMs = ${version} WHERE nodeId = ${nodeId}
    AND clientId IN ${numbersIn(JSON.stringify(clients))}`.execute(trx);
  // The state there is to be overwritten, so there is nothing to compare with until then.
  await sql`DELETE FROM nodeApplied WHERE nodeId = ${nodeId}
    AND itemId IN (SELECT CAST(value AS INTEGER) FROM json_each(iif(kind = 'client', ${JSON.stringify(clients)},
      ${JSON.stringify([...inbounds, ...lost])})))`.execute(trx);
}

/** Withdraws pending changes of these items: the operator chose the node's values. */
export async function withdraw(
  trx: WriteTransaction,
  nodeId: number,
  ids: { inbounds: readonly number[]; clients: readonly number[] },
): Promise<void> {
  await sql`UPDATE nodeInbounds SET changedAtMs = 0 WHERE nodeId = ${nodeId} AND remoteId <> 0
    AND inboundId IN ${numbersIn(JSON.stringify(ids.inbounds))}`.execute(trx);
  await sql`UPDATE nodeClients SET changedAtMs = 0 WHERE nodeId = ${nodeId} AND isResetDue = 0
    AND clientId IN ${numbersIn(JSON.stringify(ids.clients))}`.execute(trx);
}
