import * as z from 'zod';
import type { JobMessage } from '../../bridge/jobs.ts';
import { listOf } from '../reading/tolerant.ts';
import type { PanelCalls } from '../jobs/panel-calls.ts';
import { say } from '../jobs/job-failure.ts';

const MAX_PLANS = 1_000;

/** A plan belongs to one panel: in another, the equal plan of that name replaces it. Inbounds are not compared. */
const PanelPlan = z.object({
  id: z.int().min(1),
  name: z.string(),
  quotaBytes: z.number(),
  days: z.number(),
  startsAtFirstUse: z.boolean(),
  reset: z.number(),
  resetDay: z.number(),
  limitIp: z.number(),
  group: z.string(),
  flow: z.string(),
});
type PanelPlan = z.output<typeof PanelPlan>;

/** Plans of both panels; empty when no client has one. */
export interface BothPlans {
  from: readonly PanelPlan[];
  to: readonly PanelPlan[];
}

/** @throws {JobFailure} when a panel cannot be read; one without plans has none */
export async function readPlans(from: PanelCalls, to: PanelCalls, isNeeded: boolean): Promise<BothPlans> {
  if (!isNeeded) return { from: [], to: [] };
  return { from: await plansOf(from), to: await plansOf(to) };
}

const Plans = listOf(PanelPlan, MAX_PLANS);
const plansOf = async (panel: PanelCalls): Promise<PanelPlan[]> =>
  Plans.parse((await panel.getOrNone('/panel/api/plans')) ?? []);

/** What becomes of a client's plan: the id of its equal in the new panel, or 0 and the reason. */
export function planThere(
  { planId, group }: { planId: number; group: string },
  plans: BothPlans,
): { planId: number; note: JobMessage | null } {
  if (planId === 0) return { planId: 0, note: null };
  const mine = plans.from.find(({ id }) => id === planId);
  if (mine === undefined) return { planId: 0, note: say('planLeft', { plan: `#${planId}` }) };
  const theirs = plans.to.find(({ name }) => name === mine.name);
  if (theirs === undefined) return { planId: 0, note: say('planLeft', { plan: mine.name }) };
  // A new client without a group gets its plan's group, which would change it on the way.
  const isSame = sameTerms(mine, theirs) && (theirs.group === '' || group !== '');
  return isSame ? { planId: theirs.id, note: null } : { planId: 0, note: say('planDiffers', { plan: mine.name }) };
}

const TERMS = ['quotaBytes', 'days', 'startsAtFirstUse', 'reset', 'resetDay', 'limitIp', 'group', 'flow'] as const;
const sameTerms = (mine: PanelPlan, theirs: PanelPlan): boolean => TERMS.every((term) => mine[term] === theirs[term]);
