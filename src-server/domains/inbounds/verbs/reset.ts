import { DomainError } from '../../../contract/domain-error.ts';
import { mergeChanges, type Change } from '../../../runtime/runtime.ts';
import type { WriteTransaction } from '../../../store/open-store.ts';
import { announce } from '../../../contract/announce.ts';
import { isEmptyChange } from './change.ts';
import type { TrafficReset } from '../contract.ts';
import type { InboundServiceDeps } from '../dependencies.ts';
import { allInbounds, findInbound, inboundsWithReset, type InboundRow } from '../repository.ts';

/** Resetting inbound counters. */
export function createReset({ store, runtime, traffic, clock, publish, log }: InboundServiceDeps) {
  /** @returns what the core has to update: clients enabled again. Nodes have to reset their own counter. */
  function resetWithClients(inboundId: number): Promise<Change> {
    return store.write(async (trx) => {
      const row = await findInbound(trx, inboundId);
      await traffic.resetInbound(trx, inboundId, clock());
      const { users } = await traffic.resetClientsOfInbound(trx, inboundId, clock());
      const change: Change = { users, inboundIds: onNodes(row === null ? [] : [row]) };
      if (!isEmptyChange(change)) await runtime.stage(trx, change);
      return change;
    });
  }

  /** @returns what nodes have to do: a core counts by itself. */
  async function resetRows(trx: WriteTransaction, rows: readonly InboundRow[]): Promise<Change> {
    for (const { id } of rows) await traffic.resetInbound(trx, id, clock());
    const change: Change = { inboundIds: onNodes(rows) };
    if (!isEmptyChange(change)) await runtime.stage(trx, change);
    return change;
  }

  return {
    /**
     * The inbound's own counters; its clients are untouched.
     * @throws {DomainError} `inbound.notFound`
     */
    async resetTraffic(id: number, requestId: string): Promise<void> {
      const change = await store.write(async (trx) => {
        const row = await findInbound(trx, id);
        if (row === null) throw new DomainError('inbound.notFound');
        return resetRows(trx, [row]);
      });
      if (!isEmptyChange(change)) await runtime.apply(change);
      announce(publish, ['inbounds'], requestId);
    },

    /** The own counters of every inbound, in one transaction. */
    async resetAllTraffics(requestId: string): Promise<void> {
      const change = await store.write(async (trx) => resetRows(trx, await allInbounds(trx)));
      if (!isEmptyChange(change)) await runtime.apply(change);
      announce(publish, ['inbounds'], requestId);
    },

    /**
     * At the start of a `trafficReset` period: resets the counters of these inbounds, enabled or not, and of all their
     * clients, and enables clients that were disabled by their quota. One failing inbound does not stop the others.
     * @returns resets what is left, and returns whether nothing is
     */
    scheduledResets(period: TrafficReset): () => Promise<boolean> {
      let left: Set<number> | null = null;
      return async () => {
        const due = (await inboundsWithReset(store.reader, period)).map(({ id }) => id);
        // Without those that were switched to another period since.
        left = new Set(due.filter((id) => left?.has(id) ?? true));
        const changes: Change[] = [];
        for (const id of left) {
          try {
            changes.push(await resetWithClients(id));
            left.delete(id);
          } catch (error) {
            log.error('inbound.scheduledResetFailed', { inboundId: id, period, error });
          }
        }
        if (changes.length > 0) {
          log.info('inbound.scheduledReset', { period, inbounds: changes.length });
          const change = mergeChanges(changes);
          if (!isEmptyChange(change)) await runtime.apply(change);
          announce(publish, ['inbounds', 'clients'], '');
        }
        return left.size === 0;
      };
    },
  };
}

const onNodes = (rows: readonly Pick<InboundRow, 'id' | 'nodeId'>[]): number[] =>
  rows.filter(({ nodeId }) => nodeId !== null).map(({ id }) => id);
