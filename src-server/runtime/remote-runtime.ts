import { sql } from 'kysely';
import type { Store, WriteTransaction } from '../store/open-store.ts';
import { markChange, markReset } from './remote-marks.ts';
import type { Change, ResetCause, Runtime } from './runtime.ts';
import { numbersIn } from '../store/dialect/each-json.ts';

/** What the runtime needs of the node engine. */
export interface RemoteNodes {
  /** Kept in memory: a panel without nodes spends nothing on them. */
  hasNodes(): boolean;
  /** Whether a change for this node has to wait: it is disabled or was unreachable. */
  isWaiting(nodeId: number): boolean;
  /** Delivers what is marked, soon and in the background. */
  deliver(nodeId: number): void;
}

/** The half of the runtime that leads to other panels. */
export function createRemoteRuntime(store: Pick<Store, 'reader'>, nodes: RemoteNodes, clock: () => number) {
  /** From the marks of the transaction just committed: an inbound deleted here still has its row. */
  async function nodesOf({ inboundIds = [], users = [] }: Change): Promise<number[]> {
    const ids = JSON.stringify([...inboundIds, ...users.map(({ inboundId }) => inboundId)]);
    const { rows } = await sql<{ nodeId: number }>`SELECT DISTINCT nodeId FROM nodeInbounds
      WHERE inboundId IN ${numbersIn(ids)}`.execute(store.reader);
    return rows.map(({ nodeId }) => nodeId);
  }

  return {
    async stage(trx: WriteTransaction, change: Change): Promise<void> {
      if (nodes.hasNodes()) await markChange(trx, change, clock());
    },
    /**
     * To be called in every transaction that resets counters of clients to zero. @param idsJson JSON array of client ids
     */
    async stageReset(trx: WriteTransaction, idsJson: string, cause: ResetCause): Promise<void> {
      if (nodes.hasNodes()) await markReset(trx, idsJson, clock(), { cause });
    },
    /** Starts the delivery to every affected node. @returns whether one of them gets it only later */
    async apply(change: Change): Promise<boolean> {
      if (!nodes.hasNodes()) return false;
      const concerned = await nodesOf(change);
      for (const nodeId of concerned) nodes.deliver(nodeId);
      return concerned.some((nodeId) => nodes.isWaiting(nodeId));
    },
  };
}
export type RemoteRuntime = ReturnType<typeof createRemoteRuntime>;

/**
 * Runtime of a panel whose inbounds run on its own core, on nodes and on other servers of its database: every change
 * goes to all three.
 * @param tellOthers notifies those servers in the transaction
 */
export function joinRuntimes(local: Runtime, remote: RemoteRuntime, tellOthers: Runtime['stage']): Runtime {
  return {
    ...local,
    async stage(trx, change) {
      await local.stage(trx, change);
      await remote.stage(trx, change);
      await tellOthers(trx, change);
    },
    async apply(change) {
      const nodePending = await remote.apply(change);
      return { ...(await local.apply(change)), nodePending };
    },
  };
}
