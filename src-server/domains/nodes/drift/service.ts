import type * as z from 'zod';
import { DomainError } from '../../../contract/domain-error.ts';
import type { Publish } from '../../../contract/events.ts';
import { setOf } from './kinds.ts';
import type { KnownNode, Registry } from '../registry.ts';
import * as nodes from '../repository.ts';
import type { createPolling } from '../sync/polling.ts';
import type { TakeOverDeps } from '../sync/reported.ts';
import type { DriftBoard, settleDrift } from './contract.ts';
import { createLastReadings } from './last-readings.ts';
import { pageOf, type BoardQuery } from './page.ts';
import { presentRow } from './present.ts';
import { isDifferent, type ReadRow } from './reading.ts';
import { forgetSeen, keptOn } from './repository-drift.ts';
import { settle, type Settled } from './settle.ts';

export interface DriftDeps extends Omit<TakeOverDeps, 'adoption'> {
  registry: Registry;
  polls: Pick<ReturnType<typeof createPolling>, 'inTurn' | 'reportOf' | 'deliver'>;
  adoption: () => TakeOverDeps['adoption'];
  publish: Publish;
}

type SettleRequest = z.output<(typeof settleDrift)['body']>;

/** Compares a node's state with what this panel wants and last applied, and settles differences. */
export function createDriftBoard(deps: DriftDeps) {
  const { store, registry, polls, clock, publish } = deps;
  const { lookAt, read, lookAgain, last, drop } = createLastReadings(deps);

  /** @throws {DomainError} `node.notFound`, `node.disabled` */
  function requireEnabled(id: number): KnownNode {
    const node = registry.get(id);
    if (node === undefined) throw new DomainError('node.notFound');
    if (node.row.enable === 0) throw new DomainError('node.disabled');
    return node;
  }

  function changed(name: string): Settled['skipped'][number] {
    const error = new DomainError('node.planChanged');
    return { name, text: deps.textOf(error), refusal: { code: error.code, params: {} } };
  }

  return {
    /** @throws {DomainError} as {@link requireEnabled}, and when the node cannot be read */
    async read(id: number): Promise<{ readAt: number; underWay: number }> {
      const { inbounds, clients, readAtMs } = await read(requireEnabled(id));
      const kept = await keptOn(store.reader, id);
      const isKept = ({ kind, key }: ReadRow): boolean => kept[kind === 'client' ? 'clients' : 'inbounds'].has(key);
      const sent = [...inbounds.filter(isDifferent), ...clients].filter((row) => row.isWaiting && !isKept(row));
      return { readAt: readAtMs, underWay: sent.length };
    },

    /** @throws {DomainError} as `read`, when nothing was read yet */
    async board(id: number, query: BoardQuery): Promise<DriftBoard> {
      const node = requireEnabled(id);
      const { row } = node;
      const reading = last(id) ?? (await read(node));
      const { total, rows } = await pageOf(store, id, reading, query);
      const { inbounds, clients, differingClients, totalClients, tags, readAtMs } = reading;
      const leftOf = (all: readonly ReadRow[]): number => all.filter(({ isLeft }) => isLeft).length;
      return {
        readAt: readAtMs,
        remoteEdits: row.remoteEdits,
        inbounds: { total: inbounds.length, differ: inbounds.filter(isDifferent).length, left: leftOf(inbounds) },
        clients: { total: totalClients, differ: differingClients, left: leftOf(clients) },
        isCut: differingClients > clients.length,
        total,
        rows: rows.map((each) => presentRow(each, tags)),
      };
    },

    /** Rows of the last reading: the named ones, or all that are not left alone. @throws {DomainError} as `read` */
    async settle(id: number, { verb, items }: SettleRequest): Promise<Settled> {
      const node = requireEnabled(id);
      const { inbounds, clients } = last(id) ?? (await read(node));
      const selected = setOf(items);
      const rows = [...inbounds.filter(isDifferent), ...clients].filter((row) =>
        items.length === 0 ? !row.isLeft : selected[row.kind].has(row.key),
      );
      const settled = await polls.inTurn(id, async () =>
        settle({ ...deps, adoption: deps.adoption() }, node, { verb, rows, lookAt: () => lookAt(node) }),
      );
      drop(id);
      lookAgain(id);
      publish({ type: 'invalidate', resource: 'nodes' });
      // Decided elsewhere, or no longer different.
      const found = setOf(rows);
      const gone = items.filter(({ kind, key }) => !found[kind].has(key)).map(({ key }) => changed(key));
      return { ...settled, skipped: [...settled.skipped, ...gone] };
    },

    /** @throws {DomainError} `node.notFound` */
    async setRemoteEdits(id: number, remoteEdits: 'follow' | 'show'): Promise<void> {
      if (registry.get(id) === undefined) throw new DomainError('node.notFound');
      await store.write(async (trx) => {
        await nodes.updateNode(trx, id, { remoteEdits, updatedAtMs: clock() });
        if (remoteEdits === 'follow') await forgetSeen(trx, id, clock());
      });
      const row = await nodes.findNode(store.reader, id);
      if (row !== null) registry.put(row);
      // A delivery in progress still follows the old choice, so wait until it has finished.
      if (row?.status === 'online') await polls.inTurn(id, async () => undefined);
      lookAgain(id);
    },

    forget: drop,
  };
}
export type DriftService = ReturnType<typeof createDriftBoard>;
