import { DomainError } from '../../contract/domain-error.ts';
import type { ClientTraffic, Fallback, Inbound, InboundOption } from './contract.ts';
import type { InboundServiceDeps } from './dependencies.ts';
import { presentFallback, presentInbound, presentOption } from './present.ts';
import { allInbounds, fallbacksOfMaster, findInbound, rulesWithChild, type InboundRow } from './repository.ts';

type Parents = Map<number, { masterId: number; path: string }>;
export type InboundReads = ReturnType<typeof createReads>;

/** Everything that only looks. */
export function createReads({ store, clients, nodes, panelGuid }: InboundServiceDeps) {
  async function present(row: InboundRow, overlay: boolean, parents: Parents): Promise<Inbound> {
    const entries = await clients.composeEntries([row.id]);
    const stats = await clients.statsOf([row.id], { overlay });
    return show(row, entries.get(row.id) ?? [], stats.get(row.id) ?? [], parents);
  }

  function show(row: InboundRow, entries: readonly object[], stats: ClientTraffic[], parents: Parents): Inbound {
    const fallbackParent = parents.get(row.id) ?? null;
    return presentInbound(row, { panelGuid: panelGuid(), clients: entries, stats, fallbackParent });
  }

  /** The first rule that leads to each child. */
  async function fallbackParents(): Promise<Parents> {
    const parents: Parents = new Map();
    for (const { childId, masterId, path } of await rulesWithChild(store.reader))
      if (!parents.has(childId)) parents.set(childId, { masterId, path });
    return parents;
  }

  return {
    /** Own counters only: panels that manage this one poll this list. One inbound per page. */
    async *list(): AsyncGenerator<Inbound[]> {
      const parents = await fallbackParents();
      for (const row of await allInbounds(store.reader)) yield [await present(row, false, parents)];
    },

    /** Clients without secrets; totals of other panels are laid over. One inbound per page. */
    async *listSlim(): AsyncGenerator<Inbound[]> {
      const parents = await fallbackParents();
      for (const row of await allInbounds(store.reader)) {
        const entries = await clients.composeSlimEntries([row.id]);
        const stats = await clients.statsOf([row.id], { overlay: true });
        const slimStats = (stats.get(row.id) ?? []).map((entry) => ({ ...entry, uuid: '', subId: '' }));
        yield [show(row, entries.get(row.id) ?? [], slimStats, parents)];
      }
    },

    async options(): Promise<InboundOption[]> {
      const addresses = await nodes.addresses();
      const rows = await allInbounds(store.reader);
      return rows.map((row) => presentOption(row, row.nodeId === null ? '' : (addresses.get(row.nodeId) ?? '')));
    },

    /** @throws {DomainError} `inbound.notFound` */
    async get(id: number): Promise<Inbound> {
      const row = await findInbound(store.reader, id);
      if (row === null) throw new DomainError('inbound.notFound');
      return present(row, true, await fallbackParents());
    },

    /** @throws {DomainError} `inbound.notFound` */
    async fallbacks(masterId: number): Promise<Fallback[]> {
      if ((await findInbound(store.reader, masterId)) === null) throw new DomainError('inbound.notFound');
      return (await fallbacksOfMaster(store.reader, masterId)).map(presentFallback);
    },
  };
}
