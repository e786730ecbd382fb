import type { Reason } from '../../../contract/envelope.ts';
import type Database from 'better-sqlite3';
import { parseJsonObject } from '../../../contract/json-text.ts';
import type { JsonObject } from '../../../contract/json.ts';
import { isProtocol } from '../../../contract/protocol-catalogue.ts';
import { normaliseInbound } from '../../../core/config/inbound/inbound-rules.ts';
import { panelName } from '../../../core/config/protocols/protocols.ts';
import { inboundFlaw, settingsIn } from '../inbound-flaw.ts';
import { leftOut } from '../left-out.ts';
import type { PlanBuilder } from '../plan-builder.ts';
import { amount, asRow, boundedEnd, isObject, rowsOf, type OtherRow } from './other-rows.ts';

/** An inbound to be stored, with the entries of its clients. */
export interface ReadInbound {
  id: number;
  row: OtherRow;
  protocol: string;
  /** JSON without clients. */
  settings: string;
  /** JSON; empty = none. */
  streamSettings: string;
  /** JSON; empty = none. */
  sniffing: string;
  /** Entries of `settings.clients`: each client's credentials on this inbound. */
  entries: OtherRow[];
}

/**
 * Inbounds of the panel's own machine; a node's inbounds belong to the node. They are stored as a save would: earlier
 * versions of that panel have other names for protocols and transports, which links do not know.
 */
export function readInbounds(source: Database.Database, plan: PlanBuilder): ReadInbound[] {
  const found: ReadInbound[] = [];
  const tags = new Set<string>();
  for (const row of rowsOf(source, 'inbounds')) {
    const tag = row.text('tag');
    const name = row.text('remark') || tag;
    const protocol = panelName(row.text('protocol'));
    const settings = settingsIn(row.text('settings'));
    const reason = refusalOf(row, protocol, settings, tags);
    if (reason !== null) {
      plan.cannot('inbound', name, reason);
      continue;
    }
    tags.add(tag);
    noteLosses(row, name, plan);
    const { clients, ...rest } = settings as JsonObject;
    const listed: readonly unknown[] = Array.isArray(clients) ? clients : [];
    const entries = listed.filter(isObject).map(asRow);
    const shape = normaliseInbound({
      protocol,
      listen: row.text('listen'),
      port: row.int('port'),
      settings: rest,
      streamSettings: parseJsonObject(row.text('stream_settings')),
      sniffing: parseJsonObject(row.text('sniffing')),
    });
    found.push({
      id: row.int('id'),
      row,
      protocol,
      settings: JSON.stringify(shape.settings),
      streamSettings: textOf(shape.streamSettings),
      sniffing: textOf(shape.sniffing),
      entries,
    });
    plan.comes('inbounds', name);
  }
  return found;
}

const textOf = (section: JsonObject | null): string => (section === null ? '' : JSON.stringify(section));

function refusalOf(row: OtherRow, protocol: string, settings: unknown, tags: ReadonlySet<string>): Reason | null {
  if (row.int('node_id') > 0) return leftOut('leftOut.ofNode');
  if (row.text('tag') === '' || tags.has(row.text('tag'))) return leftOut('leftOut.tag');
  const given = { protocol, settings, streamSettings: row.text('stream_settings'), port: row.int('port') };
  return inboundFlaw(given, isProtocol);
}

/** Notes properties of an inbound that this panel does not support. */
function noteLosses(row: OtherRow, name: string, plan: PlanBuilder): void {
  if (row.text('share_addr') !== '') plan.cannot('shareAddress', name, leftOut('leftOut.shareAddress'));
  if (row.flag('disable_flow')) plan.cannot('noFlow', name, leftOut('leftOut.noFlow'));
  const day = row.int('traffic_reset_day');
  if (row.text('traffic_reset') === 'monthly' && day > 1)
    plan.cannot('trafficReset', name, leftOut('leftOut.resetDay', { day }));
}

/** Inserts the inbounds with their ids. */
export function writeInbounds(scratch: Database.Database, inbounds: readonly ReadInbound[], nowMs: number): void {
  const insert =
    scratch.prepare(`INSERT INTO inbounds (id, tag, remark, enable, disabledBy, listen, port, protocol, settings,
      streamSettings, sniffing, expiresAtMs, quotaBytes, upBytes, downBytes, trafficReset, lastTrafficResetAtMs, nodeId,
      originNodeGuid, createdAtMs, updatedAtMs)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, '', ?, ?)`);
  for (const { id, row, protocol, settings, streamSettings, sniffing } of inbounds) {
    const up = amount(row.int('up'));
    const down = amount(row.int('down'));
    const quota = amount(row.int('total'));
    const expiresAtMs = amount(boundedEnd(row.int('expiry_time')));
    const isOver = (quota > 0 && up + down >= quota) || (expiresAtMs > 0 && expiresAtMs <= nowMs);
    const isEnabled = row.flag('enable');
    insert.run(
      id,
      row.text('tag'),
      row.text('remark'),
      isEnabled ? 1 : 0,
      isEnabled ? '' : isOver ? 'loop' : 'admin',
      row.text('listen'),
      row.int('port'),
      protocol,
      settings,
      streamSettings,
      sniffing,
      expiresAtMs,
      quota,
      up,
      down,
      row.text('traffic_reset') || 'never',
      amount(row.int('last_traffic_reset_time')),
      nowMs,
      nowMs,
    );
  }
}
