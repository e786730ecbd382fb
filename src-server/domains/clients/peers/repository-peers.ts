import { sql } from 'kysely';
import type { WriteTransaction } from '../../../store/open-store.ts';
import { eachObject } from '../../../store/dialect/each-json.ts';

export interface PeerTotal {
  emailKey: string;
  upBytes: number;
  downBytes: number;
}

/** Panels other than this one that have pushed since a moment. Skips from panel to panel through the key. */
export async function otherMasters(trx: WriteTransaction, masterGuid: string, sinceMs: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    WITH RECURSIVE master(guid) AS (
      SELECT min(masterGuid) FROM peerTotals
      UNION ALL
      SELECT (SELECT min(masterGuid) FROM peerTotals WHERE masterGuid > master.guid) FROM master WHERE master.guid IS NOT NULL
    )
    SELECT count(*) AS count FROM master WHERE guid IS NOT NULL AND guid <> ${masterGuid}
      AND EXISTS (SELECT 1 FROM peerTotals WHERE masterGuid = master.guid AND updatedAtMs >= ${sinceMs})`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** Overwrites one panel's totals. @returns ids of the clients known here. */
export async function writePeerTotals(
  trx: WriteTransaction,
  masterGuid: string,
  totals: readonly PeerTotal[],
  nowMs: number,
): Promise<number[]> {
  const { rows } = await sql<{ clientId: number }>`
    INSERT INTO peerTotals (masterGuid, clientId, upBytes, downBytes, updatedAtMs)
    SELECT ${masterGuid}, client.id, CAST(total.value ->> 'upBytes' AS INTEGER), CAST(total.value ->> 'downBytes' AS INTEGER), ${nowMs}
    FROM ${eachObject(JSON.stringify(totals))} AS total
    CROSS JOIN clients AS client ON client.emailKey = total.value ->> 'emailKey'
    WHERE true
    ON CONFLICT (masterGuid, clientId) DO UPDATE SET upBytes = excluded.upBytes, downBytes = excluded.downBytes,
      updatedAtMs = excluded.updatedAtMs
    RETURNING clientId`.execute(trx);
  return rows.map(({ clientId }) => clientId);
}

/** @returns ids of the clients whose rows were removed. */
export async function dropOldPeerTotals(trx: WriteTransaction, beforeMs: number): Promise<number[]> {
  const { rows } = await sql<{ clientId: number }>`
    DELETE FROM peerTotals WHERE updatedAtMs < ${beforeMs} RETURNING clientId`.execute(trx);
  return [...new Set(rows.map(({ clientId }) => clientId))];
}
