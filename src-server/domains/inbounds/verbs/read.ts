import { randomUUID } from 'node:crypto';
import { DomainError } from '../../../contract/domain-error.ts';
import type { ClientTraffic, CountedInbound, Fallback, Inbound, InboundOption } from '../contract.ts';
import type { InboundServiceDeps } from '../dependencies.ts';
import { presentCounted, presentFallback, presentInbound, presentOption } from '../present.ts';
import { allInbounds, fallbacksOfMaster, findInbound, rulesWithChild, type InboundRow } from '../repository.ts';

/** Placeholder for the clients of an inbound while its frame is written; it cannot occur in input. */
const PLACE = { place: randomUUID() };
const PLACE_TEXT = JSON.stringify(PLACE);

type Parents = Map<number, { masterId: number; path: string }>;
type Counts = Awaited<ReturnType<InboundServiceDeps['clients']['countsByInbound']>>;
export type InboundReads = ReturnType<typeof createReads>;

/** All read-only operations. */
export function createReads({ store, clients, nodes, panelGuid, place }: InboundServiceDeps) {
  /** Each process starts counting versions of the database from the beginning. */
  const run = randomUUID();
  let responses = 0;

  async function present(row: InboundRow, overlay: boolean, parents: Parents): Promise<Inbound> {
    const entries = await clients.composeEntries([row.id]);
    const stats = await clients.statsOf([row.id], { overlay });
    return show(row, entries.get(row.id) ?? [], stats.get(row.id) ?? [], parents);
  }

  function show(row: InboundRow, entries: readonly object[], stats: ClientTraffic[], parents: Parents): Inbound {
    const fallbackParent = parents.get(row.id) ?? null;
    return presentInbound(row, { panelGuid: panelGuid(), clients: entries, stats, fallbackParent });
  }

  /** The first rule with each child. */
  async function fallbackParents(): Promise<Parents> {
    const parents: Parents = new Map();
    for (const { childId, masterId, path } of await rulesWithChild(store.reader))
      if (!parents.has(childId)) parents.set(childId, { masterId, path });
    return parents;
  }

  /** An inbound may have 100,000 clients: too many for memory or for one turn of the event loop. */
  async function* listed(
    entriesOf: (id: number) => AsyncIterable<Uint8Array>,
    isSlim: boolean,
  ): AsyncGenerator<string | Uint8Array> {
    const parents = await fallbackParents();
    let separator = '';
    for (const row of await allInbounds(store.reader)) {
      const frame = show(row, [PLACE], [], parents);
      const [before, after] = JSON.stringify({ ...frame, clientStats: undefined })
        .slice(0, -1)
        .split(PLACE_TEXT);
      yield separator + before!;
      separator = ',';
      // Settings that are not valid JSON are shown unchanged, and have no place for clients.
      if (after !== undefined) yield* joined(entriesOf(row.id));
      yield `${after ?? ''},"clientStats":[`;
      yield* joined(clients.statsPages(row.id, { overlay: isSlim, hasSecrets: !isSlim }));
      yield ']}';
    }
  }

  function counted(row: InboundRow, parents: Parents, counts: Counts): CountedInbound {
    const { clients: clientCount = 0, online: onlineCount = 0 } = counts.get(row.id) ?? {};
    return presentCounted(show(row, [], [], parents), clientCount, onlineCount);
  }

  return {
    /**
     * Tag of the current content of the long lists: the same tag means that nothing was committed since. Read before a
     * list, so a commit in between makes it too old rather than too new.
     */
    asOf: (): string => `"${run}-${store.turnReader.version()}"`,
    /**
     * Increases with every response of this run. Empty on a standby: a panel above that asked it for a while would take
     * the active one for a replay afterwards.
     */
    nextResponseOrder: (): string => (place.isStandby ? '' : `${run}.${(responses += 1)}`),

    /** Own counters only: panels that manage this one poll this list. JSON text in pieces. */
    list: () => listed((id) => clients.entryPages(id), false),

    /** Clients without secrets; totals of other panels are included. JSON text in pieces. */
    listSlim: () => listed((id) => clients.slimEntryPages(id), true),

    async listCounted(): Promise<CountedInbound[]> {
      const parents = await fallbackParents();
      const counts = await clients.countsByInbound();
      return (await allInbounds(store.reader)).map((row) => counted(row, parents, counts));
    },

    /** @throws {DomainError} `inbound.notFound` */
    async getCounted(id: number): Promise<CountedInbound> {
      const row = await findInbound(store.reader, id);
      if (row === null) throw new DomainError('inbound.notFound');
      return counted(row, await fallbackParents(), await clients.countsByInbound());
    },

    countOnlyAt: (ids: readonly number[]): Promise<number> => clients.countOnlyAt(ids),

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

/** Pages of JSON items as the inside of one array. */
async function* joined(pages: AsyncIterable<Uint8Array>): AsyncGenerator<string | Uint8Array> {
  let isFirst = true;
  for await (const page of pages) {
    if (!isFirst) yield ',';
    yield page;
    isFirst = false;
  }
}
