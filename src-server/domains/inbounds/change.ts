import type { Change } from '../../runtime/runtime.ts';
import { inboundsCarrying, type Database } from './repository.ts';

type Users = NonNullable<Change['users']>;

/**
 * Where clients whose entry on one inbound was written have to be looked at again: identity, state and credentials are
 * shared, so their other inbounds are concerned too. `inboundId` itself gets every e-mail, those that left it included.
 */
export async function usersToRefresh(db: Database, inboundId: number, emails: readonly string[]): Promise<Users> {
  if (emails.length === 0) return [];
  const carried = await inboundsCarrying(db, emails);
  carried.set(inboundId, [...emails]);
  return [...carried].map(([id, known]) => ({ inboundId: id, emails: known }));
}

/** One change out of several, for a single visit to the core. */
export function mergeChanges(changes: readonly Change[]): Change {
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

/** Whether anything that runs is concerned. */
export function isEmptyChange(change: Change): boolean {
  return (change.inboundIds?.length ?? 0) === 0 && (change.users?.length ?? 0) === 0 && change.everything !== true;
}
