import { DomainError } from '../../../contract/domain-error.ts';
import { gatedFlow } from '../../../core/config/inbound/inbound-rules.ts';
import type { ClientStateTable, Flag } from '../../../store/schema.ts';
import type { AttachmentInput, ClientInput } from '../contract.ts';
import type { StoredClient } from '../storage/stored-types.ts';
import {
  canonicalUuid,
  completeCredentials,
  credentialOf,
  effectivePassword,
  fitsKey,
  keyBytesOf,
  newSecret,
  type Credentials,
  type InboundFacts,
} from '../rules/credential-rules.ts';
import { effectiveFlow } from '../rules/flow-rules.ts';

/** An attachment of a client being changed. */
export interface WorkingLink {
  inbound: InboundFacts;
  flowOverride: string;
  passwordOverride: string;
}

/** The columns a caller decides, without the panel's counters and times. */
export type ClientValues = Omit<
  StoredClient,
  'id' | 'emailKey' | 'updatedAtMs' | 'upBytes' | 'downBytes' | 'lastOnlineAtMs' | 'peerUpBytes' | 'peerDownBytes'
>;

/**
 * A client while a verb works on it: its stored and its wanted state. Verbs change the wanted half in memory; saving
 * writes the difference, and nothing when there is none.
 */
export interface WorkingClient {
  readonly stored: StoredClient | null;
  readonly storedLinks: ReadonlyMap<number, Readonly<WorkingLink>>;
  values: ClientValues;
  /** By inbound id, ascending. */
  links: Map<number, WorkingLink>;
  /** It stays disabled, whatever happens to the limits. */
  staysOff?: boolean;
}

/** A new client. Omitted values are 0, empty or generated; it is enabled by default. */
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
  planId: 0,
  quotaBytes: 0,
  expiresAtMs: 0,
  resetDays: 0,
  resetDay: 0,
};

/** Replaces everything except credentials, `subId` and creation time left empty, and omitted `enable` and `planId`. */
export function replaceValues(client: WorkingClient, input: ClientInput): void {
  const { uuid, password, auth, planId } = client.values;
  client.values = { ...client.values, ...NOTHING, uuid, password, auth, planId };
  mergeInput(client, input);
}

/**
 * Takes the given values and keeps omitted ones; empty credentials, `subId`, `security`, `reverse` and `group` count as
 * omitted.
 */
export function mergeInput(client: WorkingClient, input: ClientInput): void {
  const { values } = client;
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
  values.tgId = input.tgId ?? values.tgId;
  values.planId = input.planId ?? values.planId;
  if (input.enable !== undefined) setEnabled(values, input.enable, input.disabledBy ?? 'admin');
  if (values.enable === 0 && input.disabledBy !== undefined) {
    client.staysOff = true;
    if (input.disabledBy === 'admin') values.disabledBy = 'admin';
  }
}

/** A client that renews on a day of the month and has no end yet gets the next such day. */
export function giveFirstEnd(values: ClientValues, nextRenewalMs: (day: number) => number): void {
  if (values.resetDay > 0 && values.expiresAtMs === 0) values.expiresAtMs = nextRenewalMs(values.resetDay);
}

/**
 * Enables a client that only its limits had disabled, once a limit was moved and it is within both. A manually disabled
 * client stays disabled.
 */
export function bringBack({ stored, values, staysOff = false }: WorkingClient, nowMs: number): void {
  if (stored === null || staysOff || values.enable === 1 || values.disabledBy === 'admin') return;
  const { quotaBytes, expiresAtMs } = values;
  if (quotaBytes === stored.quotaBytes && expiresAtMs === stored.expiresAtMs) return;
  const isUsedUp = quotaBytes > 0 && usedBytes(stored) >= quotaBytes;
  const isExpired = expiresAtMs > 0 && expiresAtMs <= nowMs;
  if (!isUsedUp && !isExpired) setEnabled(values, true, 'loop');
}

/** Usage of the client, as known to this panel or one above it. */
function usedBytes({ upBytes, downBytes, peerUpBytes, peerDownBytes }: StoredClient): number {
  return Math.max(upBytes, peerUpBytes) + Math.max(downBytes, peerDownBytes);
}

/** A client has one kind of renewal: setting one clears the other. */
function mergeRenewal(values: ClientValues, { reset, resetDay }: ClientInput): void {
  values.resetDays = reset ?? (resetDay ? 0 : values.resetDays);
  values.resetDay = resetDay ?? (reset ? 0 : values.resetDay);
}

/** Enables or disables a client; one already disabled keeps what disabled it. */
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

