import type { Change } from '../../../runtime/runtime.ts';
import { inboundsCarrying, type Database } from '../repository.ts';

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

/** Whether anything that runs is concerned. */
export function isEmptyChange(change: Change): boolean {
  return (change.inboundIds?.length ?? 0) === 0 && (change.users?.length ?? 0) === 0 && change.everything !== true;
}
