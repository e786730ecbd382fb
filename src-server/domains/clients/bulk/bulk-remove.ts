import { sql, type RawBuilder } from 'kysely';
import type { Store } from '../../../store/open-store.ts';
import type { RequestId, RunChange } from './change-runner.ts';
import { notFound } from './bulk-switch.ts';
import { CHUNK_SIZE } from './chunked.ts';
import { namedChunks, type Skipped } from './email-list.ts';
import { removeClients } from '../verbs/remove.ts';
import { clientsByKeys } from '../storage/repository-read.ts';
import type { StoredClient } from '../storage/stored-types.ts';
import { isExpired, RENEWS } from '../list/state-sql.ts';
import type { ClientTrafficPort } from '../traffic-port.ts';
import { UserChanges } from '../storage/user-changes.ts';
import { unwatched, type Watch } from '../list/watch.ts';

export function createBulkRemove(run: RunChange, traffic: ClientTrafficPort, clock: () => number) {
  /** Deletes clients from every inbound. */
  return async (
    emails: readonly string[],
    keepsTraffic: boolean,
    requestId: RequestId,
    watch: Watch = unwatched,
  ): Promise<{ deleted: number; skipped: Skipped[] }> => {
    const { result, notes } = await run(requestId, async (trx) => {
      const changes = new UserChanges();
      const skipped: Skipped[] = [];
      let deleted = 0;
      for (const named of namedChunks(emails, watch)) {
        const rows = await clientsByKeys(
          trx,
          named.map(({ key }) => key),
        );
        const found = new Set(rows.map(({ emailKey }) => emailKey));
        for (const { email, key } of named) if (!found.has(key)) skipped.push(notFound(email));
        changes.merge(await removeClients(trx, rows, keepsTraffic, { traffic, nowMs: clock() }));
        deleted += rows.length;
      }
      return { changes, result: { deleted, skipped } };
    });
    return { ...result, ...notes };
  };
}

type Removable = Pick<StoredClient, 'id' | 'email' | 'enable'>;

/** A condition on `clientStates AS state`. */
type Condition = RawBuilder<boolean>;

/**
 * Depleted or expired as enforcement judges it, and no automatic renewal will enable the client again. The list adds up
 * what several panels above report, and may show a client as depleted that still works.
 */
const isSpent = (nowMs: number): Condition => sql<boolean>`
  (NOT ${RENEWS} AND (${isExpired({ nowMs })} OR (state.quotaBytes > 0
    AND (state.upBytes + state.downBytes >= state.quotaBytes OR state.peerTotalBytes >= state.quotaBytes))))`;

const isOrphan: Condition = sql<boolean>`
  NOT EXISTS (SELECT 1 FROM clientInbounds AS link WHERE link.clientId = state.clientId)`;

export interface RemoveMatchingDeps {
  run: RunChange;
  /** For counting, which reads every client. */
  heavyReader: Store['heavyReader'];
  traffic: ClientTrafficPort;
  clock: () => number;
}

export function createRemoveMatching({ run, heavyReader, traffic, clock }: RemoveMatchingDeps) {
  async function count(condition: Condition): Promise<number> {
    const { rows } = await sql<{ n: number }>`
      SELECT count(*) AS n FROM clientStates AS state WHERE ${condition}`.execute(heavyReader);
    return rows[0]!.n;
  }

  /** Deletes matching clients in pieces until none is left. */
  async function removeAll(condition: Condition, requestId: RequestId, watch: Watch): Promise<{ deleted: number }> {
    const { result, notes } = await run(requestId, async (trx) => {
      const changes = new UserChanges();
      let deleted = 0;
      for (;;) {
        watch(deleted);
        const { rows } = await sql<Removable>`
          SELECT client.id, client.email, state.enable
          FROM clientStates AS state JOIN clients AS client ON client.id = state.clientId
          WHERE ${condition} ORDER BY state.clientId LIMIT ${CHUNK_SIZE}`.execute(trx);
        if (rows.length === 0) return { changes, result: { deleted } };
        changes.merge(await removeClients(trx, rows, false, { traffic, nowMs: clock() }));
        deleted += rows.length;
      }
    });
    return { ...result, ...notes };
  }

  return {
    countDepleted: (): Promise<number> => count(isSpent(clock())),
    /** Deletes depleted or expired clients; those with automatic renewal are spared. */
    removeDepleted: (requestId: RequestId, watch: Watch = unwatched): Promise<{ deleted: number }> =>
      removeAll(isSpent(clock()), requestId, watch),
    countOrphans: (): Promise<number> => count(isOrphan),
    /** Deletes clients without an inbound. */
    removeOrphans: (requestId: RequestId, watch: Watch = unwatched): Promise<{ deleted: number }> =>
      removeAll(isOrphan, requestId, watch),
  };
}
