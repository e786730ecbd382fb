import { sql } from 'kysely';
import { MAX_BYTES } from '../../../contract/fields/port.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import type { Db } from '../../../store/schema.ts';
import { addCreditedTotals } from '../history/repository-totals.ts';
import { bucketStartSec, FINE_SPAN_SEC } from '../ledger/ledger-spans.ts';

/** A quarantined delta, with the current name of its owner. */
export interface Quarantined {
  id: number;
  atMs: number;
  kind: 'user' | 'inbound' | 'outbound';
  subject: string;
  /** Panel whose core reported it. */
  guid: string;
  upBytes: number;
  downBytes: number;
  intervalMs: number;
  ownerId: number | null;
  /** E-mail of the client or tag of the inbound to credit; null = it no longer exists. */
  owner: string | null;
}

const QUARANTINED = sql`SELECT delta.id, delta.atMs, delta.kind, delta.subject, source.guid, delta.upBytes, delta.downBytes,
    delta.intervalMs, delta.ownerId, CASE delta.kind
      WHEN 'user' THEN (SELECT email FROM clients WHERE id = delta.ownerId)
      WHEN 'inbound' THEN (SELECT tag FROM inbounds WHERE id = delta.ownerId)
      ELSE delta.subject END AS owner
  FROM quarantinedDeltas AS delta JOIN trafficSources AS source ON source.id = delta.sourceId`;

/** Newest first, starting before `beforeId`. */
export async function quarantinedBefore(db: Db, beforeId: number, limit: number): Promise<Quarantined[]> {
  const { rows } = await sql<Quarantined>`${QUARANTINED} WHERE delta.id < ${beforeId}
    ORDER BY delta.id DESC LIMIT ${limit}`.execute(db);
  return rows;
}

export async function quarantinedById(trx: WriteTransaction, id: number): Promise<Quarantined | null> {
  const { rows } = await sql<Quarantined>`${QUARANTINED} WHERE delta.id = ${id}`.execute(trx);
  return rows[0] ?? null;
}

export async function dropQuarantined(trx: WriteTransaction, id: number): Promise<void> {
  await trx.deleteFrom('quarantinedDeltas').where('id', '=', id).execute();
}

/** Counts the delta now as if it had been plausible: counters and, for a client, its ledger move together. */
export async function creditQuarantined(trx: WriteTransaction, delta: Quarantined, nowMs: number): Promise<void> {
  const { kind, ownerId, upBytes, downBytes } = delta;
  if (kind !== 'outbound' && ownerId !== null)
    await addCreditedTotals(trx, { nowMs, kind, ownerId, deltaId: delta.id });
  if (kind === 'user') {
    const bucketSec = bucketStartSec(nowMs, FINE_SPAN_SEC);
    await sql`INSERT INTO trafficLedger (spanSec, bucketStartSec, clientId, sourceId, upBytes, downBytes)
      SELECT ${FINE_SPAN_SEC}, ${bucketSec}, state.clientId, delta.sourceId,
        min(delta.upBytes, ${MAX_BYTES} - state.upBytes), min(delta.downBytes, ${MAX_BYTES} - state.downBytes)
      FROM quarantinedDeltas AS delta JOIN clientStates AS state ON state.clientId = delta.ownerId WHERE delta.id = ${delta.id}
      ON CONFLICT (spanSec, bucketStartSec, clientId, sourceId) DO UPDATE SET upBytes = trafficLedger.upBytes + excluded.upBytes, downBytes = trafficLedger.downBytes + excluded.downBytes`.execute(
      trx,
    );
    await sql`UPDATE clientStates SET upBytes = min(upBytes + ${upBytes}, ${MAX_BYTES}),
      downBytes = min(downBytes + ${downBytes}, ${MAX_BYTES}) WHERE clientId = ${ownerId}`.execute(trx);
  } else if (kind === 'inbound') {
    await sql`UPDATE inbounds SET upBytes = min(upBytes + ${upBytes}, ${MAX_BYTES}),
      downBytes = min(downBytes + ${downBytes}, ${MAX_BYTES}) WHERE id = ${ownerId}`.execute(trx);
  } else {
    await sql`INSERT INTO outboundTraffics (tag, upBytes, downBytes) VALUES (${delta.subject}, ${upBytes}, ${downBytes})
      ON CONFLICT (tag) DO UPDATE SET upBytes = min(outboundTraffics.upBytes + excluded.upBytes, ${MAX_BYTES}),
        downBytes = min(outboundTraffics.downBytes + excluded.downBytes, ${MAX_BYTES})`.execute(trx);
  }
}
