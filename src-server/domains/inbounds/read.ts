import { DomainError } from '../../contract/domain-error.ts';
import type { Fallback, Inbound, InboundOption } from './contract.ts';
import type { InboundServiceDeps } from './dependencies.ts';
import { presentFallback, presentInbound, presentOption } from './present.ts';
import { allInbounds, fallbacksOfMaster, findInbound, rulesWithChild, type InboundRow } from './repository.ts';

export type InboundReads = ReturnType<typeof createReads>;

/** Everything that only looks. */
export function createReads({ store, clients, nodes, panelGuid }: InboundServiceDeps) {
  const idsOf = (rows: readonly InboundRow[]) => rows.map((row) => row.id);

  /** @param overlay whether totals that other panels pushed are laid over the counters. */
  async function present(rows: readonly InboundRow[], overlay: boolean): Promise<Inbound[]> {
    const entries = await clients.composeEntries(idsOf(rows));
    const stats = await clients.statsOf(idsOf(rows), { overlay });
    const parents = await fallbackParents();
    return rows.map((row) =>
      presentInbound(row, {
        panelGuid: panelGuid(),
        clients: entries.get(row.id) ?? [],
        stats: stats.get(row.id) ?? [],
        fallbackParent: parents.get(row.id) ?? null,
      }),
    );
  }

  /** The first rule that leads to each child. */
  async function fallbackParents(): Promise<Map<number, { masterId: number; path: string }>> {
    const parents = new Map<number, { masterId: number; path: string }>();
    for (const { childId, masterId, path } of await rulesWithChild(store.reader))
      if (!parents.has(childId)) parents.set(childId, { masterId, path });
    return parents;
  }

  return {
    /** Own counters only: panels that manage this one poll this list. */
    async list(): Promise<Inbound[]> {
      return present(await allInbounds(store.reader), false);
    },

    async listSlim(): Promise<Inbound[]> {
      const rows = await allInbounds(store.reader);
      const entries = await clients.composeSlimEntries(idsOf(rows));
      const stats = await clients.statsOf(idsOf(rows), { overlay: true });
      const parents = await fallbackParents();
      return rows.map((row) =>
        presentInbound(row, {
          panelGuid: panelGuid(),
          clients: entries.get(row.id) ?? [],
          stats: (stats.get(row.id) ?? []).map((entry) => ({ ...entry, uuid: '', subId: '' })),
          fallbackParent: parents.get(row.id) ?? null,
        }),
      );
    },

    async options(): Promise<InboundOption[]> {
      const addresses = await nodes.addresses();
      const rows = await allInbounds(store.reader);
      return rows.map((row) => presentOption(row, row.nodeId === null ? '' : (addresses.get(row.nodeId) ?? '')));
    },

    /** @throws {DomainError} `inbound.notFound` */
    async get(id: number): Promise<Inbound> {
      const row = await findInbound(store.reader, id);
      const [inbound] = row === null ? [] : await present([row], true);
      if (inbound === undefined) throw new DomainError('inbound.notFound');
      return inbound;
    },

    /** @throws {DomainError} `inbound.notFound` */
    async fallbacks(masterId: number): Promise<Fallback[]> {
      if ((await findInbound(store.reader, masterId)) === null) throw new DomainError('inbound.notFound');
      return (await fallbacksOfMaster(store.reader, masterId)).map(presentFallback);
    },
  };
}
