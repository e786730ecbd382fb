import { foldText } from '../../../store/fold-text.ts';
import type { Store } from '../../../store/open-store.ts';
import type { HeldInbound, WaitingClient } from '../sync/push/repository-push.ts';
import type { Snapshot } from '../sync/snapshot.ts';
import { planOf, type Plan, type Plans } from './plan.ts';
import { clientsConcerned, countHeld } from './repository-plans.ts';

interface Splitting {
  store: Pick<Store, 'reader' | 'heavyReader'>;
  nodeId: number;
  snapshot: Snapshot;
  version: number;
  readAtMs: number;
}

/** Splits deletions into those sent now and a plan that waits. */
export async function splitDeletions(
  { store, nodeId, snapshot, version, readAtMs }: Splitting,
  { gone, leaving }: { gone: readonly HeldInbound[]; leaving: readonly WaitingClient[] },
): Promise<{ gone: readonly HeldInbound[]; leaving: readonly WaitingClient[]; plan: Plan | null }> {
  if (gone.length + leaving.length === 0) return { gone, leaving, plan: null };
  const tags = new Set(snapshot.inbounds.map(({ tag }) => tag));
  const names = new Set(snapshot.counters.emailKeys);
  const inbounds = gone
    .filter(
      ({ isDeletionConfirmed, remoteId, remoteTag }) => !isDeletionConfirmed && remoteId !== 0 && tags.has(remoteTag),
    )
    .map(({ inboundId, remoteTag }) => ({ id: inboundId, tag: remoteTag }));
  const clients = leaving
    .filter(({ isDeletionConfirmed, email }) => !isDeletionConfirmed && names.has(foldText(email)))
    .map(({ clientId, email }) => ({ id: clientId, email }));
  const found = { kind: 'delete', inbounds, clients, version, foundAtMs: readAtMs } as const;
  const plan = await planOf(found, () => countHeld(store.heavyReader, nodeId));
  if (plan === null) return { gone, leaving, plan };
  const waiting = { inbounds: idsOf(inbounds), clients: idsOf(clients) };
  return {
    gone: gone.filter(({ inboundId }) => !waiting.inbounds.has(inboundId)),
    leaving: leaving.filter(({ clientId }) => !waiting.clients.has(clientId)),
    plan,
  };
}

/** Splits lost items into those sent again now and a plan that waits. */
export async function splitLosses(
  { store, nodeId, version, readAtMs }: Splitting,
  { inbounds, emailKeys }: { inbounds: readonly HeldInbound[]; emailKeys: readonly string[] },
  { resend }: Plans,
): Promise<{ inbounds: readonly HeldInbound[]; emailKeys: readonly string[]; plan: Plan | null }> {
  if (inbounds.length + emailKeys.length === 0) {
    resend.inbounds.clear();
    resend.clients.clear();
    return { inbounds, emailKeys, plan: null };
  }
  const open = inbounds.filter(({ inboundId }) => !resend.inbounds.has(inboundId));
  const concerned = await clientsConcerned(store.heavyReader, nodeId, {
    inboundIds: open.map(({ inboundId }) => inboundId),
    emailKeys,
  });
  const clients = concerned.filter(({ id }) => !resend.clients.has(id));
  const found = {
    kind: 'resend',
    inbounds: open.map(({ inboundId, tag }) => ({ id: inboundId, tag })),
    clients: clients.map(({ id, email }) => ({ id, email })),
    version,
    foundAtMs: readAtMs,
  } as const;
  const plan = await planOf(found, () => countHeld(store.heavyReader, nodeId));
  if (plan === null) return { inbounds, emailKeys, plan };
  const waiting = new Set(clients.map(({ emailKey }) => emailKey));
  return {
    inbounds: inbounds.filter((each) => !open.includes(each)),
    emailKeys: emailKeys.filter((key) => !waiting.has(key)),
    plan,
  };
}

const idsOf = (named: readonly { id: number }[]): ReadonlySet<number> => new Set(named.map(({ id }) => id));
