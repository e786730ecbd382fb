import type Database from 'better-sqlite3';
import { protocolOf } from '../../core/config/protocols/protocols.ts';
import { HostContent } from '../hosts/contract.ts';
import { bucketStartSec, FINE_SPAN_SEC } from '../traffic/ledger/ledger-spans.ts';
import { inboundFlaw, settingsIn } from './inbound-flaw.ts';
import { leftOut } from './left-out.ts';
import { isObject, parseJson } from './other-panel/other-rows.ts';
import type { PlanBuilder } from './plan-builder.ts';

/** Bytes that are never negative, by table. Those of clients are in the ledger too. */
const AMOUNTS: Readonly<Record<string, readonly string[]>> = {
  inbounds: ['upBytes', 'downBytes', 'quotaBytes'],
  clientStates: ['upBytes', 'downBytes', 'quotaBytes'],
  keptTraffics: ['upBytes', 'downBytes'],
  outboundTraffics: ['upBytes', 'downBytes'],
};

/**
 * Takes inbounds out that no panel could have stored, with what belongs to them, and such hosts, and lifts negative
 * amounts to 0. The database has the current schema, with its triggers and foreign keys.
 */
export function checkOwnRows(db: Database.Database, plan: PlanBuilder, nowMs: number): void {
  takeOutInbounds(db, plan);
  takeOutHosts(db, plan);
  bookNegativeCounters(db, nowMs);
  for (const [table, columns] of Object.entries(AMOUNTS))
    for (const column of columns) db.exec(`UPDATE ${table} SET ${column} = 0 WHERE ${column} < 0`);
}

interface InboundRow {
  id: number;
  tag: string;
  remark: string;
  protocol: string;
  settings: string;
  streamSettings: string;
  port: number;
}

function takeOutInbounds(db: Database.Database, plan: PlanBuilder): void {
  const rows = db.prepare('SELECT id, tag, remark, protocol, settings, streamSettings, port FROM inbounds ORDER BY id');
  for (const row of rows.all() as InboundRow[]) {
    const given = { ...row, settings: settingsIn(row.settings) };
    // Also those that can no longer be written: they are shown.
    const flaw = inboundFlaw(given, (protocol) => protocolOf(protocol) !== null);
    if (flaw === null) continue;
    plan.cannot('inbound', row.remark || row.tag, flaw);
    takeOut(db, row.id, plan);
  }
}

function takeOut(db: Database.Database, id: number, plan: PlanBuilder): void {
  const hosts = db.prepare('SELECT content FROM hosts WHERE inboundId = ? ORDER BY id').pluck().all(id) as string[];
  for (const content of hosts) plan.cannot('host', remarkIn(content), leftOut('leftOut.inboundStays'));
  const fallbacks = db
    .prepare('DELETE FROM inboundFallbacks WHERE ? IN (masterId, childId) RETURNING name, path')
    .all(id) as { name: string; path: string }[];
  for (const { name, path } of fallbacks) plan.cannot('fallback', name || path, leftOut('leftOut.inboundStays'));
  db.prepare('DELETE FROM inbounds WHERE id = ?').run(id);
}

/** A single one of them would keep all hosts from being listed. */
function takeOutHosts(db: Database.Database, plan: PlanBuilder): void {
  const rows = db.prepare('SELECT id, content FROM hosts ORDER BY id').all() as { id: number; content: string }[];
  for (const { id, content } of rows) {
    if (HostContent.safeParse(parseJson(content)).success) continue;
    plan.cannot('host', remarkIn(content), leftOut('leftOut.settings'));
    db.prepare('DELETE FROM hosts WHERE id = ?').run(id);
  }
}

function remarkIn(content: string): string {
  const host = parseJson(content);
  return isObject(host) && typeof host['remark'] === 'string' ? host['remark'] : '';
}

/** A client's counters equal the sum of its ledger, before and after. */
function bookNegativeCounters(db: Database.Database, nowMs: number): void {
  const negative = 'FROM clientStates WHERE min(upBytes, downBytes) < 0';
  if (db.prepare(`SELECT 1 ${negative} LIMIT 1`).get() === undefined) return;
  db.prepare(
    `INSERT INTO trafficLedger (spanSec, bucketStartSec, clientId, sourceId, upBytes, downBytes)
      SELECT ?, ?, clientId, ?, -min(upBytes, 0), -min(downBytes, 0) ${negative}
      ON CONFLICT (spanSec, bucketStartSec, clientId, sourceId) DO UPDATE
      SET upBytes = upBytes + excluded.upBytes, downBytes = downBytes + excluded.downBytes`,
  ).run(FINE_SPAN_SEC, bucketStartSec(nowMs, FINE_SPAN_SEC), openingSource(db));
}

function openingSource(db: Database.Database): number | bigint {
  const found = db.prepare(`SELECT id FROM trafficSources WHERE kind = 'opening' AND guid = ''`).pluck().get();
  if (found !== undefined) return found as number;
  return db.prepare(`INSERT INTO trafficSources (kind, guid, bootId) VALUES ('opening', '', '')`).run().lastInsertRowid;
}
