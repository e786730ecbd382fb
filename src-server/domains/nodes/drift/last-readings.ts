import { setOf } from './kinds.ts';
import type { KnownNode, Registry } from '../registry.ts';
import type { createPolling } from '../sync/polling.ts';
import { readSnapshot } from '../sync/read-node.ts';
import type { TakeOverDeps } from '../sync/reported.ts';
import { compareNode, isDifferent, type Reading } from './reading.ts';
import { forgetKept, keptOn } from './repository-drift.ts';

/** Readings kept at the same time; they serve open pages. */
const MAX_READINGS = 4;

interface ReadingDeps extends Pick<TakeOverDeps, 'store' | 'clock'> {
  registry: Registry;
  polls: Pick<ReturnType<typeof createPolling>, 'inTurn' | 'reportOf' | 'deliver'>;
  adoption: () => TakeOverDeps['adoption'];
}

/** Reads nodes, compares each with what this panel wants of it, and keeps the last readings. */
export function createLastReadings(deps: ReadingDeps) {
  const { store, registry, polls, clock } = deps;
  const readings = new Map<number, Reading>();

  async function lookAt(node: KnownNode) {
    const readAtMs = clock();
    const response = await readSnapshot(node.client(), new Map());
    const reported = await polls.reportOf(node, response!.snapshot, readAtMs);
    const adoption = deps.adoption();
    const reading = await compareNode(store, reported, (protocol) => adoption.canAdopt(protocol));
    return { reported, reading };
  }

  /** Reads a node in its turn, and keeps the reading. @throws {DomainError} when the node cannot be read */
  async function read(node: KnownNode): Promise<Reading> {
    const { id } = node.row;
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

  return {
    lookAt,
    read,
    lookAgain,
    /** The last reading of a node; undefined = none is kept. */
    last: (id: number): Reading | undefined => readings.get(id),
    drop: (id: number): void => void readings.delete(id),
  };
}
