import * as z from 'zod';
import type { PanelMatter, StoredHost, StoredInbound, StoredNode, StoredSetting } from '../../bridge/panels.ts';
import type { Link } from '../../connections/link.ts';
import { jsonElements } from './json-elements.ts';
import { readCall, ReadFailure, streamCall } from './limited-call.ts';
import { Amount, Flag, listOf, Moment, plainText, Text } from './tolerant.ts';

const LIMITS = { ms: 20_000, bytes: 8 * 1024 * 1024 };
/** Other panels return inbounds with all of their clients. */
const WHOLE = { ms: 120_000, idleMs: 20_000, bytes: 256 * 1024 * 1024 };
const MAX_INBOUND_BYTES = 64 * 1024 * 1024;
const MAX_ROWS = 5_000;
const MAX_SETTINGS = 500;
const DAY_MS = 86_400_000;

/** An empty result for calls that a panel does not have. */
export async function orNone<T>(reading: Promise<T>, none: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ReadFailure && error.trouble === 'absent') return none;
    throw error;
  }
}

const Id = z.number().int();
const Inbound = z
  .object({
    id: Id,
    enable: Flag,
    remark: Text,
    tag: Text,
    protocol: Text,
    listen: Text,
    port: Amount,
    total: Amount,
    up: Amount,
    down: Amount,
    expiryTime: Moment,
    clientCount: z.number().int().min(0).optional().catch(undefined),
    clientStats: z.array(z.unknown()).nullish().catch(null),
  })
  .transform(({ remark, total, up, down, expiryTime, clientCount, clientStats, ...same }): StoredInbound => ({
    ...same,
    name: remark === '' ? same.tag : remark,
    totalBytes: total,
    usedBytes: up + down,
    expiresAtMs: expiryTime,
    clientCount: clientCount ?? clientStats?.length ?? null,
  }));

/** @throws {ReadFailure} */
export async function readInbounds(link: Link): Promise<StoredInbound[]> {
  try {
    const counted = await readCall(link, { path: '/panel/api/inbounds/list/counted' }, LIMITS);
    return listOf(Inbound, MAX_ROWS).parse(counted);
  } catch (error) {
    if (!(error instanceof ReadFailure) || error.trouble !== 'absent') throw error;
  }
  const found: StoredInbound[] = [];
  const elements = jsonElements(MAX_INBOUND_BYTES, (element) => {
    const read = Inbound.safeParse(element);
    if (read.success && found.length < MAX_ROWS) found.push(read.data);
  });
  await streamCall(link, { path: '/panel/api/inbounds/list' }, WHOLE, elements.push);
  elements.end();
  return found;
}

const HostRow = z
  .object({ id: Id, remark: Text, address: Text, port: Amount, sni: Text })
  .transform(({ remark, ...same }): StoredHost => ({ ...same, name: remark }));

/** @throws {ReadFailure} */
export const readHosts = async (link: Link): Promise<StoredHost[]> =>
  orNone(
    readCall(link, { path: '/panel/api/hosts/list' }, LIMITS).then((rows) => listOf(HostRow, MAX_ROWS).parse(rows)),
    [],
  );

const NodeRow = z
  .object({
    id: Id,
    name: Text,
    address: Text,
    port: Amount,
    status: Text,
    enable: Flag,
    coreState: Text,
    plans: z.array(z.unknown()).catch([]),
    transitive: Flag,
  })
  .transform(({ plans, ...same }) => ({ ...same, planCount: plans.length }));

/** Its own nodes, without the nodes behind them. @throws {ReadFailure} */
export const readNodes = async (link: Link): Promise<StoredNode[]> =>
  orNone(
    readCall(link, { path: '/panel/api/nodes/list' }, LIMITS).then((rows) =>
      listOf(NodeRow, MAX_ROWS)
        .parse(rows)
        .flatMap(({ transitive, ...node }) => (transitive ? [] : [node])),
    ),
    [],
  );

