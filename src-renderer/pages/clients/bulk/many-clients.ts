import type { Plan } from '#contract/plans';
import { daysOf, endOfTerm, type Term } from '../../../forms/dates/term.ts';

const DAY_MS = 86_400_000;

/** What the form of many new clients holds. */
export interface ManyClients {
  prefix: string;
  /** Number of the first name. */
  first: number;
  count: number;
  /** Of each; 0 = unlimited. */
  quotaBytes: number;
  /** Days from now or the last day; null = never expires. */
  term: Term;
  group: string;
  /** Says what the form does not ask for; null = none. */
  plan: Plan | null;
  inboundIds: readonly string[];
}

/** Numbered clients as a bulk call takes them: `team-08`, `team-09`, `team-10`, which sort as they count. */
export function manyClients(form: ManyClients, nowMs: number) {
  const digits = String(form.first + form.count - 1).length;
  return Array.from({ length: form.count }, (_, at) => ({
    client: {
      email: `${form.prefix.trim()}${String(form.first + at).padStart(digits, '0')}`,
      totalGB: form.quotaBytes,
      expiryTime: expiryOf(form, nowMs),
      group: form.group.trim(),
      enable: true,
      ...(form.plan === null ? {} : { planId: form.plan.id }),
    },
    inboundIds: form.inboundIds.map(Number),
  }));
}

function expiryOf({ term, plan }: ManyClients, nowMs: number): number {
  const isFromFirstUse = term !== null && plan?.startsAtFirstUse === true;
  return isFromFirstUse ? -daysOf(term, nowMs) * DAY_MS : endOfTerm(term, nowMs);
}

/** What choosing a plan fills in. */
export function manyFromPlan(plan: Plan | null): Partial<ManyClients> {
  if (plan === null) return { plan };
  const { quotaBytes, group, inboundIds } = plan;
  return {
    plan,
    quotaBytes,
    term: plan.days === 0 ? null : plan.days,
    ...(group === '' ? {} : { group }),
    ...(inboundIds.length === 0 ? {} : { inboundIds: inboundIds.map(String) }),
  };
}
