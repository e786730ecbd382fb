import * as z from 'zod';
import { endpoint } from '../../contract/endpoint.ts';
import type { FieldCode } from '../../contract/fields/field-texts.ts';
import { NewGroupName } from '../../contract/fields/group-name.ts';
import { line } from '../../contract/fields/line.ts';
import { ByteCount, MAX_BYTES } from '../../contract/fields/port.ts';
import { FLOWS, InboundIds, MAX_DAYS, Notes } from '../clients/contract.ts';
import { Skipped } from '../clients/bulk/contract.ts';

const BASE = '/panel/api/plans';
export const MAX_PLANS = 500;

/** Parts of a plan that can be applied to clients. */
export const PLAN_PARTS = ['quota', 'term', 'renewal', 'limitIp', 'group', 'flow', 'inbounds'] as const;
export const PlanPart = z.enum(PLAN_PARTS);
export type PlanPart = z.output<typeof PlanPart>;

const Terms = {
  /** Quota in bytes, 0 = unlimited. */
  quotaBytes: ByteCount.default(0),
  /** Length of the term in days, 0 = unlimited. */
  days: z.int().min(0).max(MAX_DAYS).default(0),
  /** Whether the term of a new client starts with its first traffic instead of when it is added. */
  startsAtFirstUse: z.boolean().default(false),
  /** Days after which clients renew automatically, 0 = never. */
  reset: z.int().min(0).max(MAX_DAYS).default(0),
  /** Day of the month on which clients renew instead, 0 = none. */
  resetDay: z.int().min(0).max(31).default(0),
  /** Most simultaneous IP addresses, 0 = no limit. */
  limitIp: z.int().min(0).max(1_000_000).default(0),
  /** Group assigned to clients; empty = the plan does not change groups. */
  group: NewGroupName,
  /** Flow on inbounds that support it; empty = the plan does not change flows. */
  flow: z.enum(FLOWS).default(''),
  /** Inbounds that clients are attached to; empty = the plan does not change inbounds. */
  inboundIds: InboundIds,
};

/** What clients of a plan get. */
export const PlanInput = z
  .object({ name: line(64).min(1, 'field.required' satisfies FieldCode), ...Terms })
  .refine(({ reset, resetDay }) => reset === 0 || resetDay === 0, {
    path: ['resetDay'],
    message: 'field.resetDay' satisfies FieldCode,
  });
export type PlanInput = z.output<typeof PlanInput>;

export const Plan = z.object({
  id: z.int(),
  name: z.string(),
  ...Terms,
  /** Number of clients that have the plan. */
  clientCount: z.int(),
});
export type Plan = z.output<typeof Plan>;

const Id = z.object({ id: z.coerce.number().int().min(1).max(MAX_BYTES) });

export const listPlans = endpoint('GET', BASE, {
  summary: 'Plans by name, each with the number of clients that have it.',
  result: z.array(Plan),
});

export const addPlan = endpoint('POST', `${BASE}/add`, {
  summary: 'Adds a plan.',
  encoding: 'json',
  body: PlanInput,
  result: Plan,
  message: 'plan.saved',
});

export const updatePlan = endpoint('POST', `${BASE}/update/:id`, {
  summary: 'Replaces a plan. Clients that have it stay as they are until it is brought to them with `plans/apply`.',
  params: Id,
  encoding: 'json',
  body: PlanInput,
  result: Plan,
  message: 'plan.saved',
});

export const deletePlan = endpoint('POST', `${BASE}/del/:id`, {
  summary: 'Deletes a plan; clients that had it keep everything else.',
  params: Id,
  /** Number of clients that had the plan. */
  result: z.object({
    /** Number of clients that had the plan. */
    affected: z.int(),
  }),
  message: 'plan.deleted',
});

/** Which parts of the plan to apply to which clients. */
export const PlanApplication = z.object({
  /** Clients that get the plan; left out = those that already have it. */
  emails: z.array(z.string().max(1024)).max(500_000).optional(),
  /** Parts to apply; the others stay unchanged. */
  parts: z
    .array(PlanPart)
    .max(PLAN_PARTS.length)
    .default([...PLAN_PARTS]),
  /**
   * Days by which a running term moves, when `term` is among the parts. A client whose term has not started, or that
   * never expires, gets the full term.
   */
  addDays: z.int().min(-MAX_DAYS).max(MAX_DAYS).default(0),
});
export type PlanApplication = z.output<typeof PlanApplication>;

/** Only changed values are included. */
const Values = z.object({
  planId: z.int().optional(),
  totalGB: ByteCount.optional(),
  /** Expiry in ms since 1970; 0 = never; negative = length of a term in ms that starts at the first traffic. */
  expiryTime: z.int().optional(),
  reset: z.int().optional(),
  resetDay: z.int().optional(),
  limitIp: z.int().optional(),
  group: z.string().optional(),
  flow: z.string().optional(),
  inboundIds: z.array(z.int()).optional(),
});
export type PlanValues = z.output<typeof Values>;

/** A client whose values would change. */
export const PlanChange = z.object({ email: z.string(), before: Values, after: Values });
export type PlanChange = z.output<typeof PlanChange>;

/** Most clients listed in a preview; the counts cover all of them. */
export const MAX_SHOWN = 200;

export const PlanPreview = z.object({
  /** Number of clients examined. */
  total: z.int(),
  /** Number of clients that would change. */
  changed: z.int(),
  /** Number of clients that each part would change. */
  parts: z.record(PlanPart, z.int()),
  /** The first of them, by record id. */
  clients: z.array(PlanChange),
});
export type PlanPreview = z.output<typeof PlanPreview>;

export const previewPlan = endpoint('POST', `${BASE}/preview/:id`, {
  onStandby: 'answers',
  summary: 'What bringing a plan to clients would change, without changing anything.',
  params: Id,
  encoding: 'json',
  body: PlanApplication,
  result: PlanPreview,
});

export const applyPlan = endpoint('POST', `${BASE}/apply/:id`, {
  summary: 'Brings a plan to clients, all of them in one change that can be taken back as one.',
  params: Id,
  encoding: 'json',
  body: PlanApplication,
  result: Notes.extend({ changed: z.int(), skipped: Skipped }),
});
