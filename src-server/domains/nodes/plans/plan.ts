import { hash } from 'node:crypto';
import { canonicalJson } from '../../../contract/canonical-json.ts';

/** up to this many inbounds, or this share of the node's clients, need no confirmation. */
const MAX_INBOUNDS = 5;
const MAX_CLIENTS_PART = 0.1;
/** On a node with few clients a tenth may be less than one; this many never need confirmation. */
const MAX_FEW_CLIENTS = 5;

/** Changes on a node, made in one go, that wait for confirmation. */
export interface Plan {
  /** `delete`: deleted here; `resend`: the node has lost it. */
  kind: 'delete' | 'resend';
  inbounds: { id: number; tag: string }[];
  clients: { id: number; email: string }[];
  /** Version of the node it is based on. */
  version: number;
  foundAtMs: number;
  /** Changes whenever the content changes. */
  digest: string;
}

/** Waiting plans of one node, and what was confirmed of them. */
export interface Plans {
  waiting: readonly Plan[];
  /** Ids here of lost items that the operator wants sent again. Confirmed deletions are marked in their rows. */
  resend: { inbounds: Set<number>; clients: Set<number> };
}

export const createPlans = (): Plans => ({ waiting: [], resend: { inbounds: new Set(), clients: new Set() } });

/** @param countHeld number of clients that the node is known to hold. @returns null when it needs no confirmation */
export async function planOf(found: Omit<Plan, 'digest'>, countHeld: () => Promise<number>): Promise<Plan | null> {
  const { kind, inbounds, clients } = found;
  const areMany = clients.length > MAX_FEW_CLIENTS && clients.length > MAX_CLIENTS_PART * (await countHeld());
  if (inbounds.length <= MAX_INBOUNDS && !areMany) return null;
  return { ...found, digest: hash('sha1', canonicalJson({ kind, inbounds, clients })) };
}

/** Records the waiting plans. @returns whether they differ from the previous ones */
export function noteWaiting(plans: Plans, found: readonly Plan[]): boolean {
  const before = new Map(plans.waiting.map((plan) => [plan.digest, plan]));
  plans.waiting = found.map((plan) => ({ ...plan, foundAtMs: before.get(plan.digest)?.foundAtMs ?? plan.foundAtMs }));
  return found.length !== before.size || found.some(({ digest }) => !before.has(digest));
}
