import * as z from 'zod';
import { MAX_DAYS, MAX_NAME_LENGTH } from '../../src-server/domains/clients/contract.ts';
import {
  CLIENT_VERBS,
  MAX_EMAILS,
  PANEL_VERBS,
  type LineRequest,
  type TransferRequest,
  type TransferChoices,
  type VerbRequest,
  type JobVerbs,
} from '../bridge/jobs.ts';
import type { JobCalls } from '../panels/jobs/job-calls.ts';
import type { AllPanels } from '../shell/all-panels.ts';
import { handle } from './handle.ts';

const MAX_PANELS = 1_000;
const MAX_BYTES = Number.MAX_SAFE_INTEGER;
const Id = z.string().min(1).max(64);
const Email = z.string().trim().min(1).max(MAX_NAME_LENGTH);
const InboundIds = z.array(z.int().min(1)).max(1_000);

const VerbInput = z
  .object({
    verb: z.enum([...CLIENT_VERBS, ...PANEL_VERBS]),
    panelIds: z.array(Id).min(1).max(MAX_PANELS),
    emails: z.array(Email).max(MAX_EMAILS),
    addDays: z.int().min(-MAX_DAYS).max(MAX_DAYS),
    addBytes: z.int().min(-MAX_BYTES).max(MAX_BYTES),
    version: z.string().regex(/^[\w.+-]{1,64}$/),
  })
  .refine(
    ({ verb, emails }) => (PANEL_VERBS as readonly string[]).includes(verb) || emails.length > 0,
  ) satisfies z.ZodType<VerbRequest>;

const TransferInput = z.object({
  fromId: Id,
  toId: Id,
  mode: z.enum(['copy', 'move']),
  inboundIds: InboundIds,
  withClients: z.boolean(),
  emails: z.array(Email).max(MAX_EMAILS),
  ontoInboundIds: InboundIds,
}) satisfies z.ZodType<TransferRequest>;

const ChoicesInput = z.object({
  ports: z.record(z.string().regex(/^\d{1,15}$/), z.int().min(1).max(65_535)),
  emails: z.record(Email, z.string().trim().max(MAX_NAME_LENGTH)),
  isProbed: z.boolean(),
}) satisfies z.ZodType<TransferChoices>;

const LineInput = z.object({
  id: Id,
  lineId: z.string().min(1).max(4_096),
  from: z.enum(['left', 'right']),
  isConfirmed: z.boolean(),
}) satisfies z.ZodType<LineRequest>;

/** Arguments of each call for jobs on several panels. */
const INPUTS = {
  planVerb: VerbInput,
  runVerb: Id,
  retryVerb: z.object({ id: Id, panelId: Id }),
  verb: Id,
  planTransfer: TransferInput,
  transferPlan: Id,
  chooseTransfer: z.object({ id: Id, choices: ChoicesInput }),
  runTransfer: Id,
  transfer: Id,
  unfinished: z.undefined().transform(() => null),
  settle: Id,
  forget: Id,
  compare: z.object({ leftId: Id, rightId: Id }),
  comparison: Id,
  takeLine: LineInput,
  cancel: Id,
} satisfies Record<keyof JobVerbs, z.ZodType>;

export function registerJobCalls({ calls }: Pick<AllPanels, 'calls'>): void {
  for (const [verb, input] of Object.entries(INPUTS) as [keyof JobVerbs, z.ZodType][])
    handle(`jobs.${verb}`, input, (params) => calls.request(verb, params as JobCalls[typeof verb]['params']));
}
