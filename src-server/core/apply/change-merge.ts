import type { CoreChange } from '../core.ts';

/** One change that covers both. */
export function mergeChanges(a: CoreChange, b: CoreChange): CoreChange {
  if (a.everything || b.everything) return { everything: true };
  const users = new Map<number, Set<string>>();
  for (const { inboundId, emails } of [...(a.users ?? []), ...(b.users ?? [])]) {
    users.set(inboundId, new Set([...(users.get(inboundId) ?? []), ...emails]));
  }
  return {
    inboundIds: [...new Set([...(a.inboundIds ?? []), ...(b.inboundIds ?? [])])],
    users: [...users].map(([inboundId, emails]) => ({ inboundId, emails: [...emails] })),
  };
}
