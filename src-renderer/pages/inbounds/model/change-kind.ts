import type { Json, JsonObject } from '#wire/json';
import {
  isProtocol,
  PROTOCOLS,
  securitiesOf,
  SECURITIES,
  TRANSPORTS,
  type Protocol,
  type Security,
  type Transport,
  PROTOCOL_FACTS,
} from '#wire/protocol-catalogue';
import { FRESH_SETTINGS, settingsKeyOf, MEMBERS } from './protocol-members.ts';
import type { Draft } from './draft.ts';
import { objectAt, readAt, textAt, writeAt } from '../../../forms/draft/json.ts';

/** A draft of another kind, and the paths of what was dropped. */
export interface Changed {
  draft: Draft;
  dropped: string[];
}

const KNOWN_SETTINGS = new Set(PROTOCOLS.flatMap((protocol) => MEMBERS[protocol].settings));

/** Another protocol: settings, transport and security that apply to it stay; unknown members stay too. */
export function changeProtocol(draft: Draft, next: Protocol): Changed {
  const before = textAt(draft, 'protocol');
  const fresh: JsonObject = isProtocol(before) ? FRESH_SETTINGS[before] : {};
  const { settings: kept } = MEMBERS[next];
  const stored = objectAt(draft, 'settings');
  const settings: JsonObject = { ...FRESH_SETTINGS[next] };
  const dropped: string[] = [];
  for (const [key, value] of Object.entries(stored)) {
    if (kept.includes(key) || !KNOWN_SETTINGS.has(key)) settings[key] = value;
    // A value that was not typed is no loss.
    else if (!isSame(value, fresh[key])) dropped.push(`settings.${key}`);
  }
  const changed = { ...draft, protocol: next, settings };
  const stream = changeStream(changed, next);
  return { draft: { ...changed, streamSettings: stream.stream }, dropped: [...dropped, ...stream.dropped] };
}

function changeStream(draft: Draft, next: Protocol): { stream: JsonObject | null; dropped: string[] } {
  const { stream: keep } = MEMBERS[next];
  const { transports } = PROTOCOL_FACTS[next];
  const stream = objectAt(draft, 'streamSettings');
  if (keep === null) return { stream: null, dropped: droppedPaths(stream, 'streamSettings', []) };
  if (transports.length === 0) {
    return {
      stream: Object.fromEntries(Object.entries(stream).filter(([key]) => keep.includes(key))),
      dropped: droppedPaths(stream, 'streamSettings', keep),
    };
  }
  const network = textAt(stream, 'network');
  const transport = transports.find((name) => name === network) ?? transports[0]!;
  const moved = changeTransport({ ...draft, streamSettings: stream }, transport);
  return { stream: objectAt(moved.draft, 'streamSettings'), dropped: moved.dropped };
}

/** Another transport; its old settings are dropped, and security that it cannot carry. */
export function changeTransport(draft: Draft, next: Transport): Changed {
  const stream = objectAt(draft, 'streamSettings');
  const others = TRANSPORTS.filter((name) => name !== next).map(settingsKeyOf);
  const kept = Object.fromEntries(Object.entries(stream).filter(([key]) => !others.includes(key)));
  const dropped = droppedPaths(stream, 'streamSettings', Object.keys(kept));
  const network: JsonObject = next === 'hysteria' ? { hysteriaSettings: { version: 2 } } : {};
  const moved = withUsualAlpn({ ...draft, streamSettings: { ...network, ...kept, network: next } }, stream);
  const protocol = textAt(draft, 'protocol');
  if (!isProtocol(protocol)) return { draft: moved, dropped };
  const allowed = securitiesOf(protocol, next);
  const security = textAt(stream, 'security');
  const fitting = allowed.find((name) => name === security) ?? allowed[0] ?? 'none';
  const secured = changeSecurity(moved, fitting);
  return { draft: secured.draft, dropped: [...dropped, ...secured.dropped] };
}

/** Only QUIC speaks HTTP/3: where the protocols of TLS are the usual ones of the transport before, those of the new one. */
function withUsualAlpn(draft: Draft, before: JsonObject): Draft {
  const usual = (stream: JsonObject) => usualAlpn(textAt(stream, 'network'));
  const stored = readAt(before, 'tlsSettings.alpn');
  if (stored === undefined || !isSame(stored, usual(before))) return draft;
  return writeAt(draft, 'streamSettings.tlsSettings.alpn', usual(objectAt(draft, 'streamSettings')));
}

const usualAlpn = (network: string): string[] => (network === 'hysteria' ? ['h3'] : ['h2', 'http/1.1']);

/** Another security; the settings of the old one are dropped. */
export function changeSecurity(draft: Draft, next: Security): Changed {
  const stream = objectAt(draft, 'streamSettings');
  const others = SECURITIES.filter((name) => name !== next).map(settingsKeyOf);
  const kept = Object.fromEntries(Object.entries(stream).filter(([key]) => !others.includes(key)));
  const dropped = droppedPaths(stream, 'streamSettings', Object.keys(kept));
  const changed = writeAt({ ...draft, streamSettings: kept }, 'streamSettings.security', next);
  const key = `streamSettings.${settingsKeyOf(next)}`;
  if (next === 'none' || readAt(changed, key) !== undefined) return { draft: changed, dropped };
  return { draft: writeAt(changed, key, freshSecurity(next, textAt(draft, 'streamSettings.network'))), dropped };
}

function freshSecurity(security: Security, network: string): JsonObject {
  if (security === 'tls') {
    const alpn = usualAlpn(network);
    const settings = network === 'hysteria' ? {} : { settings: { fingerprint: 'chrome' } };
    return { serverName: '', alpn, certificates: [], ...settings };
  }
  return {
    target: '',
    serverNames: [],
    privateKey: '',
    shortIds: [],
    settings: { fingerprint: 'chrome', spiderX: '/' },
  };
}

/** Paths of dropped members that hold a value. */
function droppedPaths(stream: JsonObject, where: string, kept: readonly string[]): string[] {
  return Object.entries(stream)
    .filter(([key, value]) => !kept.includes(key) && key !== 'network' && key !== 'security' && !isEmpty(value))
    .map(([key]) => `${where}.${key}`);
}

const isEmpty = (value: Json): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
const isSame = (one: Json, other: Json | undefined): boolean => JSON.stringify(one) === JSON.stringify(other);
