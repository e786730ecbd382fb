import type { ValidationIssue } from '../../../contract/envelope.ts';
import type { Json, JsonObject } from '../source.ts';
import { isJsonObject, listOf, objectOf, textListOf, textOf } from '../json-access.ts';
import { isLoopbackAddress } from '../cidr.ts';
import { hostAndPort, isSocketPath, portNumber } from '../inbound/listen-address.ts';
import { chainTagsOf } from './outbound-section.ts';
import { checkRunnable } from './section-rules.ts';
import { issueOf, refuse, type Report } from '../rules/finding.ts';

export { geoFilesNamedBy } from '../geo-files.ts';
export { removeInboundTag, renameInboundTag } from '../inbound/inbound-tags.ts';

const TEMPLATE_SECTIONS = ['inbounds', 'outbounds', 'routing', 'api', 'dns', 'log', 'policy', 'stats'];
const DEEPEST_NESTING = 8;

/**
 * The template inside a saved text: old pages saved the whole response, so an object with `xraySetting` and no section
 * of a config is unwrapped, at most 8 times. Null when the text is not a JSON object.
 */
export function parseTemplate(text: string): JsonObject | null {
  let value: Json | undefined = parsed(text);
  for (let depth = 0; depth < DEEPEST_NESTING; depth += 1) {
    if (!isJsonObject(value) || !isWrapper(value)) break;
    const inner: Json | undefined = value['xraySetting'];
    value = typeof inner === 'string' ? parsed(inner) : inner;
  }
  return isJsonObject(value) && !isWrapper(value) ? value : null;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function isWrapper(value: JsonObject): boolean {
  return 'xraySetting' in value && !TEMPLATE_SECTIONS.some((section) => section in value);
}

/**
 * What the builder would leave out or change so that the core starts, by its place in the template. The core never sees
 * it, so neither its test nor its log tells the operator. `coreVersion` as `xray version` reports it.
 */
export function checkTemplateRuns(template: JsonObject, coreVersion?: string): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  checkRunnable(template, coreVersion, (finding) => issues.push(issueOf(finding)));
  return issues;
}

/**
 * Shape and safety of a template, as far as they can be checked without the core. A caller of the API controls the
 * core, and the metrics listener shows its memory, so both must stay on this machine.
 */
export function checkTemplate(template: JsonObject): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const report: Report = (finding) => issues.push(issueOf(finding));
  if (!Array.isArray(template['outbounds'])) refuse(report, 'outbounds', 'config.list');
  checkPart(template, 'inbounds', '', 'list', report);
  for (const section of ['api', 'routing', 'policy', 'log', 'dns']) checkPart(template, section, '', 'object', report);
  checkLocal(objectOf(template['api'])['listen'], 'api.listen', report);
  checkLocal(objectOf(template['metrics'])['listen'], 'metrics.listen', report);
  checkApiInbound(template, report);
  checkUnique(template['inbounds'], 'inbounds', 'tag', report);
  checkUnique(template['outbounds'], 'outbounds', 'tag', report);
  checkChains(listOf(template['outbounds']), report);
  const routing = objectOf(template['routing']);
  for (const part of ['rules', 'balancers']) checkPart(routing, part, 'routing', 'list', report);
  checkUnique(routing['rules'], 'routing.rules', 'ruleTag', report);
  checkUnique(routing['balancers'], 'routing.balancers', 'tag', report);
  return issues;
}

/** A part of the wrong kind is ignored by the core and by all later checks: it would silently have no effect. */
function checkPart(section: JsonObject, name: string, parent: string, wanted: 'list' | 'object', report: Report): void {
  const value = section[name];
  if (value === undefined || value === null) return;
  const isWanted = wanted === 'list' ? Array.isArray(value) : isJsonObject(value);
  const where = parent === '' ? name : `${parent}.${name}`;
  if (!isWanted) refuse(report, where, wanted === 'list' ? 'config.sectionList' : 'config.object');
}

function checkLocal(listen: Json | undefined, where: string, report: Report): void {
  if (listen === undefined || listen === null || listen === '') return;
  const place = typeof listen === 'string' ? hostAndPort(listen) : null;
  if (typeof listen === 'string' && isSocketPath(listen) && where === 'api.listen') return;
  if (place === null || portNumber(place.port) === null) refuse(report, where, 'config.localListen');
  else if (!isLoopbackAddress(place.host)) refuse(report, where, 'config.staysLocal');
}

/** Any inbound whose traffic a rule leads to the API, the usual tunnel or another. */
function checkApiInbound(template: JsonObject, report: Report): void {
  const tag = textOf(objectOf(template['api'])['tag']) || 'api';
  const rules = listOf(objectOf(template['routing'])['rules']).filter(isJsonObject);
  const leading = rules.filter((rule) => rule['outboundTag'] === tag).flatMap((rule) => textListOf(rule['inboundTag']));
  for (const [index, inbound] of listOf(template['inbounds']).entries()) {
    if (!isJsonObject(inbound)) continue;
    const name = textOf(inbound['tag']);
    const listen = textOf(inbound['listen']);
    if (name === '' || (name !== tag && !leading.includes(name)) || isSocketPath(listen) || isLoopbackAddress(listen))
      continue;
    refuse(report, `inbounds[${index}].listen`, 'config.apiStaysLocal');
  }
}

/** The core would send a connection through such a chain in circles, without end even when its client is gone. */
function checkChains(outbounds: Json[], report: Report): void {
  const known = outbounds.filter(isJsonObject);
  const chains = new Map(known.map((outbound) => [textOf(outbound['tag']), chainTagsOf(outbound)]));
  for (const [index, outbound] of outbounds.entries()) {
    if (!isJsonObject(outbound)) continue;
    const passed = new Set(chainTagsOf(outbound));
    for (const tag of passed) for (const next of chains.get(tag) ?? []) passed.add(next);
    if (passed.has(textOf(outbound['tag']))) refuse(report, `outbounds[${index}]`, 'config.chainCircle');
  }
}

function checkUnique(list: Json | undefined, where: string, key: string, report: Report): void {
  const seen = new Set<string>();
  for (const [index, item] of listOf(list).entries()) {
    const name = isJsonObject(item) ? textOf(item[key]) : '';
    if (name === '') continue;
    if (seen.has(name)) refuse(report, `${where}[${index}].${key}`, 'config.usedTwice', { name });
    seen.add(name);
  }
}
