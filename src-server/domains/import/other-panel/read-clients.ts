import type { Reason } from '../../../contract/envelope.ts';
import type Database from 'better-sqlite3';
import { supportsClients } from '../../../core/config/inbound/inbound-rules.ts';
import { foldText } from '../../../store/fold-text.ts';
import { checkEmail } from '../../clients/rules/name-rules.ts';
import type { StoredClient, StoredLink } from '../../clients/storage/stored-types.ts';
import { leftOut } from '../left-out.ts';
import type { PlanBuilder } from '../plan-builder.ts';
import { amount, boundedEnd, rowsOf, type OtherRow } from './other-rows.ts';
import type { ReadInbound } from './read-inbounds.ts';

/** A client as it would be stored here, without fields that only this panel has. */
export type ReadClient = Omit<
  StoredClient,
  'emailKey' | 'planId' | 'enable' | 'disabledBy' | 'peerUpBytes' | 'peerDownBytes'
> & { isEnabled: boolean };

/** An attachment, with what differs there. */
export type ReadAttachment = StoredLink;

export interface ReadClients {
  clients: ReadClient[];
  attachments: ReadAttachment[];
}

/** Protocols that use a password, which may differ from inbound to inbound. */
const BY_PASSWORD = new Set(['trojan', 'shadowsocks']);

/** Clients by e-mail: from their own table, or in older databases from the JSON of the inbounds. */
export function readClients(
  source: Database.Database,
  inbounds: readonly ReadInbound[],
  plan: PlanBuilder,
): ReadClients {
  const traffics = new Map<string, OtherRow>();
  for (const row of rowsOf(source, 'client_traffics')) traffics.set(row.text('email'), row);
  const taken = new Map<string, ReadClient>();
  const rows = [...rowsOf(source, 'clients')];
  const isOlder = rows.length === 0;
  for (const row of isOlder ? inbounds.flatMap(({ entries }) => entries) : rows) {
    const client = isOlder ? fromEntry(row, taken.size + 1) : fromRow(row);
    const key = foldText(client.email);
    const known = taken.get(key);
    if (known !== undefined) {
      if (isOlder) fillCredentials(known, client, plan);
      else plan.cannot('client', client.email, leftOut('leftOut.emailCase'));
      continue;
    }
    const refusal = refusalOf(client.email);
    if (refusal !== null) {
      plan.cannot('client', client.email, refusal);
      continue;
    }
    const traffic = traffics.get(client.email);
    taken.set(key, limitRenewals(withTraffic(client, traffic), row, traffic, plan));
    noteLosses(row, client.email, plan);
    plan.comes('clients', client.email);
  }
  return { clients: [...taken.values()], attachments: attach(source, inbounds, taken, isOlder, plan) };
}

function refusalOf(email: string): Reason | null {
  try {
    checkEmail(email);
    return null;
  } catch {
    return leftOut('leftOut.emailInvalid');
  }
}

function noteLosses(row: OtherRow, email: string, plan: PlanBuilder): void {
  if (row.int('limit_hwid') > 0 || row.int('limitHwid') > 0)
    plan.cannot('deviceLimit', email, leftOut('leftOut.deviceLimit'));
  const period = row.text('traffic_reset') || row.text('trafficReset') || 'never';
  if (period !== 'never') plan.cannot('trafficReset', email, leftOut('leftOut.clientReset'));
}

/** Renewals have no greatest number here: a client that has used up its own must not renew for ever. */
function limitRenewals(
  client: ReadClient,
  row: OtherRow,
  traffic: OtherRow | undefined,
  plan: PlanBuilder,
): ReadClient {
  const most = row.int('reset_max') || row.int('resetMax');
  if (most <= 0 || !renews(client)) return client;
  const left = most - (traffic?.int('reset_count') ?? 0);
  if (left > 0) {
    plan.cannot('renewals', client.email, leftOut('leftOut.renewalsLeft', { left }));
    return client;
  }
  plan.cannot('renewals', client.email, leftOut('leftOut.renewalsUsed'));
  return { ...client, resetDays: 0, resetDay: 0 };
}

const renews = ({ resetDays, resetDay }: ReadClient): boolean => resetDays > 0 || resetDay > 0;

/** Fields with the same names in both layouts; the counters are in a separate table. */
function sharedFields(row: OtherRow) {
  return {
    email: row.text('email'),
    password: row.text('password'),
    auth: row.text('auth'),
    flow: row.text('flow'),
    security: row.text('security'),
    comment: row.text('comment'),
    // Entries of early versions may lack it; such clients are served there.
    isEnabled: row.flag('enable', true),
    resetDays: amount(row.int('reset')),
    createdAtMs: amount(row.int('created_at')),
    updatedAtMs: amount(row.int('updated_at')),
    upBytes: 0,
    downBytes: 0,
    lastOnlineAtMs: 0,
  };
}

