import type { Json, JsonObject } from '../source.ts';
import { isJsonObject, listOf, objectOf, textOf, without } from '../json-access.ts';
import { problem, refuse, refuseToRun, type Report } from '../rules/finding.ts';
import { healedOutbound, outboundProblem } from './outbound-section.ts';
import { balancerProblem, needsObservatory, ruleProblem } from './routing-section.ts';
import { inboundProblem } from './template-inbounds.ts';

/**
 * What the builder would leave out or change so that the core starts: the operator should learn of it on save, since
 * the core itself never sees it. `coreVersion` as `xray version` reports it.
 */
export function checkRunnable(template: JsonObject, coreVersion: string | undefined, report: Report): void {
  for (const section of ['reverse', 'transport']) {
    const value = template[section];
    const isEmptyTransport = section === 'transport' && Object.keys(objectOf(value)).length === 0;
    if (value !== undefined && value !== null && !isEmptyTransport) refuse(report, section, 'config.sectionRemoved');
  }
  for (const [index, inbound] of listOf(template['inbounds']).entries()) {
    const why = inboundProblem(inbound, new Set());
    if (why !== null) refuseToRun(report, `inbounds[${index}]`, why);
  }
  checkOutbounds(listOf(template['outbounds']), report);
  const routing = objectOf(template['routing']);
  checkBalancers(listOf(routing['balancers']), isWatched(template), report);
  checkRules(listOf(routing['rules']), listOf(routing['balancers']), coreVersion, report);
}

function isWatched(template: JsonObject): boolean {
  return isJsonObject(template['observatory']) || isJsonObject(template['burstObservatory']);
}

function checkOutbounds(outbounds: Json[], report: Report): void {
  for (const [index, outbound] of outbounds.entries()) {
    const why = outboundProblem(isJsonObject(outbound) ? healedOutbound(outbound) : outbound, new Set());
    if (why !== null) refuseToRun(report, `outbounds[${index}]`, why);
  }
}

function checkBalancers(balancers: Json[], hasObservatory: boolean, report: Report): void {
  for (const [index, balancer] of balancers.entries()) {
    const where = `routing.balancers[${index}]`;
    const why = isJsonObject(balancer) ? balancerProblem(balancer) : problem('cannotRun.balancerNotObject');
    if (why !== null) refuseToRun(report, where, why);
    else if (!hasObservatory && isJsonObject(balancer) && needsObservatory(balancer)) {
      refuse(report, where, 'config.observatory');
    }
  }
}

/** Rules that are switched off do not run, so they are not checked. */
function checkRules(rules: Json[], balancers: Json[], coreVersion: string | undefined, report: Report): void {
  const known = new Set(balancers.map((balancer) => (isJsonObject(balancer) ? textOf(balancer['tag']) : '')));
  for (const [index, rule] of rules.entries()) {
    const where = `routing.rules[${index}]`;
    if (!isJsonObject(rule)) {
      refuse(report, where, 'config.object');
      continue;
    }
    if (rule['enabled'] === false) continue;
    const why = ruleProblem(without(rule, 'enabled'), coreVersion);
    const balancer = textOf(rule['balancerTag']);
    if (why !== null) refuseToRun(report, where, why);
    else if (textOf(rule['outboundTag']) === '' && !known.has(balancer)) {
      refuse(report, `${where}.balancerTag`, 'config.balancerUnknown', { balancer });
    }
  }
}
