import { sql } from 'kysely';
import { DomainError } from '../../../contract/domain-error.ts';
import type { Store, WriteTransaction } from '../../../store/open-store.ts';
import { keepGroupTotals } from '../../groups/group-totals.ts';
import type { RequestId, RunChange } from '../bulk/change-runner.ts';
import type { StoredClient } from '../storage/stored-types.ts';
import type { ChangeNotes } from '../contract.ts';
import { clientByEmail, linksOf } from '../storage/repository-read.ts';
import { enableClients } from '../storage/repository-write.ts';
import type { ClientTrafficPort, Counters } from '../traffic-port.ts';
import { UserChanges } from '../storage/user-changes.ts';
import { unwatched, type Watch } from '../list/watch.ts';

interface ResetDeps {
  traffic: ClientTrafficPort;
  clock: () => number;
}

/** Resets counters, keeping group totals, and enables all of these clients. */
export async function resetAndEnable(
  trx: WriteTransaction,
  clients: readonly Pick<StoredClient, 'id' | 'email'>[],
  traffic: ClientTrafficPort,
  nowMs: number,
): Promise<UserChanges> {
  const changes = new UserChanges();
  const emailOf = new Map(clients.map(({ id, email }) => [id, email]));
  const ids = [...emailOf.keys()];
  for (const { clientId, inboundId } of await linksOf(trx, ids)) changes.add(inboundId, emailOf.get(clientId)!);
  changes.touch(ids);
  await zero(trx, ids, traffic, nowMs);
  await enableClients(trx, ids, nowMs);
  return changes;
}

async function zero(
  trx: WriteTransaction,
  ids: readonly number[],
  traffic: ClientTrafficPort,
  nowMs: number,
): Promise<void> {
  await keepGroupTotals(trx, ids, nowMs);
  await traffic.setCounters(trx, ids, 'zero', 'reset', nowMs);
}

export function createReset(run: RunChange, { traffic, clock }: ResetDeps) {
  /**
   * Resets a client's counters and enables it, whatever had disabled it.
   * @throws {DomainError} `client.notFound`
   */
  return async (email: string, requestId: RequestId): Promise<ChangeNotes> => {
    const { notes } = await run(requestId, async (trx) => {
      const client = await clientByEmail(trx, email);
      if (client === null) throw new DomainError('client.notFound');
      return { changes: await resetAndEnable(trx, [client], traffic, clock()), result: null };
    });
    return notes;
  };
}

/** Disabled because of a limit that a reset lifts; expired clients stay disabled. */
const comesBack = (nowMs: number) => sql<boolean>`(state.enable = 0 AND state.disabledBy = 'loop'
  AND (state.expiresAtMs <= 0 OR state.expiresAtMs > ${nowMs}))`;

/** Has its own counters or those pushed by a panel above, or is disabled because of them. */
const isResettable = (nowMs: number) =>
  sql<boolean>`(state.upBytes > 0 OR state.downBytes > 0 OR state.peerTotalBytes > 0 OR ${comesBack(nowMs)})`;

/** Number of clients that a reset of all changes. For the thread of long reads, because it reads all clients. */
export async function countUsed(heavyReader: Store['heavyReader'], nowMs: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM clientStates AS state WHERE ${isResettable(nowMs)}`.execute(heavyReader);
  return rows[0]!.n;
}

/** Clients per round of a reset of all: keeps messages between threads short. */
const CHUNK = 1_000;

export function createResetAll(run: RunChange, { traffic, clock }: ResetDeps) {
  /**
   * Resets the counters of all clients. Clients that the panel had disabled because of them are enabled; those disabled
   * by an admin, and expired ones, stay disabled.
   */
  return async (requestId: RequestId, watch: Watch = unwatched): Promise<ChangeNotes> => {
    const { notes } = await run(requestId, async (trx) => {
      const changes = new UserChanges();
      const nowMs = clock();
      for (let afterId = 0, done = 0; ;) {
        watch(done);
        const { rows } = await sql<{ id: number; email: string; isBack: 0 | 1 }>`
          SELECT client.id, client.email, ${comesBack(nowMs)} AS isBack
          FROM clientStates AS state JOIN clients AS client ON client.id = state.clientId
          WHERE state.clientId > ${afterId} AND ${isResettable(nowMs)}
          ORDER BY state.clientId LIMIT ${CHUNK}`.execute(trx);
        if (rows.length === 0) return { changes, result: null };
        const back = rows.filter(({ isBack }) => isBack === 1);
        if (back.length > 0) changes.merge(await resetAndEnable(trx, back, traffic, nowMs));
        const rest = rows.filter(({ isBack }) => isBack === 0).map(({ id }) => id);
        changes.touch(rest);
        await zero(trx, rest, traffic, nowMs);
        afterId = rows.at(-1)!.id;
        done += rows.length;
      }
    });
    return notes;
  };
}

export function createSetTraffic(run: RunChange, { traffic, clock }: ResetDeps) {
  /**
   * Sets only a client's counters manually: limits are checked at the next round of accounting.
   * @throws {DomainError} `client.notFound`
   */
  return async (email: string, counters: Counters, requestId: RequestId): Promise<void> => {
    await run(requestId, async (trx) => {
      const client = await clientByEmail(trx, email);
      if (client === null) throw new DomainError('client.notFound');
      await traffic.setCounters(trx, [client.id], counters, 'manual', clock());
      const changes = new UserChanges();
      changes.touch([client.id]);
      return { changes, result: null };
    });
  };
}
