import * as z from 'zod';
import { PLAN_PARTS, PlanInput, type Plan, type PlanPart } from '#contract/plans';
import { renewalOf } from '../clients/editor/client-form.ts';

const MAX_DAYS = 36_500;

/** Fields of the plan editor. */
export const PlanForm = z
  .object({
    name: z.string().trim().min(1).max(64),
    /** 0 = unlimited. */
    quotaBytes: z.int().min(0),
    days: z.int().min(0).max(MAX_DAYS),
    startsAtFirstUse: z.boolean(),
    renewal: z.enum(['none', 'period', 'monthDay']),
    renewalDays: z.int().min(1).max(MAX_DAYS),
    limitIp: z.int().min(0),
    group: z.string().max(64),
    flow: PlanInput.shape.flow.unwrap(),
    inboundIds: z.array(z.string()),
  })
  .refine(({ renewal, renewalDays }) => renewal !== 'monthDay' || renewalDays <= 31, {
    path: ['renewalDays'],
    params: { rule: 'lte', param: '31' },
  });
export type PlanForm = z.infer<typeof PlanForm>;

export const NEW_PLAN: PlanForm = {
  name: '',
  quotaBytes: 0,
  days: 30,
  startsAtFirstUse: false,
  renewal: 'none',
  renewalDays: 1,
  limitIp: 0,
  group: '',
  flow: '',
  inboundIds: [],
};

export function toForm({ reset, resetDay, inboundIds, id: _id, clientCount: _count, ...plan }: Plan): PlanForm {
  return { ...plan, ...renewalOf({ reset, resetDay }), inboundIds: inboundIds.map(String) };
}

export function toWire({ renewal, renewalDays, inboundIds, ...plan }: PlanForm): z.input<typeof PlanInput> {
  return {
    ...plan,
    reset: renewal === 'period' ? renewalDays : 0,
    resetDay: renewal === 'monthDay' ? renewalDays : 0,
    inboundIds: inboundIds.map(Number),
  };
}

/** Fields whose names differ on the wire. */
export const formPlace = (field: string): string => (field === 'reset' || field === 'resetDay' ? 'renewalDays' : field);

const PART_FIELDS: Readonly<Record<PlanPart, readonly (keyof Plan)[]>> = {
  quota: ['quotaBytes'],
  term: ['days'],
  renewal: ['reset', 'resetDay'],
  limitIp: ['limitIp'],
  group: ['group'],
  flow: ['flow'],
  inbounds: ['inboundIds'],
};

/** Parts in which two plans differ. */
export const changedParts = (before: Plan, after: Plan): PlanPart[] =>
  PLAN_PARTS.filter((part) =>
    PART_FIELDS[part].some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field])),
  );

/** Days by which a running term changes with its plan. */
export const daysMoved = (before: Plan, after: Plan): number =>
  before.days === 0 || after.days === 0 ? 0 : after.days - before.days;
