import * as z from 'zod';
import type { TransferRequest } from '../../bridge/jobs.ts';
import { PlacedInbound, Section } from '../reading/inbound-places.ts';
import { readClients } from '../reading/read-clients.ts';
import { fewAtATime } from '../jobs/few-at-a-time.ts';
import { toFailure, type PanelCalls } from '../jobs/panel-calls.ts';
import { JobFailure } from '../jobs/job-failure.ts';
import type { Progress } from '../jobs/job-list.ts';
import { readPlans, type BothPlans } from './client-plans.ts';

/** More clients than this must be moved in parts: each is read, and restored when something fails. */
const MAX_CLIENTS = 10_000;
const CALLS_AT_ONCE = 4;
const LIST = { ms: 300_000, idleMs: 20_000, bytes: 384 * 1024 * 1024 };

type Json = Record<string, unknown>;

const Bytes = z.number().int().min(0).catch(0);

/** An inbound to transfer: exactly as its panel returns it, secrets included. It never leaves this process. */
const SourceInbound = z.object({
  id: z.int(),
  enable: z.boolean().catch(true),
  remark: z.string().catch(''),
  listen: z.string().catch(''),
  port: z.int(),
  protocol: z.string(),
  expiryTime: z.number().catch(0),
  total: Bytes,
  up: Bytes,
  down: Bytes,
  trafficReset: z.string().optional().catch(undefined),
  nodeId: z.number().nullish().catch(null),
  tag: z.string().catch(''),
  settings: Section,
  streamSettings: Section,
  sniffing: Section,
});
export type SourceInbound = z.output<typeof SourceInbound> & {
  emails: string[];
  hosts: Json[];
  fallbacks: Json[];
};

const Identity = z.object({
  email: z.string().min(1),
  subId: z.string().catch(''),
  uuid: z.string().catch(''),
  password: z.string().catch(''),
  auth: z.string().catch(''),
  /** In its old panel; 0 = none. */
  planId: z.int().min(0).catch(0),
  group: z.string().catch(''),
});
/** A flow, and a key where the client's password does not fit the cipher. */
const Attachment = z.object({ inboundId: z.int(), flow: z.string().optional(), password: z.string().catch('') });
type Attachment = z.output<typeof Attachment>;
/** A client with its secrets, and what it has used. */
export interface SourceClient extends z.output<typeof Identity> {
  /** As the `add` call accepts it. */
  body: Json;
  inboundIds: number[];
  /** What it has on single inbounds. */
  attachments: Attachment[];
  externalLinks: Json[];
  upBytes: number;
  downBytes: number;
}

/** All input of a plan. */
export interface TransferReading {
  inbounds: SourceInbound[];
  goneInbounds: number[];
  clients: SourceClient[];
  goneClients: string[];
  /** Inbounds whose port the new panel would refuse, with its words; only from panels that can check ahead. */
  refusedPlaces: ReadonlyMap<number, string>;
  plans: BothPlans;
  /** Tags used in rules of the old panel. */
  ruledTags: ReadonlySet<string>;
  target: {
    inbounds: PlacedInbound[];
    /** Of all clients, in lower case. */
    emails: ReadonlySet<string>;
    /** Requested subscription ids that are taken, with the e-mail that has them. */
    subIds: ReadonlyMap<string, string>;
    /** Certificate files of the new panel; null: it has none, or does not report them. */
    certificate: { file: string; key: string } | null;
    /** It has no clients apart from inbounds. */
    isOld: boolean;
    /** It supports hosts, and fallbacks between inbounds, where any are needed. */
    takesHosts: boolean;
    takesFallbacks: boolean;
  };
}

