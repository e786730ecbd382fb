import * as z from 'zod';
import { endpoint } from '../../../contract/endpoint.ts';
import { ById, NODES_PATH, PlanKind } from '../contract.ts';

/** More than 5 inbounds, or more than 5 clients that are over a tenth of the node's: none of it happens unconfirmed. */
export const NodePlan = z.object({
  /** `delete`: deleted here, and still on the node; `resend`: the node has lost it. */
  kind: PlanKind,
  /** Identifies exactly this plan. */
  digest: z.string(),
  /** When it was found, in ms since 1970. */
  foundAt: z.int(),
  /** Inbounds with their numbers here; tags as on the node, or as here for lost ones. */
  inbounds: z.array(
    z.object({
      /** Number of the inbound here. */
      id: z.int(),
      tag: z.string(),
    }),
  ),
  /** E-mails as the node knows them, including those on the inbounds. */
  clients: z.array(z.string()),
});
export type NodePlan = z.infer<typeof NodePlan>;

const PlanChoice = z.object({
  /** Digest of the plan, as in the list. */
  digest: z.string().max(128),
});

export const listNodePlans = endpoint('GET', `${NODES_PATH}/plans/:id`, {
  summary: 'What would be deleted on a node, or sent there once more because it lost it, as soon as that is confirmed.',
  ...ById,
  result: z.array(NodePlan),
});

export const confirmNodePlan = endpoint('POST', `${NODES_PATH}/plans/:id/confirm`, {
  summary: 'Lets a plan happen, after an automatic backup of this panel; refused when it has changed meanwhile.',
  ...ById,
  body: PlanChoice,
  result: z.null(),
  message: 'node.planConfirmed',
});

export const takeBackNodePlan = endpoint('POST', `${NODES_PATH}/plans/:id/takeBack`, {
  summary: 'Keeps on the node what was to be deleted there; what it is to be managed with comes back from there.',
  ...ById,
  body: PlanChoice,
  result: z.null(),
  message: 'node.planTakenBack',
});
