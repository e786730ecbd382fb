import type { Plan, PlanPart, PlanValues, PlanApplication } from '../../plans/contract.ts';
import type { StoredPlan } from '../../plans/present.ts';
import type { ClientInput } from '../contract.ts';
import { MAX_TIME_MS } from '../contract.ts';
import { attach, detach, flowOf, giveFirstEnd, setFlow, type WorkingClient } from '../verbs/working-client.ts';
import { credentialOf, type InboundFacts } from './credential-rules.ts';

const DAY_MS = 86_400_000;

/** Expiry in ms for a new term: a moment, 0 = never ends, negative = a duration that starts at first traffic. */
export function newTerm(
  { days, startsAtFirstUse }: { days: number; startsAtFirstUse: boolean },
  nowMs: number,
): number {
  if (days === 0) return 0;
  return startsAtFirstUse ? -days * DAY_MS : nowMs + days * DAY_MS;
}

/** A new client with omitted values taken from its plan. Empty text counts as omitted, as elsewhere. */
export function filledFrom(plan: StoredPlan, input: ClientInput, nowMs: number): ClientInput {
  const isRenewalGiven = input.reset !== undefined || input.resetDay !== undefined;
  const term = { days: plan.days, startsAtFirstUse: plan.startsAtFirstUse === 1 };
  return {
    ...input,
    totalGB: input.totalGB ?? plan.quotaBytes,
    expiryTime: input.expiryTime ?? newTerm(term, nowMs),
    limitIp: input.limitIp ?? plan.limitIp,
    group: input.group || plan.groupName,
    flow: input.flow ?? (plan.flow as ClientInput['flow']),
    ...(isRenewalGiven ? {} : { reset: plan.resetDays, resetDay: plan.resetDay }),
  };
}

/** Applies one part of a plan to a client. */
type Bring = (client: WorkingClient, plan: Plan, context: BringContext) => void;
export interface BringContext {
  addDays: number;
  nowMs: number;
  /** The next such day of the month. */
  nextRenewalMs: (day: number) => number;
  /** Those of the plan's inbounds that can carry clients. */
  inbounds: readonly InboundFacts[];
}

const BRING: Readonly<Record<PlanPart, Bring>> = {
  quota: ({ values }, plan) => void (values.quotaBytes = plan.quotaBytes),
  term: ({ values }, plan, { addDays, nowMs }) => {
    const { expiresAtMs } = values;
    if (plan.days === 0) values.expiresAtMs = 0;
    else if (expiresAtMs < 0) values.expiresAtMs = -plan.days * DAY_MS;
    else if (expiresAtMs === 0) values.expiresAtMs = newTerm(plan, nowMs);
    else values.expiresAtMs = Math.min(MAX_TIME_MS, Math.max(1, expiresAtMs + addDays * DAY_MS));
  },
  renewal: ({ values }, plan) => {
    values.resetDays = plan.reset;
    values.resetDay = plan.resetDay;
  },
  limitIp: ({ values }, plan) => void (values.limitIp = plan.limitIp),
  group: ({ values }, plan) => {
    if (plan.group !== '') values.groupName = plan.group;
  },
  inbounds: (client, plan, { inbounds }) => {
    if (plan.inboundIds.length === 0) return;
    const flow = flowOf(client);
    for (const inbound of inbounds) attach(client, inbound, flow);
    const wanted = new Set(inbounds.map(({ id }) => id));
    for (const id of client.links.keys()) if (!wanted.has(id)) detach(client, id);
  },
  flow: (client, plan) => {
    if (plan.flow === '') return;
    setFlow(client, plan.flow);
    client.values.flow = plan.flow;
  },
};
/** The flow comes last, because it applies to the client's final inbounds. */
const ORDER: readonly PlanPart[] = ['quota', 'term', 'renewal', 'limitIp', 'group', 'inbounds', 'flow'];

/** Applies these parts of the plan to a client. @returns the parts that are different afterwards */
export function bringPlan(
  client: WorkingClient,
  plan: Plan,
  { parts }: Pick<PlanApplication, 'parts'>,
  context: BringContext,
): PlanPart[] {
  client.values.planId = plan.id;
  const before = ORDER.map((part) => JSON.stringify(partOf(client, part)));
  for (const part of ORDER) if (parts.includes(part)) BRING[part](client, plan, context);
  giveFirstEnd(client.values, context.nextRenewalMs);
  return ORDER.filter((part, at) => JSON.stringify(partOf(client, part)) !== before[at]);
}

/** The client's current values for a part of a plan. */
function partOf({ values, links }: Pick<WorkingClient, 'values' | 'links'>, part: PlanPart): PlanValues {
  switch (part) {
    case 'quota':
      return { totalGB: values.quotaBytes };
    case 'term':
      return { expiryTime: values.expiresAtMs };
    case 'renewal':
      return { reset: values.resetDays, resetDay: values.resetDay };
    case 'limitIp':
      return { limitIp: values.limitIp };
    case 'group':
      return { group: values.groupName };
    case 'inbounds':
      return { inboundIds: [...links.keys()] };
    default:
      return { flow: flowOf({ values, links } as WorkingClient) };
  }
}

/** Values of the named parts. */
export const valuesOf = (client: Pick<WorkingClient, 'values' | 'links'>, parts: readonly PlanPart[]): PlanValues =>
  Object.assign({}, ...parts.map((part) => partOf(client, part))) as PlanValues;

export const canCarry = ({ protocol }: InboundFacts): boolean => credentialOf(protocol) !== null;
