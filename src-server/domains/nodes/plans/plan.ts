import { hash } from 'node:crypto';
import { canonicalJson } from '../../../contract/canonical-json.ts';

/** so many inbounds, or this part of the clients that the node holds, go unasked. */
const MAX_INBOUNDS = 5;
const MAX_CLIENTS_PART = 0.1;
/** Of a node with few clients a tenth may be less than one; as many go unasked anywhere. */
const MAX_FEW_CLIENTS = 5;

/** What would happen on a node in one go, and waits for the operator's word. */
export interface Plan {
  /** `delete`: it was deleted here; `resend`: the node has lost it. */
  kind: 'delete' | 'resend';
  inbounds: { id: number; tag: string }[];
  clients: { id: number; email: string }[];
  /** Version of the node that it was made of. */
  version: number;
  foundAtMs: number;
  /** Another one as soon as anything else is named. */
  digest: string;
}

/** Plans of one node that wait, and what of them was confirmed. */
export interface Plans {
  waiting: readonly Plan[];
  /** Ids here of what the node has lost and the operator wants there again. Deletions are confirmed in their rows. */
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

/** Notes what waits from now on. @returns whether that is something else than before */
export function noteWaiting(plans: Plans, found: readonly Plan[]): boolean {
  const before = new Map(plans.waiting.map((plan) => [plan.digest, plan]));
  plans.waiting = found.map((plan) => ({ ...plan, foundAtMs: before.get(plan.digest)?.foundAtMs ?? plan.foundAtMs }));
  return found.length !== before.size || found.some(({ digest }) => !before.has(digest));
}