/** Reads what is to be transferred and what exists already. @throws {JobFailure} */
export async function readTransfer(
  from: PanelCalls,
  to: PanelCalls,
  request: TransferRequest,
  progress: Pick<Progress<unknown>, 'count' | 'stopIfCancelled'>,
): Promise<TransferReading> {
  const inbounds: SourceInbound[] = [];
  const goneInbounds: number[] = [];
  for (const id of request.inboundIds) {
    const inbound = await readInbound(from, id);
    if (inbound === null) goneInbounds.push(id);
    else inbounds.push(inbound);
    progress.stopIfCancelled();
  }
  const emails = [
    ...new Set([...request.emails, ...(request.withClients ? inbounds.flatMap((inbound) => inbound.emails) : [])]),
  ];
  if (emails.length > MAX_CLIENTS) throw new JobFailure('tooMany', { most: MAX_CLIENTS });
  const clients: SourceClient[] = [];
  const goneClients: string[] = [];
  let done = 0;
  await fewAtATime(emails, CALLS_AT_ONCE, async (email) => {
    progress.stopIfCancelled();
    const client = await readClient(from, email);
    if (client === null) goneClients.push(email);
    else clients.push(client);
    progress.count((done += 1), emails.length);
  });
  const order = new Map(emails.map((email, index) => [email, index]));
  clients.sort((one, other) => order.get(one.email)! - order.get(other.email)!);
  return {
    inbounds,
    goneInbounds,
    clients,
    goneClients,
    refusedPlaces: await readRefusedPlaces(to, inbounds),
    plans: await readPlans(
      from,
      to,
      clients.some(({ planId }) => planId > 0),
    ),
    ruledTags: await readRuledTags(from),
    target: await readTarget(to, inbounds, clients),
  };
}

async function readInbound(from: PanelCalls, id: number): Promise<SourceInbound | null> {
  const read = SourceInbound.safeParse(await from.getOrNone(`/panel/api/inbounds/get/${id}`));
  if (!read.success) return null;
  const { clients = [], ...settings } = (read.data.settings ?? {}) as { clients?: unknown };
  const emails = Array.isArray(clients) ? clients.map((client) => (client as { email?: unknown } | null)?.email) : [];
  return {
    ...read.data,
    settings,
    emails: emails.filter((email) => typeof email === 'string' && email !== '') as string[],
    hosts: rows(await from.getOrNone(`/panel/api/hosts/byInbound/${id}`)),
    fallbacks: rows(await from.getOrNone(`/panel/api/inbounds/${id}/fallbacks`)),
  };
}

const rows = (result: unknown): Json[] =>
  Array.isArray(result) ? result.filter((row) => typeof row === 'object' && row !== null) : [];

const Wrapped = z.object({
  client: z.record(z.string(), z.unknown()),
  inboundIds: z.array(z.int()).nullish(),
  /** Other makers' panels report neither this nor what disabled a client. */
  attachments: z.array(Attachment).nullish().catch(null),
  disabledBy: z.string().nullish().catch(null),
  externalLinks: z.array(z.record(z.string(), z.unknown())).nullish(),
});
const Counters = z.object({ up: Bytes, down: Bytes });
/** Members of the row that belong to its old panel. */
const OF_THE_ROW = [
  'id',
  'planId',
  'uuid',
  'recordId',
  'inboundIds',
  'traffic',
  'updatedAt',
  'updated_at',
  'createdAt',
] as const;

async function readClient(from: PanelCalls, email: string): Promise<SourceClient | null> {
  const name = encodeURIComponent(email);
  const read = Wrapped.safeParse(await from.getOrNone(`/panel/api/clients/get/${name}`));
  if (!read.success) return null;
  const { client, inboundIds, attachments, externalLinks } = read.data;
  // `id` is the UUID, or the number of a row beside `uuid`.
  const uuid = [client['uuid'], client['id']].find((value) => typeof value === 'string' && value !== '');
  const identity = Identity.safeParse({ ...client, uuid });
  if (!identity.success) return null;
  const body: Json = { ...client };
  for (const key of OF_THE_ROW) Reflect.deleteProperty(body, key);
  const { up, down } = await readCounters(from, email);
  const disabledBy = read.data.disabledBy ?? (isOver(client, up + down) ? 'loop' : 'admin');
  return {
    ...identity.data,
    body: {
      ...body,
      ...(uuid === undefined ? {} : { id: uuid }),
      ...(typeof client['createdAt'] === 'number' ? { created_at: client['createdAt'] } : {}),
      // It renews, and a new limit enables it, there too.
      ...(client['enable'] === false && disabledBy === 'loop' ? { disabledBy: 'loop' } : {}),
    },
    inboundIds: inboundIds ?? [],
    attachments: attachments ?? [],
    externalLinks: (externalLinks ?? []).map(({ kind, value, remark }) => ({ kind, value, remark })),
    upBytes: up,
    downBytes: down,
  };
}

