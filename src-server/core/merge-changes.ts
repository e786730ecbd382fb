import type { CoreChange } from './core.ts';

/** Merges several changes into one, for a single change of the core. */
export function mergeChanges(changes: readonly CoreChange[]): CoreChange {
  const emails = new Map<number, Set<string>>();
  for (const { users } of changes)
    for (const entry of users ?? []) {
      const known = emails.get(entry.inboundId) ?? new Set();
      for (const email of entry.emails) known.add(email);
      emails.set(entry.inboundId, known);
    }
  return {
    inboundIds: [...new Set(changes.flatMap((change) => change.inboundIds ?? []))],
    users: [...emails].map(([inboundId, known]) => ({ inboundId, emails: [...known] })),
    ...(changes.some((change) => change.everything === true) ? { everything: true } : {}),
  };
}
