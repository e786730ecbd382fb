import { DomainError } from '../../contract/domain-error.ts';
import type { ClientStateTable, Flag } from '../../store/schema.ts';
import type { ClientInput } from './contract.ts';
import type { StoredClient } from './stored-types.ts';
import {
  canonicalUuid,
  completeCredentials,
  credentialOf,
  newSecret,
  type Credentials,
  type InboundFacts,
} from './credential-rules.ts';
import { effectiveFlow, gatedFlow } from './flow-rules.ts';

/** Attachment of a client that is being changed. */
export interface WorkingLink {
  inbound: InboundFacts;
  flowOverride: string;
  passwordOverride: string;
}

/** The columns a caller decides; counters and times of the panel are not among them. */
export type ClientValues = Omit<
  StoredClient,
  'id' | 'emailKey' | 'updatedAtMs' | 'upBytes' | 'downBytes' | 'lastOnlineAtMs' | 'peerUpBytes' | 'peerDownBytes'
>;

/**
 * A client while a verb works on it: what is stored, and what it shall become. Verbs change the wanted half in memory;
 * saving writes the difference, and nothing when there is none.
 */
export interface WorkingClient {
  readonly stored: StoredClient | null;
  readonly storedLinks: ReadonlyMap<number, Readonly<WorkingLink>>;
  values: ClientValues;
  /** By inbound id, ascending. */
  links: Map<number, WorkingLink>;
}

/** A client that does not exist yet. Omitted values are 0, empty or generated; it is enabled unless told otherwise. */
export function newClient(input: ClientInput, nowMs: number): WorkingClient {
  const client: WorkingClient = {
    stored: null,
    storedLinks: new Map(),
    values: { ...NOTHING, email: input.email, subId: newSecret(), enable: 1, disabledBy: '', createdAtMs: nowMs },
    links: new Map(),
  };
  mergeInput(client, input);
  const createdAtMs = input.createdAt ?? input.created_at ?? 0;
  if (createdAtMs > 0) client.values.createdAtMs = Math.min(createdAtMs, nowMs);
  return client;
}

const NOTHING = {
  uuid: '',
  password: '',
  auth: '',
  flow: '',
  security: '',
  reverse: '',
  limitIp: 0,
  tgId: 0,
  groupName: '',
  comment: '',
  quotaBytes: 0,
  expiresAtMs: 0,
  resetDays: 0,
  resetDay: 0,
};

/** Replaces everything but the credentials, `subId` and creation time that the input leaves empty, and an omitted `enable`. */
export function replaceValues(client: WorkingClient, input: ClientInput): void {
  const { uuid, password, auth } = client.values;
  client.values = { ...client.values, ...NOTHING, uuid, password, auth };
  mergeInput(client, input);
}

/** Takes what the input carries and keeps what it omits; empty credentials, `subId`, `security`, `reverse` and `group` count as omitted. */
export function mergeInput({ values }: WorkingClient, input: ClientInput): void {
  values.subId = input.subId || values.subId;
  values.uuid = canonicalUuid(input.id || input.uuid || '') || values.uuid;
  values.password = input.password || values.password;
  values.auth = input.auth || values.auth;
  values.security = input.security === 'none' || input.security === 'zero' ? 'auto' : input.security || values.security;
  values.groupName = input.group || values.groupName;
  values.flow = input.flow ?? values.flow;
  values.reverse = reverseText(input.reverse ?? null) || values.reverse;
  values.quotaBytes = input.totalGB ?? values.quotaBytes;
  values.expiresAtMs = input.expiryTime ?? values.expiresAtMs;
  mergeRenewal(values, input);
  values.limitIp = input.limitIp ?? values.limitIp;
  values.comment = input.comment ?? values.comment;
  if (input.tgId !== undefined) values.tgId = typeof input.tgId === 'number' ? input.tgId : telegramId(input.tgId);
  if (input.enable !== undefined) setEnabled(values, input.enable, 'admin');
}

/** A client renews in one way: to be given one takes away the other. */
function mergeRenewal(values: ClientValues, { reset, resetDay }: ClientInput): void {
  values.resetDays = reset ?? (resetDay ? 0 : values.resetDays);
  values.resetDay = resetDay ?? (reset ? 0 : values.resetDay);
}

/** Switches a client; who switched it off stays as it was when it is off already. */
export function setEnabled(
  state: Pick<ClientStateTable, 'enable' | 'disabledBy'>,
  enable: boolean,
  by: 'admin' | 'loop',
): void {
  if ((state.enable === 1) === enable) return;
  state.enable = enable ? 1 : (0 satisfies Flag);
  state.disabledBy = enable ? '' : by;
}

/** JSON `{tag}`, or empty for a blank tag. Text that is not an object with a tag counts as blank. */
function reverseText(reverse: NonNullable<ClientInput['reverse']> | null): string {
  let value: unknown = reverse;
  if (typeof reverse === 'string') {
    try {
      value = JSON.parse(reverse);
    } catch {
      return '';
    }
  }
  const tag = typeof value === 'object' && value !== null && 'tag' in value ? value.tag : '';
  return typeof tag === 'string' && tag.trim() !== '' ? JSON.stringify({ tag: tag.trim() }) : '';
}

function telegramId(text: string): number {
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : 0;
}

/** The flow the client has now, which a new attachment takes over. */
export function flowOf(client: WorkingClient): string {
  return effectiveFlow(client.values.flow, [...client.links.values()]);
}

/**
 * Attaches to an inbound with a flow gated by it; an attachment that exists stays as it is.
 * @throws {DomainError} `client.protocolWithoutClients`
 */
export function attach(client: WorkingClient, inbound: InboundFacts, flow: string): void {
  if (credentialOf(inbound.protocol) === null)
    throw new DomainError('client.protocolWithoutClients', { protocol: inbound.protocol });
  if (client.links.has(inbound.id)) return;
  client.links.set(inbound.id, { inbound, flowOverride: gatedFlow(flow, inbound), passwordOverride: '' });
  client.links = new Map([...client.links].sort(([a], [b]) => a - b));
}

/** Takes the client off an inbound; its flow is remembered for a later attachment. */
export function detach(client: WorkingClient, inboundId: number): void {
  client.values.flow = flowOf(client);
  client.links.delete(inboundId);
}

/** Sets the flow where an inbound can carry it, and clears it elsewhere. `only` limits this to some attachments. */
export function setFlow(client: WorkingClient, flow: string, only: ReadonlySet<number> | null = null): void {
  for (const [inboundId, link] of client.links)
    if (only === null || only.has(inboundId)) link.flowOverride = gatedFlow(flow, link.inbound);
}

/** Generates and fits what the client's attachments need; see {@link completeCredentials}. */
export function complete(client: WorkingClient): void {
  const { credentials, links } = completeCredentials(credentialsOf(client), [...client.links.values()]);
  Object.assign(client.values, credentials);
  client.links = new Map(links.map((link) => [link.inbound.id, link]));
}

export function credentialsOf({ values: { uuid, password, auth } }: WorkingClient): Credentials {
  return { uuid, password, auth };
}
