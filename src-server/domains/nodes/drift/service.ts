import type * as z from 'zod';
import { DomainError } from '../../../contract/domain-error.ts';
import type { Publish } from '../../../contract/events.ts';
import { setOf } from './kinds.ts';
import type { KnownNode, Registry } from '../registry.ts';
import * as nodes from '../repository.ts';
import type { createPolling } from '../sync/polling.ts';
import { readSnapshot } from '../sync/read-node.ts';
import type { TakeOverDeps } from '../sync/reported.ts';
import type { driftBoard, DriftBoard, settleDrift } from './contract.ts';
import { presentRow } from './present.ts';
import { compareNode, type Reading, type ReadRow } from './reading.ts';
import { clientStatePage, countClients } from './repository-applied.ts';
import { forgetKept, forgetSeen, keptOn } from './repository-drift.ts';
import { settle, type Settled } from './settle.ts';

/** Readings kept at the same time; they serve open pages. */
const MAX_READINGS = 4;

export interface DriftDeps extends Omit<TakeOverDeps, 'adoption'> {
  registry: Registry;
  polls: Pick<ReturnType<typeof createPolling>, 'inTurn' | 'reportOf' | 'deliver'>;
  adoption: () => TakeOverDeps['adoption'];
  publish: Publish;
}

type BoardQuery = z.output<(typeof driftBoard)['query']>;
type Asked = z.output<(typeof settleDrift)['body']>;

/** Compares a node's state with what this panel wants and last applied, and settles differences. */
export function createDriftBoard(deps: DriftDeps) {
  const { store, registry, polls, clock, publish } = deps;
  const readings = new Map<number, Reading>();

  /** @throws {DomainError} `node.notFound`, `node.disabled` */
  function requireEnabled(id: number): KnownNode {
    const node = registry.get(id);
    if (node === undefined) throw new DomainError('node.notFound');
    if (node.row.enable === 0) throw new DomainError('node.disabled');
    return node;
  }

  async function lookAt(node: KnownNode) {
    const readAtMs = clock();
    const answer = await readSnapshot(node.client(), new Map());
    const reported = await polls.reportOf(node, answer!.snapshot, readAtMs);
    const adoption = deps.adoption();
    const reading = await compareNode(store, reported, (protocol) => adoption.canAdopt(protocol));
    return { reported, reading };
  }

  /** @throws {DomainError} as {@link requireEnabled}, and when the node cannot be read */
  async function read(id: number): Promise<Reading> {
    const node = requireEnabled(id);
    const { reading } = await polls.inTurn(id, () => lookAt(node));
    await releaseAgreed(id, reading);
    readings.delete(id);
    readings.set(id, reading);
    for (const oldest of readings.keys()) {
      if (readings.size <= MAX_READINGS) break;
      readings.delete(oldest);
    }
    return reading;
  }

  /** Items left alone that are equal again need no decision any more. */
  async function releaseAgreed(id: number, reading: Reading): Promise<void> {
    if (reading.differingClients > reading.clients.length) return;
    const left = await keptOn(store.reader, id, true);
    const differ = setOf([...reading.inbounds.filter(isDifferent), ...reading.clients]);
    const inbounds = [...left.inbounds].filter((name) => !differ.inbound.has(name));
    const clients = [...left.clients].filter((name) => !differ.client.has(name));
    if (inbounds.length + clients.length === 0) return;
    await store.write(async (trx) => {
      await forgetKept(trx, id, 'inbound', inbounds, clock());
      await forgetKept(trx, id, 'client', clients, clock());
    });
    lookAgain(id);
  }

  /** Has agreed items read again, and sends what waits. */
  function lookAgain(id: number): void {
    const node = registry.get(id);
    if (node === undefined) return;
    node.stamps.clear();
    node.settled = null;
    polls.deliver(id);
  }

  async function pageOf(
    id: number,
    { inbounds, clients }: Reading,
    { kind, differs, page, pageSize }: BoardQuery,
  ): Promise<{ total: number; rows: ReadRow[] }> {
    const from = (page - 1) * pageSize;
    if (kind === 'client' && differs === 'false') {
      const known = new Map(clients.map((row) => [row.id, row]));
      const states = await clientStatePage(store.heavyReader, id, { limit: pageSize, offset: from });
      const rows = states.map(({ clientId, email, emailKey, isWaiting }): ReadRow => {
        const same = {
          kind: 'client',
          key: emailKey,
          name: email,
          id: clientId,
          state: 'same',
          isLeft: false,
        } as const;
        return known.get(clientId) ?? { ...same, isWaiting, want: {}, applied: null, has: {}, differ: [], seenOn: [] };
      });
      return { total: await countClients(store.reader, id), rows };
    }
    const all = kind === 'client' ? clients : differs === 'true' ? inbounds.filter(isDifferent) : inbounds;
    return { total: all.length, rows: all.slice(from, from + pageSize) };
  }

  return {
    async read(id: number): Promise<{ readAt: number; underWay: number }> {
      const { inbounds, clients, readAtMs } = await read(id);
      const kept = await keptOn(store.reader, id);
      const isKept = ({ kind, key }: ReadRow): boolean => kept[kind === 'client' ? 'clients' : 'inbounds'].has(key);
      const sent = [...inbounds.filter(isDifferent), ...clients].filter((row) => row.isWaiting && !isKept(row));
      return { readAt: readAtMs, underWay: sent.length };
    },

    /** @throws {DomainError} as `read`, when nothing was read yet */
    async board(id: number, query: BoardQuery): Promise<DriftBoard> {
      const { row } = requireEnabled(id);
      const reading = readings.get(id) ?? (await read(id));
      const { total, rows } = await pageOf(id, reading, query);
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
    async settle(id: number, { verb, items }: Asked): Promise<Settled> {
      const node = requireEnabled(id);
      const { inbounds, clients } = readings.get(id) ?? (await read(id));
      const asked = setOf(items);
      const rows = [...inbounds.filter(isDifferent), ...clients].filter((row) =>
        items.length === 0 ? !row.isLeft : asked[row.kind].has(row.key),
      );
      const settled = await polls.inTurn(id, async () =>
        settle({ ...deps, adoption: deps.adoption() }, node, { verb, rows, lookAt: () => lookAt(node) }),
      );
      readings.delete(id);
      lookAgain(id);
      publish({ type: 'invalidate', resource: 'nodes' });
      return settled;
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

    forget: (id: number): void => void readings.delete(id),
  };
}
export type DriftService = ReturnType<typeof createDriftBoard>;

const isDifferent = ({ state }: ReadRow): boolean => state !== 'same';