/** The token that a session needs for changes; none where it could not be read. @throws {ReadFailure} */
export async function readCsrfToken(link: Link): Promise<string | undefined> {
  const token = await orNone(readCall(link, { path: '/panel/csrf-token' }, { ms: 8_000, bytes: 16_384 }), '');
  return typeof token === 'string' ? token.slice(0, 256) : undefined;
}

/** Settings that are secret, or may be: other makers' panels return theirs in the clear. */
const SECRET_KEY = /token|secret|password|passwd|privatekey|apikey|key$/i;

/** Settings by key, without anything that may be secret. @throws {ReadFailure} */
export async function readSettings(link: Link, csrfToken: string | undefined): Promise<StoredSetting[]> {
  const path = '/panel/api/setting/all';
  const request = { method: 'POST' as const, path, ...(csrfToken === undefined ? {} : { csrfToken }) };
  const result = await orNone(readCall(link, request, LIMITS), {});
  const settings = typeof result === 'object' && result !== null ? Object.entries(result) : [];
  return settings.slice(0, MAX_SETTINGS).flatMap(([key, value]) => {
    if (SECRET_KEY.test(key) || !/^[A-Za-z]\w{0,63}$/.test(key)) return [];
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    return value === '' ? [] : [{ key, value: plainText(String(value)) }];
  });
}

const Warning = z.object({ kind: Text, at: Moment, message: Text });
const Served = z.object({ owner: Text, name: Text, warnings: listOf(Warning, 20) });

/** Problems of the certificates that the panel serves, and when the first of them expires. @throws {ReadFailure} */
export async function readCertificates(link: Link): Promise<{ matters: PanelMatter[]; endsAtMs: number | null }> {
  const path = '/panel/api/server/certificates';
  const served = listOf(Served, 500).parse(await orNone(readCall(link, { path }, LIMITS), []));
  const matters = served.flatMap(({ name, warnings }) =>
    warnings.map(({ kind, at, message }): PanelMatter => {
      const kinds = { expired: 'certificateEnded', expiring: 'certificateEnding' } as const;
      const known = Object.hasOwn(kinds, kind) ? kinds[kind as keyof typeof kinds] : 'certificateOther';
      return { kind: known, name, value: known === 'certificateOther' ? 0 : at, words: message };
    }),
  );
  const ends = matters.flatMap(({ value }) => (value > 0 ? [value] : []));
  return { matters, endsAtMs: ends.length === 0 ? null : Math.min(...ends) };
}

const Backup = z.object({ takenAt: Moment });

/** When the newest automatic backup was taken, in ms; 0 = none; null: the panel makes none. @throws {ReadFailure} */
export async function readBackup(link: Link): Promise<number | null> {
  const path = '/panel/api/server/backups';
  const backups = await orNone(readCall(link, { path }, LIMITS), null);
  if (backups === null) return null;
  return Math.max(
    0,
    ...listOf(Backup, 1_000)
      .parse(backups)
      .map(({ takenAt }) => takenAt),
  );
}

/** Findings in the lists that need the operator. */
export function listMatters(
  inbounds: readonly StoredInbound[],
  nodes: readonly StoredNode[],
  nowMs: number,
): PanelMatter[] {
  const matters: PanelMatter[] = [];
  for (const { name, enable, expiresAtMs, totalBytes, usedBytes } of inbounds) {
    if (expiresAtMs > 0 && expiresAtMs <= nowMs && expiresAtMs > nowMs - 30 * DAY_MS)
      matters.push({ kind: 'inboundExpired', name, value: expiresAtMs, words: '' });
    else if (enable && totalBytes > 0 && usedBytes >= totalBytes)
      matters.push({ kind: 'inboundQuota', name, value: totalBytes, words: '' });
  }
  for (const { name, enable, status, coreState, planCount } of nodes) {
    if (!enable) continue;
    if (status === 'offline') matters.push({ kind: 'nodeDown', name, value: 0, words: '' });
    else if (coreState === 'error') matters.push({ kind: 'nodeCore', name, value: 0, words: '' });
    if (planCount > 0) matters.push({ kind: 'nodePlan', name, value: planCount, words: '' });
  }
  return matters;
}
