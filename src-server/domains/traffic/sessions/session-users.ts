import type { Store } from '../../../store/open-store.ts';
import { inboundsAttached } from './repository-sessions.ts';

/** Clients that were removed or switched off lately and whose next step may still be asked for. */
const MAX_REMEMBERED = 10_000;

/** Clients by the inbound their connections arrive at. */
export type SessionUsers = readonly { inboundId: number; emails: readonly string[] }[];

/** Finds the inbounds of clients, of those deleted or detached a while ago too. */
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

/** Each inbound once. */
export function inboundIdsOf(entries: readonly { inboundId: number }[]): number[] {
  return [...new Set(entries.map(({ inboundId }) => inboundId))];
}

/** Each client once. */
export function emailsOf(users: SessionUsers): string[] {
  return [...new Set(users.flatMap((entry) => entry.emails))];
}
