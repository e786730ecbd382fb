import type { JsonObject } from '../../config/source.ts';
import { createTimeSlices } from '../../../time-slices.ts';
import { sectionKey } from './content-key.ts';
import type { InboundParts } from './inbound-parts.ts';
import { objectOf, objectsOf, partsOf, textOf } from './inbound-parts.ts';
import type { RunningInbound, Snapshot } from './snapshot.ts';
import type { UserTable } from './user-table.ts';
import { emailOf, hasReverse } from './user-table.ts';

/** Users of one inbound to remove and to add. A changed user is in both lists. */
export interface UserChange {
  tag: string;
  /** In the spelling they run under. */
  remove: string[];
  add: JsonObject[];
}

/** The steps that bring a running core to the wanted config, in order of execution. */
export interface LiveChange {
  users: UserChange[];
  removeInbounds: string[];
  removeOutbounds: string[];
  addOutbounds: JsonObject[];
  addInbounds: JsonObject[];
  /** The whole section when its rules or balancers differ. */
  routing: JsonObject | null;
}

export type Difference = { kind: 'none' } | { kind: 'live'; change: LiveChange } | { kind: 'restart'; reason: string };

/** What to do with one inbound. */
export type InboundDifference =
  | { kind: 'same' }
  | { kind: 'users'; change: UserChange }
  | { kind: 'replace' }
  | { kind: 'restart'; reason: string };

/** Compares the running state with the wanted one; `next` is the snapshot of `config`. */
export async function difference(now: Snapshot, config: JsonObject, next: Snapshot): Promise<Difference> {
  const reason = restartReason(now, next);
  if (reason !== '') return { kind: 'restart', reason };

  const change = emptyChange();
  const wantedInbounds = objectsOf(config.inbounds);
  for (const inbound of wantedInbounds) {
    const parts = partsOf(inbound);
    const wanted = next.inbounds.get(parts.tag);
    if (!wanted) continue;
    const running = now.inbounds.get(parts.tag);
    if (!running) {
      change.addInbounds.push(inbound);
      continue;
    }
    const found = await compareInbound(running, parts, wanted);
    if (found.kind === 'restart') return found;
    if (found.kind === 'users') change.users.push(found.change);
    if (found.kind === 'replace') {
      change.removeInbounds.push(parts.tag);
      change.addInbounds.push(inbound);
    }
  }
  for (const [tag, running] of now.inbounds) {
    if (next.inbounds.has(tag)) continue;
    if (running.users.hasReverse) return { kind: 'restart', reason: `${tag}: a client has a reverse proxy` };
    change.removeInbounds.push(tag);
  }
  compareOutbounds(now, config, next, change);
  if (now.routing.listsKey !== next.routing.listsKey) change.routing = objectOf(config.routing);
  return isEmpty(change) ? { kind: 'none' } : { kind: 'live', change };
}

/** Why the two cannot be matched by tag, or differ in what is fixed at the start; empty when neither. */
function restartReason(now: Snapshot, next: Snapshot): string {
  if (!now.hasUniqueTags || !next.hasUniqueTags) return 'a tag is empty or used twice';
  for (const name of new Set([...now.sections.keys(), ...next.sections.keys()])) {
    if (now.sections.get(name) !== next.sections.get(name)) return `section ${name} changed`;
  }
  if (now.routing.isThere !== next.routing.isThere || now.routing.restKey !== next.routing.restKey)
    return 'routing options changed';
  const [first, nextFirst] = [now.outbounds[0], next.outbounds[0]];
  if (first?.tag !== nextFirst?.tag || first?.key !== nextFirst?.key) return 'the default outbound changed';
  for (const tag of new Set([now.apiTag, next.apiTag, 'api'])) {
    if (now.inbounds.get(tag)?.frameKey !== next.inbounds.get(tag)?.frameKey) return 'the API inbound changed';
  }
  return '';
}