/** The flow the client has now, which a new attachment takes over. */
export function flowOf(client: WorkingClient): string {
  return effectiveFlow(client.values.flow, [...client.links.values()]);
}

/**
 * Attaches to an inbound, with the flow only if supported; an existing attachment stays unchanged.
 * @throws {DomainError} `client.protocolWithoutClients`
 */
export function attach(client: WorkingClient, inbound: InboundFacts, flow: string): void {
  if (credentialOf(inbound.protocol) === null)
    throw new DomainError('client.protocolWithoutClients', { protocol: inbound.protocol });
  if (client.links.has(inbound.id)) return;
  client.links.set(inbound.id, { inbound, flowOverride: gatedFlow(flow, inbound), passwordOverride: '' });
  client.links = new Map([...client.links].sort(([a], [b]) => a - b));
}

/**
 * Changes the client's password through one attachment. The others keep theirs: a key of one cipher becomes specific to
 * that attachment where the record's password is of another kind.
 */
export function takePassword(client: WorkingClient, inboundId: number, wanted: string): void {
  const link = client.links.get(inboundId);
  const { password } = client.values;
  if (link === undefined || wanted === '' || wanted === effectivePassword(client.values, link)) return;
  const keyBytes = keyBytesOf(link.inbound);
  if (keyBytes !== null && password !== '' && !fitsKey(password, keyBytes) && fitsKey(wanted, keyBytes)) {
    link.passwordOverride = wanted;
    return;
  }
  for (const other of client.links.values()) {
    const size = keyBytesOf(other.inbound);
    const usesRecord = other !== link && size !== null && other.passwordOverride === '' && fitsKey(password, size);
    if (usesRecord && !fitsKey(wanted, size)) other.passwordOverride = password;
  }
  client.values.password = wanted;
}

/** Takes what the client has on single inbounds. @returns the keys among it */
export function takeAttachments(client: WorkingClient, attachments: readonly AttachmentInput[]): Set<string> {
  const keys = new Set<string>();
  for (const { inboundId, flow, password } of attachments) {
    const link = client.links.get(inboundId);
    if (link === undefined) continue;
    if (flow !== undefined) link.flowOverride = gatedFlow(flow, link.inbound);
    const keyBytes = keyBytesOf(link.inbound);
    if (keyBytes === null || !fitsKey(password, keyBytes)) continue;
    link.passwordOverride = password;
    keys.add(password);
  }
  return keys;
}

/** Whether the client would lose a credential: the new one differs from that of its other attachments. */
export function losesCredential(client: WorkingClient, input: ClientInput, inboundId: number): boolean {
  const { uuid, password, auth } = client.values;
  const newUuid = canonicalUuid(input.id || input.uuid || '');
  if (uuid !== '' && newUuid !== '' && newUuid !== uuid) return true;
  if (auth !== '' && input.auth && input.auth !== auth) return true;
  if (password === '' || !input.password || input.password === password) return false;
  const others = [...client.links.values()].filter(
    ({ inbound, passwordOverride }) =>
      inbound.id !== inboundId && credentialOf(inbound.protocol) === 'password' && passwordOverride === '',
  );
  const link = client.links.get(inboundId);
  const keyBytes = link === undefined ? null : keyBytesOf(link.inbound);
  // A key of another cipher is stored beside the record's password.
  if (keyBytes !== null && !fitsKey(password, keyBytes)) return false;
  return others.some(({ inbound }) => fitsKey(input.password!, keyBytesOf(inbound)));
}

/** Detaches the client from an inbound; its flow is kept for a later attachment. */
export function detach(client: WorkingClient, inboundId: number): void {
  client.values.flow = flowOf(client);
  client.links.delete(inboundId);
}

/** Sets the flow where an inbound supports it, and clears it elsewhere. `only` limits this to some attachments. */
export function setFlow(client: WorkingClient, flow: string, only: ReadonlySet<number> | null = null): void {
  for (const [inboundId, link] of client.links)
    if (only === null || only.has(inboundId)) link.flowOverride = gatedFlow(flow, link.inbound);
}

/** Generates and adapts what the client's attachments need; see {@link completeCredentials}. */
export function complete(client: WorkingClient): void {
  const { credentials, links } = completeCredentials(credentialsOf(client), [...client.links.values()]);
  Object.assign(client.values, credentials);
  client.links = new Map(links.map((link) => [link.inbound.id, link]));
}

export function credentialsOf({ values: { uuid, password, auth } }: WorkingClient): Credentials {
  return { uuid, password, auth };
}
