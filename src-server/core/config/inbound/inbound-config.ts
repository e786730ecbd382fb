import type { InboundSource, JsonObject, LeftOut } from '../source.ts';
import { isBlank } from '../json-access.ts';
import { isAnyAddress, isSocketPath } from './listen-address.ts';
import type { InboundDraft } from './inbound-draft.ts';
import { inboundFindings } from './inbound-rules.ts';
import { normaliseInbound } from '../normal-form.ts';
import type { EmitOptions, InboundView, Protocol, UserEntry, UserList } from '../protocols/protocol.ts';
import { protocolOf } from '../protocols/protocols.ts';
import { peerList } from '../protocols/wireguard-peers.ts';
import { emittedStream, survivableStream } from './stream-settings.ts';
import { finished, type Steps } from '../steps.ts';
import { userListSteps } from './user-list.ts';

export type { UserEntry } from '../protocols/protocol.ts';

interface BuiltInbound {
  inbound: JsonObject | null;
  leftOut: LeftOut[];
}

const NO_USERS: UserList = { users: [], leftOut: [] };
const SHOWN_PROBLEMS = 3;

/** Member of `settings` that holds the users of a protocol with a per-user API; null when it has none. */
export function userListKey(protocol: string): 'clients' | 'peers' | null {
  const known = protocolOf(protocol);
  if (known?.coreName === 'wireguard') return 'peers';
  return known?.users === null || known === null ? null : 'clients';
}

/**
 * One inbound exactly as it appears in the full config, which is also what is added to a running core. Null when it
 * must not run; `leftOut` then says why. The source is not changed.
 */
export function buildInbound(source: InboundSource, options: EmitOptions = {}): BuiltInbound {
  return finished(inboundSteps(source, options));
}

/** {@link buildInbound} in steps: one inbound may have every client of the panel. */
export function* inboundSteps(source: InboundSource, options: EmitOptions = {}): Steps<BuiltInbound> {
  const leftOut: LeftOut[] = [];
  const { protocol, draft, problem } = survivableDraft(source, leftOut);
  if (protocol === null || problem !== null) {
    return { inbound: null, leftOut: [...leftOut, leftOutInbound(source.tag, problem ?? '')] };
  }
  const view = viewOf(source.tag, draft);
  const users = protocol.users === null ? NO_USERS : yield* userListSteps(view, source.clients, protocol.users);
  const emission = protocol.emit(view, users, source.fallbacks, options);
  if (typeof emission === 'string') {
    return { inbound: null, leftOut: [...leftOut, ...users.leftOut, leftOutInbound(source.tag, emission)] };
  }
  leftOut.push(...users.leftOut, ...emission.leftOut);
  return { inbound: assembled(source.tag, draft, protocol, emission.settings), leftOut };
}

/**
 * The users of an inbound as {@link buildInbound} emits them, for changes of single users on a running core. Empty for
 * an inbound that serves a single user by its own password: such an inbound can only change as a whole.
 */
export function buildUsers(source: InboundSource): UserEntry[] {
  return finished(userSteps(source));
}

/** {@link buildUsers} in steps: a bulk change may name thousands. */
export function* userSteps(source: InboundSource): Steps<UserEntry[]> {
  const { protocol, draft, problem } = survivableDraft(source, []);
  if (protocol === null || problem !== null) return [];
  const view = viewOf(source.tag, draft);
  if (protocol.coreName === 'wireguard') return peerList(view).peers.filter((peer) => peer.email !== '');
  if (protocol.users === null || protocol.users.isListed?.(view) === false) return [];
  return (yield* userListSteps(view, source.clients, protocol.users)).users;
}

/** The stored row in the form the core survives, with the remaining reasons against running it. */
function survivableDraft(
  source: InboundSource,
  leftOut: LeftOut[],
): { protocol: Protocol | null; draft: InboundDraft; problem: string | null } {
  const { protocol: name, listen, port, settings, streamSettings, sniffing } = source;
  const stored = normaliseInbound({ protocol: name, listen, port, settings, streamSettings, sniffing });
  const protocol = protocolOf(stored.protocol);
  const draft: InboundDraft = {
    ...stored,
    settings: protocol?.heal?.(stored.settings) ?? stored.settings,
    streamSettings:
      stored.streamSettings === null ? null : survivableStream(stored.streamSettings, source.tag, leftOut),
  };
  const toCheck = { ...draft, settings: withoutHandledMembers(draft.settings) };
  const fatal = inboundFindings(toCheck).filter((finding) => finding.severity === 'fatal');
  const shown = fatal.slice(0, SHOWN_PROBLEMS).map((finding) => finding.message);
  if (fatal.length > shown.length) shown.push(`(and ${fatal.length - shown.length} more)`);
  return { protocol, draft, problem: fatal.length === 0 ? null : shown.join(' ') };
}

/** Bad rows among these are left out one by one; they must not take the inbound with them. */
function withoutHandledMembers(settings: JsonObject): JsonObject {
  const { fallbacks: _fallbacks, peers: _peers, clients: _clients, ...rest } = settings;
  return rest;
}

function viewOf(tag: string, draft: InboundDraft): InboundView {
  return { tag, listen: draft.listen, settings: draft.settings, stream: draft.streamSettings };
}

function assembled(tag: string, draft: InboundDraft, protocol: Protocol, settings: JsonObject): JsonObject {
  const inbound: JsonObject = { tag };
  if (protocol.coreName !== 'tun') {
    // An empty address panics the core; 0.0.0.0 is the wildcard of both families.
    inbound['listen'] = isAnyAddress(draft.listen) ? '0.0.0.0' : draft.listen.trim();
    if (!isSocketPath(draft.listen)) inbound['port'] = draft.port;
  }
  inbound['protocol'] = protocol.coreName;
  inbound['settings'] = settings;
  const stream = draft.streamSettings === null ? undefined : emittedStream(draft.streamSettings);
  if (stream !== undefined) inbound['streamSettings'] = stream;
  if (draft.sniffing !== null && !isBlank(draft.sniffing)) inbound['sniffing'] = draft.sniffing;
  return inbound;
}

function leftOutInbound(tag: string, reason: string): LeftOut {
  return { kind: 'inbound', name: tag, reason: `Inbound ${tag} does not run: ${reason}` };
}
