import type { Store } from '../../../store/open-store.ts';
import { inboundsAttached } from './repository-sessions.ts';

/** Recently removed or disabled clients to remember, because a further step may still be requested. */
const MAX_REMEMBERED = 10_000;

/** Clients by the inbound their connections arrive at. */
export type SessionUsers = readonly { inboundId: number; emails: readonly string[] }[];

/** Finds the inbounds of clients, including recently deleted or detached ones. */
export function createSessionUserFinder(store: Store) {
  const remembered = new Map<string, Set<number>>();
  return {
    remember(users: SessionUsers): void {
      for (const { inboundId, emails } of users) {
        for (const email of emails) {
          const ids = remembered.get(email) ?? new Set();
          remembered.delete(email);
          remembered.set(email, ids.add(inboundId));
        }
      }
      for (const email of remembered.keys()) {
        if (remembered.size <= MAX_REMEMBERED) break;
        remembered.delete(email);
      }
    },
    async find(emails: readonly string[]): Promise<SessionUsers> {
      const byInbound = new Map<number, Set<string>>();
      const add = (inboundId: number, email: string): void => {
        byInbound.set(inboundId, (byInbound.get(inboundId) ?? new Set()).add(email));
      };
      for (const { inboundId, email } of await inboundsAttached(store.reader, emails)) add(inboundId, email);
      for (const email of emails) for (const inboundId of remembered.get(email) ?? []) add(inboundId, email);
      return [...byInbound].map(([inboundId, names]) => ({ inboundId, emails: [...names] }));
    },
  };
}
export type SessionUserFinder = ReturnType<typeof createSessionUserFinder>;

/** Ids of the inbounds, without duplicates. */
export function inboundIdsOf(entries: readonly { inboundId: number }[]): number[] {
  return [...new Set(entries.map(({ inboundId }) => inboundId))];
}

/** E-mails of the clients, without duplicates. */
export function emailsOf(users: SessionUsers): string[] {
  return [...new Set(users.flatMap((entry) => entry.emails))];
}