function fromRow(row: OtherRow): ReadClient {
  return {
    ...sharedFields(row),
    id: row.int('id'),
    subId: row.text('sub_id'),
    uuid: row.text('uuid'),
    reverse: row.text('reverse'),
    limitIp: amount(row.int('limit_ip')),
    tgId: amount(row.int('tg_id')),
    groupName: row.text('group_name'),
    quotaBytes: amount(row.int('total_gb')),
    expiresAtMs: boundedEnd(row.int('expiry_time')),
    resetDay: Math.min(31, amount(row.int('reset_day'))),
  };
}

/** An entry of `settings.clients`, with the field names of the API. */
function fromEntry(row: OtherRow, id: number): ReadClient {
  return {
    ...sharedFields(row),
    id,
    subId: row.text('subId'),
    uuid: row.text('id'),
    reverse: '',
    limitIp: amount(row.int('limitIp')),
    tgId: amount(row.int('tgId')),
    groupName: row.text('group'),
    quotaBytes: amount(row.int('totalGB')),
    expiresAtMs: boundedEnd(row.int('expiryTime')),
    resetDay: Math.min(31, amount(row.int('resetDay'))),
  };
}

/** The same client on another inbound, which may add the credential of another protocol. */
function fillCredentials(known: ReadClient, other: ReadClient, plan: PlanBuilder): void {
  if (differ(known.uuid, other.uuid) || differ(known.auth, other.auth))
    plan.cannot('client', other.email, leftOut('leftOut.credentials'));
  known.uuid ||= other.uuid;
  known.password ||= other.password;
  known.auth ||= other.auth;
  known.flow ||= other.flow;
}

const differ = (known: string, other: string): boolean => known !== '' && other !== '' && known !== other;

function withTraffic(client: ReadClient, traffic: OtherRow | undefined): ReadClient {
  if (traffic === undefined) return client;
  return {
    ...client,
    upBytes: amount(traffic.int('up')),
    downBytes: amount(traffic.int('down')),
    lastOnlineAtMs: amount(traffic.int('last_online')),
    expiresAtMs: enforcedExpiry(client, boundedEnd(traffic.int('expiry_time'))),
    // Where the traffic row differs, that panel enforced the traffic row.
    isEnabled: client.isEnabled && traffic.flag('enable'),
  };
}

/**
 * When that panel renews a client or starts a delayed one, it moves the expiry in the traffic table and may leave the
 * client's own date behind: the old date would renew the client again here and lose its usage since.
 */
function enforcedExpiry(client: ReadClient, enforcedMs: number): number {
  const { expiresAtMs } = client;
  const hasStarted = expiresAtMs < 0 && enforcedMs > 0;
  const isRenewed = renews(client) && expiresAtMs > 0 && enforcedMs > expiresAtMs;
  return hasStarted || isRenewed ? enforcedMs : expiresAtMs;
}

function attach(
  source: Database.Database,
  inbounds: readonly ReadInbound[],
  taken: ReadonlyMap<string, ReadClient>,
  isOlder: boolean,
  plan: PlanBuilder,
): ReadAttachment[] {
  const byId = new Map(inbounds.map((inbound) => [inbound.id, inbound]));
  const clientsById = new Map([...taken.values()].map((client) => [client.id, client]));
  const found = new Map<string, ReadAttachment>();
  const add = (client: ReadClient, inbound: ReadInbound, flowOverride: string, entry: OtherRow | undefined): void => {
    if (!supportsClients(inbound.protocol)) {
      const place = inbound.row.text('remark') || inbound.row.text('tag');
      plan.cannot(
        'attachment',
        client.email,
        leftOut('leftOut.withoutClients', { protocol: inbound.protocol, inbound: place }),
      );
      return;
    }
    const password = BY_PASSWORD.has(inbound.protocol) ? (entry?.text('password') ?? '') : '';
    found.set(`${client.id} ${inbound.id}`, {
      clientId: client.id,
      inboundId: inbound.id,
      flowOverride,
      passwordOverride: password === client.password ? '' : password,
    });
    plan.counts.attachments += 1;
  };
  if (isOlder) {
    for (const inbound of inbounds)
      for (const entry of inbound.entries) {
        const client = taken.get(foldText(entry.text('email')));
        if (client !== undefined && !found.has(`${client.id} ${inbound.id}`))
          add(client, inbound, entry.text('flow'), entry);
      }
    return [...found.values()];
  }
  const entries = new Map(
    inbounds.map(({ id, entries: list }) => [id, new Map(list.map((entry) => [entry.text('email'), entry]))]),
  );
  for (const row of rowsOf(source, 'client_inbounds')) {
    const client = clientsById.get(row.int('client_id'));
    const inbound = byId.get(row.int('inbound_id'));
    if (client === undefined || inbound === undefined) continue;
    add(client, inbound, row.text('flow_override'), entries.get(inbound.id)?.get(client.email));
  }
  return [...found.values()];
}
