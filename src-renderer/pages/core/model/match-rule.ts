import ipaddr from 'ipaddr.js';
import type { Json, JsonObject } from '#wire/json';
import { listAt, objectAt, textAt, textsAt } from '../../../forms/draft/json.ts';

/** The connection the tester queries the core about. */
export interface RouteQuery {
  domain: string;
  ip: string;
  port: number;
  network: string;
  inboundTag: string;
  protocol: string;
  email: string;
}

/** Where the core sent it. */
export interface RouteResult {
  matched: boolean;
  outboundTag: string;
  groupTags?: string[] | undefined;
}

/** `maybe`: depends on a geo list, a process or something else that only the core can look up. */
type Verdict = 'yes' | 'no' | 'maybe';

/**
 * @param routing section of the running template
 * @returns indexes of the rules that can have given the core's result, in order. A rule that surely applies hides those
 * below it; rules that lead elsewhere did not apply, since the core would have said so.
 */
export function rulesBehind(routing: JsonObject, query: RouteQuery, result: RouteResult): number[] {
  if (!result.matched) return [];
  const targets = [result.outboundTag, ...(result.groupTags ?? [])];
  const found: number[] = [];
  const isResolving = !/^(|asis)$/i.test(textAt(routing['domainStrategy']));
  for (const [index, rule] of listAt(routing['rules'])
    .map((item) => objectAt(item))
    .entries()) {
    if (rule['enabled'] === false) continue;
    if (!targets.includes(textAt(rule['balancerTag'])) && !targets.includes(textAt(rule['outboundTag']))) continue;
    const verdict = judge(rule, { ...query, isResolving });
    if (verdict === 'no') continue;
    found.push(index);
    if (verdict === 'yes') break;
  }
  return found;
}

/**
 * Final rules of a direct outbound check once more what it is about to dial; the first match decides.
 * @returns the rule that blocks the connection, counted from 1, and whether that is certain; rule 0 = without rules the
 * core itself keeps clients of most protocols from private addresses. Null = the connection passes.
 */
export function blockedBy(outbound: JsonObject, query: RouteQuery): { rule: number; isSure: boolean } | null {
  if (!['freedom', 'direct'].includes(textAt(outbound['protocol']).toLowerCase())) return null;
  const rules = listAt(objectAt(outbound['settings'])['finalRules']).map((item) => objectAt(item));
  if (rules.length === 0) return isPrivate(query.ip) ? { rule: 0, isSure: false } : null;
  let isSure = true;
  for (const [index, rule] of rules.entries()) {
    // A name is resolved before it is dialled.
    const verdict = judge(rule, { ...query, isResolving: true });
    if (verdict === 'no') continue;
    isSure &&= verdict === 'yes';
    if (textAt(rule['action']).toLowerCase() === 'block') return { rule: index + 1, isSure };
    if (verdict === 'yes') return null;
  }
  return null;
}

function isPrivate(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() !== 'unicast';
}

interface JudgedQuery extends RouteQuery {
  /** The core resolves a name before it compares addresses. */
  isResolving: boolean;
}
type Judge = (values: string[], query: JudgedQuery, raw: Json) => Verdict;
const sure = (isTrue: boolean): Verdict => (isTrue ? 'yes' : 'no');
const byDomain: Judge = (values, { domain }) =>
  domain === '' ? 'no' : any(values.map((value) => domainVerdict(value, domain)));
const byAddress: Judge = (values, { ip, isResolving }) => {
  if (ip === '') return isResolving ? 'maybe' : 'no';
  return any(values.map((value) => addressVerdict(value, ip)));
};
const unknown: Judge = () => 'maybe';
const CONDITIONS: Readonly<Record<string, Judge>> = {
  domain: byDomain,
  domains: byDomain,
  ip: byAddress,
  port: (_, { port }, raw) => sure(inPorts(raw, port)),
  network: (values, { network }) => sure(values.some((value) => value.toLowerCase() === network)),
  inboundTag: (values, { inboundTag }) => sure(values.includes(inboundTag)),
  protocol: (values, { protocol }) => sure(protocol !== '' && values.some((value) => protocol.startsWith(value))),
  user: (values, { email }) =>
    any(values.map((value) => (value.startsWith('regexp:') ? pattern(value.slice(7), email) : sure(value === email)))),
  source: () => 'no',
  sourceIP: () => 'no',
  sourcePort: () => 'no',
  process: unknown,
  attrs: unknown,
  localIP: unknown,
  localPort: unknown,
  vlessRoute: unknown,
};

function judge(rule: JsonObject, query: JudgedQuery): Verdict {
  const verdicts = Object.entries(rule).flatMap(([key, value]) => {
    const condition = CONDITIONS[key];
    const values = typeof value === 'number' ? [String(value)] : textsAt(value);
    return condition === undefined || values.length === 0 ? [] : [condition(values, query, value)];
  });
  if (verdicts.includes('no')) return 'no';
  return verdicts.includes('maybe') ? 'maybe' : 'yes';
}

function any(verdicts: Verdict[]): Verdict {
  if (verdicts.includes('yes')) return 'yes';
  return verdicts.includes('maybe') ? 'maybe' : 'no';
}

/** As the core reads it: a bare text matches anywhere within the name. */
function domainVerdict(rule: string, domain: string): Verdict {
  const [, kind = '', text = rule] =
    /^(full|domain|keyword|regexp|dotless|geosite|ext|ext-domain):(.*)$/.exec(rule) ?? [];
  const wanted = text.toLowerCase();
  const name = domain.toLowerCase();
  if (kind === '' || kind === 'keyword') return sure(name.includes(wanted));
  if (kind === 'full') return sure(name === wanted);
  if (kind === 'domain') return sure(name === wanted || name.endsWith(`.${wanted}`));
  if (kind === 'dotless') return sure(!name.includes('.') && name.includes(wanted));
  return kind === 'regexp' ? pattern(text, name) : 'maybe';
}

/** The core's patterns are a dialect of their own: a pattern JavaScript cannot parse stays undecided. */
function pattern(source: string, text: string): Verdict {
  try {
    return sure(new RegExp(source).test(text));
  } catch {
    return 'maybe';
  }
}

function addressVerdict(rule: string, ip: string): Verdict {
  if (!ipaddr.isValid(ip)) return 'maybe';
  const address = ipaddr.process(ip);
  if (ipaddr.isValid(rule)) return sure(ipaddr.process(rule).toNormalizedString() === address.toNormalizedString());
  if (!ipaddr.isValidCIDR(rule)) return 'maybe';
  const [network, bits] = ipaddr.parseCIDR(rule);
  return sure(network.kind() === address.kind() && address.match(network, bits));
}

function inPorts(raw: Json, port: number): boolean {
  const parts = typeof raw === 'number' ? [String(raw)] : textsAt(raw);
  return parts.some((part) => {
    const [first = '', last = first] = part.split('-');
    return port >= Number(first) && port <= Number(last);
  });
}
