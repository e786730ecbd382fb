import type { Change } from '../../../runtime/runtime.ts';
import { inboundsCarrying, type Database } from '../repository.ts';

type Users = NonNullable<Change['users']>;

/**
 * The users to update after a client's entry on one inbound was written: identity, state and credentials are shared, so
 * their other inbounds are affected too. `inboundId` itself gets every e-mail, including removed ones.
 */
export async function usersToRefresh(db: Database, inboundId: number, emails: readonly string[]): Promise<Users> {
  if (emails.length === 0) return [];
  const carried = await inboundsCarrying(db, emails);
  carried.set(inboundId, [...emails]);
  return [...carried].map(([id, known]) => ({ inboundId: id, emails: known }));
}

/** Whether the change affects nothing that runs. */
export function isEmptyChange(change: Change): boolean {
  return (change.inboundIds?.length ?? 0) === 0 && (change.users?.length ?? 0) === 0 && change.everything !== true;
}
