import { hash } from 'node:crypto';
import * as z from 'zod';
import { canonicalJson } from '../../../contract/canonical-json.ts';
import type { Json, JsonObject } from '../../../contract/json.ts';

const Fact = z.union([z.string(), z.number(), z.boolean(), z.null()]);
type Fact = z.output<typeof Fact>;

/**
 * Flattens an inbound or a client into fields that can be compared and shown. A secret becomes a digest after
 * {@link HIDDEN}, so nothing stored or returned can contain one.
 */
export const Facts = z.record(z.string(), Fact);
export type Facts = Readonly<z.output<typeof Facts>>;

/** Prefix of the digest of a hidden text; no shown text contains it. */
const HIDDEN = '\u0000';
const MAX_SHOWN_CHARACTERS = 200;
/** Limits, because input from a node is not trusted. */
const MAX_FIELDS = 500;
const MAX_DEPTH = 12;
const MAX_NAME_CHARACTERS = 64;

/** Texts that are not secret, by the last part of their path; all other texts are only compared. */
const PLAIN = new Set(
  `tag remark listen protocol trafficReset network security method path host mode serverName serverNames target dest
  alpn minVersion maxVersion destOverride domainsExcluded serviceName authority type flow group fingerprint
  domainStrategy congestion xPaddingBytes disableSystemRoot certificateFile keyFile usage`.split(/\s+/),
);

export const isHidden = (fact: Fact | undefined): boolean => typeof fact === 'string' && fact.startsWith(HIDDEN);

/** For a possibly secret value: equal if and only if the values are. */
export const hidden = (value: string): string => (value === '' ? '' : `${HIDDEN}${hash('sha256', value).slice(0, 16)}`);

function leaf(name: string, value: Json): Fact {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === '') return '';
  const text = typeof value === 'string' ? value : canonicalJson(value);
  const isPlain = PLAIN.has(name) || text === '[]' || text === '{}';
  return isPlain && text.length <= MAX_SHOWN_CHARACTERS && !text.includes(HIDDEN) ? text : hidden(text);
}

/** Whether the members of an object can be addressed by path. */
const hasPlainNames = (value: JsonObject): boolean => {
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => name.length <= MAX_NAME_CHARACTERS);
};

/** Members of an inbound by path; clients are handled separately. */
export function inboundFacts(members: JsonObject, names: readonly string[]): Facts {
  const facts: Record<string, Fact> = {};
  const add = (path: string, name: string, value: Json, depth: number): void => {
    if (path === 'settings.clients') return;
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
    if (!isObject || depth >= MAX_DEPTH || !hasPlainNames(value)) {
      if (Object.keys(facts).length < MAX_FIELDS) facts[path] = leaf(name, value);
      return;
    }
    for (const [key, inner] of Object.entries(value))
      if (inner !== undefined) add(`${path}.${key}`, key, inner, depth + 1);
  };
  for (const name of names) add(name, name, members[name] ?? null, 0);
  return facts;
}

/** A client as the database composes it; see `repository-applied.ts`. */
export const ClientState = z.object({
  enable: z.literal([0, 1]),
  totalGB: z.number(),
  expiryTime: z.number(),
  limitIp: z.number(),
  tgId: z.number(),
  reset: z.number(),
  resetDay: z.number(),
  group: z.string(),
  subId: z.string(),
  id: z.string(),
  auth: z.string(),
  security: z.string(),
  reverse: z.string(),
  links: z.array(z.object({ inboundId: z.number(), flow: z.string(), password: z.string() })),
});
export type ClientState = z.output<typeof ClientState>;

/** Per-inbound values of a client: `password@7`. */
const perInbound = (name: string, inboundId: number): string => `${name}@${inboundId}`;

export function clientFacts(state: ClientState): Facts {
  const { enable, links, subId, id, auth, security, reverse, ...plain } = state;
  const facts: Record<string, Fact> = { ...plain, enable: enable === 1, security: security || 'auto' };
  Object.assign(facts, { subId: hidden(subId), id: hidden(id), auth: hidden(auth), reverse: hidden(reverse) });
  for (const { inboundId, flow, password } of links) {
    facts[perInbound('flow', inboundId)] = flow;
    facts[perInbound('password', inboundId)] = hidden(password);
  }
  facts['inbounds'] = inboundList(links.map(({ inboundId }) => inboundId));
  return facts;
}

export const inboundList = (ids: readonly number[]): string => ids.toSorted((a, b) => a - b).join(',');

const SECRETS = ['subId', 'id', 'auth'];
const NUMBERS = ['totalGB', 'expiryTime', 'limitIp', 'tgId', 'reset', 'resetDay'];

/** The fields of a `settings.clients` entry that its inbound needs. */
export function entryFacts(entry: JsonObject, inboundId: number): Facts {
  const facts: Record<string, Fact> = { enable: entry['enable'] !== false };
  for (const name of NUMBERS) facts[name] = Number(entry[name] ?? 0) || 0;
  facts['group'] = shortText(entry['group']);
  for (const name of SECRETS) if (entry[name] !== undefined) facts[name] = hidden(textOf(entry[name]));
  if (entry['security'] !== undefined) facts['security'] = shortText(entry['security']) || 'auto';
  if (entry['flow'] !== undefined) {
    const { reverse } = entry;
    const isGiven = reverse !== null && typeof reverse === 'object' && !Array.isArray(reverse);
    facts['reverse'] = hidden(isGiven ? textOf(reverse['tag']) : '');
    facts[perInbound('flow', inboundId)] = shortText(entry['flow']);
  }
  if (entry['password'] !== undefined) facts[perInbound('password', inboundId)] = hidden(textOf(entry['password']));
  return facts;
}

const shortText = (value: Json | undefined): string => textOf(value).slice(0, MAX_SHOWN_CHARACTERS);
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** Fields of `has` whose values differ in `other`. */
export function differing(other: Facts, has: Facts): string[] {
  return Object.keys(has).filter((field) => (other[field] ?? null) !== has[field]);
}

/** Fields whose values differ, from either side. */
export function differingEither(one: Facts, other: Facts): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (field) => (one[field] ?? null) !== (other[field] ?? null),
  );
}
