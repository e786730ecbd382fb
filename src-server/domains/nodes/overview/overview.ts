import { DomainError } from '../../../contract/domain-error.ts';
import type { Store } from '../../../store/open-store.ts';
import { attributionOf } from '../chains/attribution.ts';
import type { Chains } from '../chains/chain.ts';
import type { Descendant } from '../chains/contract.ts';
import type { Node } from '../contract.ts';
import type { OnlineTrees } from '../chains/online.ts';
import { NO_COUNTS, presentDescendant, presentNode, presentTransitive, type NodeCounts } from '../present.ts';
import { undecidedEdits } from '../drift/repository-drift.ts';
import { figuresOf } from '../probes/figures.ts';
import { allNodes } from '../repository.ts';
import type { NodeRow } from '../stored-types.ts';
import type { Registry } from '../registry.ts';
import { hostedCounts, type HostedCounts } from './repository-counts.ts';

interface OverviewDeps {
  store: Pick<Store, 'reader' | 'heavyReader'>;
  registry: Pick<Registry, 'get'>;
  chains: Chains;
  online: Pick<OnlineTrees, 'byGuid'>;
  dialledBy: (nodeId: number) => Node['dialledBy'];
  copyAt: (nodeId: number) => string;
  ownGuid: string;
  clock: () => number;
}

/** Nodes for display: their rows with counts. */
export function createOverview({ store, registry, chains, online, dialledBy, copyAt, ownGuid, clock }: OverviewDeps) {
  function countsOf(hosted: HostedCounts | undefined, onlineCount: number): NodeCounts {
    if (hosted === undefined) return { ...NO_COUNTS, onlineCount };
    const { inbounds, clients, depleted, disabled } = hosted;
    return {
      ...NO_COUNTS,
      inboundCount: inbounds,
      clientCount: clients,
      onlineCount,
      activeCount: clients - depleted - disabled,
      disabledCount: disabled,
      depletedCount: depleted,
    };
  }

  /** By id, with the figures of the last probe. */
  async function currentRows(): Promise<NodeRow[]> {
    return (await allNodes(store.reader)).map((row) => {
      const known = registry.get(row.id)?.row;
      return known === undefined || known.lastHeartbeatAtMs < row.lastHeartbeatAtMs
        ? row
        : { ...row, ...figuresOf(known) };
    });
  }

  async function list(): Promise<Node[]> {
    const rows = await currentRows();
    const names = new Map(rows.map((row) => [row.id, attributionOf(row, rows, ownGuid)]));
    const reached = rows.filter(({ enable, status }) => enable === 1 && status === 'online');
    const behind = chains.panels(
      reached.map(({ id }) => ({ id, guid: names.get(id)! })),
      new Set([ownGuid, ...rows.map(({ guid }) => guid)]),
    );
    const nowMs = clock();
    const byNode = await hostedCounts(store.heavyReader, 'node', nowMs);
    // Where there are panels behind nodes, each panel shows only what runs on it, not what it passes on.
    const byOrigin = behind.length === 0 ? null : await hostedCounts(store.heavyReader, 'origin', nowMs);
    const onlineAt = online.byGuid();
    const undecided = await undecidedEdits(store.reader);
    const direct = rows.map((row) => {
      const name = names.get(row.id)!;
      const here = byNode.get(String(row.id));
      const hosted = byOrigin === null ? here : sum(byOrigin.get(name), byOrigin.get(`node:${row.id}`), name);
      const counts = countsOf(hosted, onlineAt[name]?.length ?? 0);
      const waiting = registry.get(row.id)?.plans.waiting ?? [];
      const plans = waiting.map(({ kind, inbounds, clients }) => ({
        kind,
        inboundCount: inbounds.length,
        clientCount: clients.length,
      }));
      const edits = {
        undecidedEdits: undecided.get(row.id) ?? 0,
        dialledBy: dialledBy(row.id),
        copyAt: copyAt(row.id),
      };
      const shown = presentNode(row, { ...counts, ...edits, clientCount: here?.clients ?? 0 }, plans);
      return { ...shown, parentGuid: ownGuid };
    });
    const transitive = behind.map((panel) =>
      presentTransitive(panel, countsOf(byOrigin?.get(panel.guid), onlineAt[panel.guid]?.length ?? 0)),
    );
    return [...direct, ...transitive];
  }

  return {
    /** Direct nodes by id, then the panels behind those that are online. */
    list,
    /** @throws {DomainError} `node.notFound` */
    async get(id: number): Promise<Node> {
      const found = (await list()).find((node) => node.id === id);
      if (found === undefined) throw new DomainError('node.notFound');
      const { parentGuid: _, ...node } = found;
      return node;
    },
    /** Direct nodes with a known GUID, for the panel above. */
    descendants: async (): Promise<Descendant[]> =>
      (await currentRows()).filter(({ guid }) => guid !== '').map((row) => presentDescendant(row, ownGuid)),
  };
}

/** A node's own inbounds: those read back from it, and those not read yet. */
function sum(read: HostedCounts | undefined, fresh: HostedCounts | undefined, name: string): HostedCounts | undefined {
  if (read === undefined || fresh === undefined || name.startsWith('node:')) return read ?? fresh;
  return {
    inbounds: read.inbounds + fresh.inbounds,
    clients: read.clients + fresh.clients,
    depleted: read.depleted + fresh.depleted,
    disabled: read.disabled + fresh.disabled,
  };
}
