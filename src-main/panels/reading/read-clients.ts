import * as z from 'zod';
import type { ClientFigures, StoredClient } from '../../bridge/panels.ts';
import type { Link } from '../../connections/link.ts';
import { jsonElements } from './json-elements.ts';
import { readCall, ReadFailure, streamCall } from './limited-call.ts';
import { Amount, Figure, Flag, listOf, Moment, Names, Text } from './tolerant.ts';

const SUMMARY_LIMITS = { ms: 20_000, bytes: 16 * 1024 * 1024 };
const LIST_LIMITS = { ms: 300_000, idleMs: 20_000, bytes: 384 * 1024 * 1024 };
const MAX_CLIENT_BYTES = 256 * 1024;
const MAX_INBOUND_BYTES = 64 * 1024 * 1024;
/** Of one panel. */
const MAX_CLIENTS = 200_000;

const Summary = z.object({
  total: Figure,
  online: Names,
  depleted: Names,
  expiring: Names,
  deactive: Names,
  onlineCount: Figure.optional(),
  depletedCount: Figure.optional(),
  expiringCount: Figure.optional(),
  deactiveCount: Figure.optional(),
});
const Page = z.object({
  total: Figure,
  items: listOf(z.object({ updatedAt: Moment }), 1),
  summary: Summary.nullable().catch(null),
});

export interface ClientsReading {
  figures: ClientFigures;
  /** Changes whenever a client is added, changed or deleted; empty: not reported by this panel. */
  mark: string;
}

/** How many clients a panel has, by state; null: it does not count them. @throws {ReadFailure} */
export async function readClientFigures(link: Link): Promise<ClientsReading | null> {
  const path = '/panel/api/clients/list/paged?page=1&pageSize=1&sort=updatedAt&order=descend';
  let result: unknown;
  try {
    result = await readCall(link, { path }, SUMMARY_LIMITS);
  } catch (error) {
    if (error instanceof ReadFailure && error.trouble === 'absent') return null;
    throw error;
  }
  const read = Page.safeParse(result);
  if (!read.success) throw new ReadFailure('wrong', 'its list of clients is none');
  const { total, items, summary } = read.data;
  return {
    figures: {
      total: summary?.total ?? total,
      online: summary === null ? null : (summary.onlineCount ?? summary.online),
      depleted: summary === null ? null : (summary.depletedCount ?? summary.depleted),
      expiring: summary === null ? null : (summary.expiringCount ?? summary.expiring),
      disabled: summary === null ? null : (summary.deactiveCount ?? summary.deactive),
    },
    mark: `${total ?? ''} ${items[0]?.updatedAt ?? ''}`,
  };
}

const Usage = z.object({ up: Amount, down: Amount }).catch({ up: 0, down: 0 });
const Row = z
  .object({
    email: Text,
    subId: Text,
    uuid: Text,
    comment: Text,
    group: Text,
    enable: Flag,
    totalGB: Amount,
    expiryTime: Moment,
    traffic: Usage,
  })
  .transform(({ totalGB, expiryTime, traffic, ...same }): StoredClient => ({
    ...same,
    totalBytes: totalGB,
    usedBytes: traffic.up + traffic.down,
    expiresAtMs: expiryTime,
  }));

/** Every client, one after the other. @throws {ReadFailure} */
export async function readClients(link: Link, take: (client: StoredClient) => void): Promise<void> {
  let count = 0;
  const keep = (client: StoredClient): void => {
    if (client.email !== '' && (count += 1) <= MAX_CLIENTS) take(client);
  };
  try {
    const rows = jsonElements(MAX_CLIENT_BYTES, (element) => {
      const read = Row.safeParse(element);
      if (read.success) keep(read.data);
    });
    await streamCall(link, { path: '/panel/api/clients/list' }, LIST_LIMITS, rows.push);
    rows.end();
  } catch (error) {
    // Refused before the first one: older panels know clients only inside inbounds.
    if (!(error instanceof ReadFailure) || error.trouble !== 'absent' || count > 0) throw error;
    await readFromInbounds(link, keep);
  }
}

const InboundClient = z
  .object({ email: Text, id: Text, subId: Text, comment: Text, enable: Flag, totalGB: Amount, expiryTime: Moment })
  .transform(({ id, totalGB, expiryTime, ...same }): StoredClient => ({
    ...same,
    uuid: id,
    group: '',
    totalBytes: totalGB,
    usedBytes: 0,
    expiresAtMs: expiryTime,
  }));
const Stats = listOf(z.object({ email: Text, up: Amount, down: Amount }), MAX_CLIENTS);

async function readFromInbounds(link: Link, take: (client: StoredClient) => void): Promise<void> {
  const seen = new Set<string>();
  const inbounds = jsonElements(MAX_INBOUND_BYTES, (element) => {
    const { settings, clientStats } = element as { settings?: unknown; clientStats?: unknown };
    const used = new Map(Stats.parse(clientStats ?? []).map(({ email, up, down }) => [email, up + down]));
    for (const client of listOf(InboundClient, MAX_CLIENTS).parse(clientsIn(settings))) {
      if (seen.has(client.email)) continue;
      seen.add(client.email);
      take({ ...client, usedBytes: used.get(client.email) ?? 0 });
    }
  });
  await streamCall(link, { path: '/panel/api/inbounds/list' }, LIST_LIMITS, inbounds.push);
  inbounds.end();
}

/** Older panels store the section as text. */
function clientsIn(settings: unknown): unknown {
  try {
    const section: unknown = typeof settings === 'string' ? JSON.parse(settings) : settings;
    return (section as { clients?: unknown } | null)?.clients ?? [];
  } catch {
    return [];
  }
}

/** Counts where the panel does not, from the data of each client. */
export function countClients(clients: Iterable<StoredClient>, nowMs: number): ClientFigures {
  const figures = { total: 0, depleted: 0, disabled: 0 };
  for (const { enable, totalBytes, usedBytes, expiresAtMs } of clients) {
    figures.total += 1;
    if ((totalBytes > 0 && usedBytes >= totalBytes) || (expiresAtMs > 0 && expiresAtMs <= nowMs)) figures.depleted += 1;
    else if (!enable) figures.disabled += 1;
  }
  return { ...figures, online: null, expiring: null };
}
