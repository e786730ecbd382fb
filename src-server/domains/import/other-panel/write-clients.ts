import type Database from 'better-sqlite3';
import { foldText } from '../../../store/fold-text.ts';
import { searchKeyOf } from '../../clients/list/search/search-key.ts';
import { bucketStartSec, FINE_SPAN_SEC } from '../../traffic/ledger/ledger-spans.ts';
import type { ReadClients } from './read-clients.ts';

/** Inserts clients with their ids; the ledger records their counters as imported. */
export function writeClients(scratch: Database.Database, { clients, attachments }: ReadClients, nowMs: number): void {
  const client =
    scratch.prepare(`INSERT INTO clients (id, email, emailKey, subId, uuid, password, auth, flow, security, reverse,
      limitIp, tgId, groupName, comment, createdAtMs, updatedAtMs, searchKey)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const state =
    scratch.prepare(`INSERT INTO clientStates (clientId, enable, disabledBy, quotaBytes, expiresAtMs, resetDays,
      resetDay, upBytes, downBytes, lastOnlineAtMs, inboundCount) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const link = scratch.prepare(
    'INSERT INTO clientInbounds (clientId, inboundId, flowOverride, passwordOverride, createdAtMs) VALUES (?, ?, ?, ?, ?)',
  );
  const { lastInsertRowid: sourceId } = scratch
    .prepare(`INSERT INTO trafficSources (kind, guid, bootId) VALUES ('opening', '', '')`)
    .run();
  const ledger = scratch.prepare(
    'INSERT INTO trafficLedger (spanSec, bucketStartSec, clientId, sourceId, upBytes, downBytes) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const counts = new Map<number, number>();
  for (const { clientId } of attachments) counts.set(clientId, (counts.get(clientId) ?? 0) + 1);
  const bucket = bucketStartSec(nowMs, FINE_SPAN_SEC);
  for (const one of clients) {
    client.run(
      one.id,
      one.email,
      foldText(one.email),
      one.subId,
      one.uuid,
      one.password,
      one.auth,
      one.flow,
      one.security,
      one.reverse,
      one.limitIp,
      one.tgId,
      one.groupName,
      one.comment,
      one.createdAtMs,
      one.updatedAtMs,
      searchKeyOf(one),
    );
    const isOver =
      (one.quotaBytes > 0 && one.upBytes + one.downBytes >= one.quotaBytes) ||
      (one.expiresAtMs > 0 && one.expiresAtMs <= nowMs);
    state.run(
      one.id,
      one.isEnabled ? 1 : 0,
      one.isEnabled ? '' : isOver ? 'loop' : 'admin',
      one.quotaBytes,
      one.expiresAtMs,
      one.resetDays,
      // Having both makes no sense: there, the number of days takes precedence.
      one.resetDays > 0 ? 0 : one.resetDay,
      one.upBytes,
      one.downBytes,
      one.lastOnlineAtMs,
      counts.get(one.id) ?? 0,
    );
    if (one.upBytes + one.downBytes > 0)
      ledger.run(FINE_SPAN_SEC, bucket, one.id, sourceId, one.upBytes, one.downBytes);
  }
  for (const { clientId, inboundId, flowOverride, passwordOverride } of attachments)
    link.run(clientId, inboundId, flowOverride, passwordOverride, nowMs);
}
