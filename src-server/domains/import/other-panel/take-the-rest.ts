import type Database from 'better-sqlite3';
import { leftOut } from '../left-out.ts';
import type { PlanBuilder } from '../plan-builder.ts';
import { amount, rowsOf } from './other-rows.ts';

/** Groups, external links, fallbacks, API tokens, totals of outbounds and outbound subscriptions. */
export function takeTheRest(
  source: Database.Database,
  scratch: Database.Database,
  known: { clientIds: ReadonlySet<number>; inboundIds: ReadonlySet<number> },
  plan: PlanBuilder,
  nowMs: number,
): void {
  takeGroups(source, scratch, plan);
  takeExternalLinks(source, scratch, known.clientIds, plan, nowMs);
  takeFallbacks(source, scratch, known.inboundIds, plan);
  takeTokens(source, scratch, plan);
  const outbound = scratch.prepare('INSERT OR IGNORE INTO outboundTraffics (tag, upBytes, downBytes) VALUES (?, ?, ?)');
  for (const row of rowsOf(source, 'outbound_traffics'))
    outbound.run(row.text('tag'), amount(row.int('up')), amount(row.int('down')));
  takeOutboundSubscriptions(source, scratch);
  for (const row of rowsOf(source, 'nodes')) plan.cannot('node', row.text('name'), leftOut('leftOut.node'));
  for (const row of rowsOf(source, 'users'))
    plan.cannot('administrator', row.text('username'), leftOut('leftOut.administrator'));
}

function takeGroups(source: Database.Database, scratch: Database.Database, plan: PlanBuilder): void {
  const insert = scratch.prepare(
    'INSERT OR IGNORE INTO clientGroups (name, upBaselineBytes, downBaselineBytes, createdAtMs, updatedAtMs) VALUES (?, ?, ?, ?, ?)',
  );
  for (const row of rowsOf(source, 'client_groups')) {
    const { changes } = insert.run(
      row.text('name'),
      row.int('reset_up'),
      row.int('reset_down'),
      row.int('created_at'),
      row.int('updated_at'),
    );
    if (changes > 0) plan.comes('groups', row.text('name'));
  }
}

function takeExternalLinks(
  source: Database.Database,
  scratch: Database.Database,
  clientIds: ReadonlySet<number>,
  plan: PlanBuilder,
  nowMs: number,
): void {
  const insert =
    scratch.prepare(`INSERT INTO clientExternalLinks (clientId, kind, value, remark, sortIndex, createdAtMs)
    VALUES (?, ?, ?, ?, ?, ?)`);
  for (const row of rowsOf(source, 'client_external_links')) {
    const kind = row.text('kind');
    const name = row.text('remark') || row.text('value').slice(0, 60);
    const endsAtMs = row.int('expiry_time');
    const prefix = row.text('name_prefix');
    if (!clientIds.has(row.int('client_id'))) plan.cannot('externalLink', name, leftOut('leftOut.clientStays'));
    else if (kind !== 'link' && kind !== 'subscription')
      plan.cannot('externalLink', name, leftOut('leftOut.kindUnknown', { kind }));
    else if (row.text('enable') !== '' && !row.flag('enable'))
      plan.cannot('externalLink', name, leftOut('leftOut.switchedOff'));
    else if (endsAtMs > 0 && endsAtMs <= nowMs) plan.cannot('externalLink', name, leftOut('leftOut.linkEnded'));
    else {
      insert.run(
        row.int('client_id'),
        kind,
        row.text('value'),
        row.text('remark'),
        row.int('sort_index'),
        row.int('created_at'),
      );
      plan.comes('externalLinks', name);
      if (endsAtMs > 0) plan.cannot('externalLink', name, leftOut('leftOut.linkEnds'));
      if (prefix !== '') plan.cannot('externalLink', name, leftOut('leftOut.namePrefix', { prefix }));
    }
  }
}

function takeFallbacks(
  source: Database.Database,
  scratch: Database.Database,
  inboundIds: ReadonlySet<number>,
  plan: PlanBuilder,
): void {
  const insert =
    scratch.prepare(`INSERT INTO inboundFallbacks (masterId, childId, name, alpn, path, dest, xver, sortOrder)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  for (const row of rowsOf(source, 'inbound_fallbacks')) {
    const childId = row.int('child_id');
    if (!inboundIds.has(row.int('master_id')) || (childId > 0 && !inboundIds.has(childId))) {
      plan.cannot('fallback', row.text('name') || row.text('path'), leftOut('leftOut.inboundStays'));
      continue;
    }
    insert.run(
      row.int('master_id'),
      childId,
      row.text('name'),
      row.text('alpn'),
      row.text('path'),
      row.text('dest'),
      row.int('xver'),
      row.int('sort_order'),
    );
  }
}

/** Tokens are stored there as the same hash, so programs can keep using theirs. */
function takeTokens(source: Database.Database, scratch: Database.Database, plan: PlanBuilder): void {
  const insert = scratch.prepare(
    'INSERT OR IGNORE INTO apiTokens (name, tokenHash, enabled, createdAtMs) VALUES (?, ?, ?, ?)',
  );
  for (const row of rowsOf(source, 'api_tokens')) {
    const name = row.text('name');
    const scope = row.text('scope') || 'admin';
    if (!/^[0-9a-f]{64}$/.test(row.text('token'))) plan.cannot('apiToken', name, leftOut('leftOut.notHashed'));
    else if (scope !== 'admin') plan.cannot('apiToken', name, leftOut('leftOut.scopeUnknown', { scope }));
    else if (row.int('expires_at') > 0) plan.cannot('apiToken', name, leftOut('leftOut.expires'));
    else {
      const seconds = row.int('created_at');
      const { changes } = insert.run(name, row.text('token'), row.flag('enabled') ? 1 : 0, seconds * 1000);
      if (changes > 0) plan.comes('apiTokens', name);
      else plan.cannot('apiToken', name, leftOut('leftOut.nameTaken'));
    }
  }
}

function takeOutboundSubscriptions(source: Database.Database, scratch: Database.Database): void {
  const insert = scratch.prepare(`INSERT INTO outboundSubs (remark, url, enabled, allowPrivate, prepend, tagPrefix,
      updateIntervalSec, priority, lastUpdatedAtMs, lastError, outboundCount, outbounds, leftOut, knownTags, createdAtMs,
      updatedAtMs) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, '', 0, '[]', '[]', '[]', ?, ?)`);
  for (const row of rowsOf(source, 'outbound_subscriptions'))
    insert.run(
      row.text('remark'),
      row.text('url'),
      row.flag('enabled') ? 1 : 0,
      row.flag('allow_private') ? 1 : 0,
      row.flag('prepend') ? 1 : 0,
      row.text('tag_prefix'),
      row.int('update_interval') || 600,
      row.int('priority'),
      row.int('created_at'),
      row.int('updated_at'),
    );
}