const Limits = z.object({ totalGB: z.number().catch(0), expiryTime: z.number().catch(0) });

/** Whether a client is past its quota or its end. */
function isOver(client: Json, usedBytes: number): boolean {
  const { totalGB, expiryTime } = Limits.parse(client);
  return (totalGB > 0 && usedBytes >= totalGB) || (expiryTime > 0 && expiryTime <= Date.now());
}

/** The used traffic of a client. @throws {JobFailure} when the panel cannot be read */
export async function readCounters(calls: PanelCalls, email: string): Promise<{ up: number; down: number }> {
  const result = await calls.getOrNone(`/panel/api/clients/traffic/${encodeURIComponent(email)}`);
  return Counters.safeParse(result).data ?? { up: 0, down: 0 };
}

/** Inbound tags in the rules of a panel's core; none where it does not report them. */
async function readRuledTags(from: PanelCalls): Promise<Set<string>> {
  const result = await from.post('/panel/api/core/').catch(() => null);
  try {
    const { xraySetting } = result as { xraySetting: unknown };
    const template = typeof xraySetting === 'string' ? (JSON.parse(xraySetting) as unknown) : xraySetting;
    const { rules } = (template as { routing: { rules: { inboundTag?: unknown }[] } }).routing;
    return new Set(rules.flatMap(({ inboundTag }) => inboundTag).filter((tag) => typeof tag === 'string'));
  } catch {
    return new Set();
  }
}

/** Ports used by other programs of the machine: not every panel can check them ahead. */
async function readRefusedPlaces(to: PanelCalls, inbounds: readonly SourceInbound[]): Promise<Map<number, string>> {
  const refused = new Map<number, string>();
  for (const { id, listen, port, protocol, settings, streamSettings } of inbounds)
    try {
      await to.post('/panel/api/inbounds/checkPlace', { listen, port, protocol, settings, streamSettings });
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error;
      if (error.detail.code === 'absent') break;
      if (error.detail.code !== 'panelSays') throw error;
      refused.set(id, String(error.detail.params['words']));
    }
  return refused;
}

export async function readPlaces(to: PanelCalls): Promise<TransferReading['target']['inbounds']> {
  const counted = await to.getOrNone('/panel/api/inbounds/list/counted');
  const listed =
    counted ?? (await to.getOrNone('/panel/api/inbounds/list/slim')) ?? (await to.get('/panel/api/inbounds/list'));
  return rows(listed).flatMap((row) => PlacedInbound.safeParse(row).data ?? []);
}

async function readTarget(
  to: PanelCalls,
  wanted: readonly SourceInbound[],
  clients: readonly SourceClient[],
): Promise<TransferReading['target']> {
  const inbounds = await readPlaces(to);
  const takesHosts = !wanted.some(({ hosts }) => hosts.length > 0) || (await to.has('/panel/api/hosts/list'));
  const takesFallbacks =
    !wanted.some(({ fallbacks }) => fallbacks.length > 0) || (await to.has('/panel/api/inbounds/0/fallbacks'));
  const wantedSubIds = new Set(clients.map(({ subId }) => subId));
  const emails = new Set<string>();
  const subIds = new Map<string, string>();
  let isOld = false;
  if (clients.length > 0) {
    isOld = (await to.getOrNone('/panel/api/clients/groups')) === null && !(await hasClients(to));
    await readClients(to.link, ({ email, subId }) => {
      emails.add(email.toLowerCase());
      if (subId !== '' && wantedSubIds.has(subId)) subIds.set(subId, email);
    }).catch((error: unknown) => {
      throw toFailure(error);
    });
  }
  const files = (await to.getOrNone('/panel/api/server/getWebCertFiles')) as Json | null;
  const [file, key] = [files?.['webCertFile'], files?.['webKeyFile']];
  const certificate =
    typeof file === 'string' && file !== '' && typeof key === 'string' && key !== '' ? { file, key } : null;
  return { inbounds, emails, subIds, certificate, isOld, takesHosts, takesFallbacks };
}

/** Whether a panel has clients apart from inbounds. */
async function hasClients(to: PanelCalls): Promise<boolean> {
  try {
    await to.stream('/panel/api/clients/list', LIST, () => undefined);
    return true;
  } catch (error) {
    if (error instanceof JobFailure && error.detail.code === 'absent') return false;
    throw error;
  }
}
