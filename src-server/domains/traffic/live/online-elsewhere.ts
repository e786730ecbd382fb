import { sql } from 'kysely';
import type { ServingPlace } from '../../../runtime/serving-place.ts';
import type { Store } from '../../../store/open-store.ts';
import { SEEN_WITHIN_MS } from './online.ts';

const NOBODY: ReadonlySet<string> = new Set();

/** Online clients on other servers of this database, as far as last-seen times of their inbounds' clients show. */
export function createOnlineElsewhere({
  store,
  place: { serverId, isStandby },
  clock,
}: {
  store: Pick<Store, 'heavyReader'>;
  place: ServingPlace;
  clock: () => number;
}) {
  let names = NOBODY;
  return {
    /** The same object until the set changes. */
    names: () => names,
    /** One index lookup where no other server has an inbound. */
    async look(): Promise<void> {
      if (serverId === null || isStandby) return;
      const nowMs = clock();
      const isElsewhere = sql`inbound.enable = 1 AND inbound.nodeId IS NULL AND inbound.serverId <> ${serverId}`;
      const { rows } = await sql<{ email: string }>`SELECT client.email FROM clientStates AS state
        JOIN clients AS client ON client.id = state.clientId
        WHERE EXISTS (SELECT 1 FROM inbounds AS inbound WHERE ${isElsewhere})
          AND state.lastOnlineAtMs BETWEEN ${nowMs - SEEN_WITHIN_MS + 1} AND ${nowMs + SEEN_WITHIN_MS}
          AND EXISTS (SELECT 1 FROM clientInbounds AS link JOIN inbounds AS inbound ON inbound.id = link.inboundId
            WHERE link.clientId = state.clientId AND ${isElsewhere})`.execute(store.heavyReader);
      const found = new Set(rows.map(({ email }) => email));
      if (found.size !== names.size || [...found].some((email) => !names.has(email))) names = found;
    },
  };
}
export type OnlineElsewhere = ReturnType<typeof createOnlineElsewhere>;