/** Compares one inbound; `wanted` must be the snapshot of `parts`. */
export async function compareInbound(
  running: RunningInbound,
  parts: InboundParts,
  wanted: RunningInbound,
): Promise<InboundDifference> {
  const isFrameSame = running.frameKey === wanted.frameKey;
  if (isFrameSame && running.isAddressable && wanted.isAddressable) {
    const change = await compareUsers(running, parts, wanted.users);
    if (change.add.length === 0 && change.remove.length === 0) return { kind: 'same' };
    if (running.users.hasReverse || wanted.users.hasReverse)
      return { kind: 'restart', reason: `${parts.tag}: reverse proxy` };
    if (isSingleUserSwitch(running, wanted.users.size)) return { kind: 'replace' };
    return { kind: 'users', change };
  }
  const reason = boundToProcess(running, wanted);
  return reason === '' ? { kind: 'replace' } : { kind: 'restart', reason: `${parts.tag}: ${reason}` };
}

/** Why an inbound may change only together with the process; empty when it can be replaced live. */
export function boundToProcess(running: RunningInbound, wanted: RunningInbound): string {
  const either = (is: (inbound: RunningInbound) => boolean): boolean => is(running) || is(wanted);
  if (either(({ users }) => users.hasReverse)) return 'a client has a reverse proxy';
  // Older cores were seen not to rebuild its authenticator.
  if (either(({ frame }) => textOf(objectOf(frame.streamSettings).security).toLowerCase() === 'reality'))
    return 'REALITY changed';
  if (either(({ frame }) => /^[/@]/.test(textOf(frame.listen))))
    return 'listens on a socket, whose lock file lives on for a moment';
  if (either(({ frame }) => textOf(frame.protocol).toLowerCase() === 'tun')) return 'a network interface';
  if (fallbacksKey(running) !== fallbacksKey(wanted)) return 'fallbacks changed';
  return '';
}

function fallbacksKey({ frame }: RunningInbound): string {
  return sectionKey(objectOf(frame.settings).fallbacks ?? []);
}

/** The core builds another kind of inbound for a 2022 cipher without users. */
export function isSingleUserSwitch(running: RunningInbound, wantedUsers: number): boolean {
  return running.kind === 'shadowsocks2022' && (running.users.size === 0) !== (wantedUsers === 0);
}

async function compareUsers(running: RunningInbound, parts: InboundParts, wanted: UserTable): Promise<UserChange> {
  const slices = createTimeSlices();
  const change: UserChange = { tag: parts.tag, remove: [], add: [] };
  for (const email of running.users.emails()) {
    if (!wanted.has(email)) change.remove.push(email);
    if (slices.isOver()) await slices.next();
  }
  for (const entry of parts.users) {
    compareEntry(running.users, entry, change);
    if (slices.isOver()) await slices.next();
  }
  return change;
}

/**
 * Adds to `change` what one wanted user needs; nothing when it runs unchanged, since a needless re-add cuts some
 * protocols.
 */
export function compareEntry(running: UserTable, entry: JsonObject, change: UserChange): void {
  if (running.isSame(entry)) return;
  const email = emailOf(entry);
  if (running.has(email)) change.remove.push(running.spelling(email));
  change.add.push(entry);
}

function compareOutbounds(now: Snapshot, config: JsonObject, next: Snapshot, change: LiveChange): void {
  const running = new Map(now.outbounds.map(({ tag, key }) => [tag, key]));
  const wanted = new Map(next.outbounds.map(({ tag, key }) => [tag, key]));
  for (const [tag, key] of running) if (wanted.get(tag) !== key) change.removeOutbounds.push(tag);
  for (const outbound of objectsOf(config.outbounds)) {
    const tag = textOf(outbound.tag);
    if (running.get(tag) !== wanted.get(tag)) change.addOutbounds.push(outbound);
  }
}

export function emptyChange(): LiveChange {
  return { users: [], removeInbounds: [], removeOutbounds: [], addOutbounds: [], addInbounds: [], routing: null };
}

function isEmpty(change: LiveChange): boolean {
  return Object.values(change).every((part: unknown) => part === null || (Array.isArray(part) && part.length === 0));
}

export function entryHasReverse(change: UserChange): boolean {
  return change.add.some(hasReverse);
}
