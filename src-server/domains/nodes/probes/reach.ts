import type * as z from 'zod';
import { createLine } from '../../../concurrency.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import { createGuardedDialer, type GuardedDialer } from '../../../net/guarded-dialer.ts';
import { TRIAL_NODE_ID } from '../../../runtime/panel-egress.ts';
import type { Connection } from '../contract.ts';
import { createNodeClient, type NodeCall, type NodeClientDeps } from '../node-client.ts';
import type { EgressTo, KnownNode, Registry } from '../registry.ts';

/** What it takes to reach a panel: connections of this panel, directly or through an outbound of its core. */
export interface ReachDeps extends Omit<NodeClientDeps, 'dialer'> {
  registry: Registry;
  dialer: GuardedDialer;
  egressTo: EgressTo;
  /** A temporary outbound for unsaved details; empty = no longer needed. */
  tryOutbound: (outboundTag: string) => Promise<void>;
}

/** Reaches panels, saved as nodes or not, as details say that may be unsaved. */
export function createReach({ registry, egressTo, tryOutbound, ...calls }: ReachDeps) {
  /** There is only one temporary outbound. */
  const inTurn = createLine();

  /** Runs `work` with a panel reached as the details say: directly, or through an outbound of this panel's core. */
  async function through<T>(
    { id = 0, outboundTag }: Connection,
    work: (dialer: GuardedDialer) => Promise<T>,
  ): Promise<T> {
    if (outboundTag === '') return work(calls.dialer);
    const stored = registry.get(id)?.row;
    const hasWay = stored?.enable === 1 && stored.outboundTag === outboundTag;
    const by = (nodeId: number) => work(createGuardedDialer({ egress: () => egressTo(nodeId, outboundTag) }));
    if (hasWay) return by(id);
    return inTurn(async () => {
      await tryOutbound(outboundTag);
      try {
        return await by(TRIAL_NODE_ID);
      } finally {
        await tryOutbound('');
      }
    });
  }

  /** One request over its own connections. @throws {DomainError} `node.notFound` for an unknown id, `node.tokenLost` */
  async function callOnce<T extends z.ZodType>(
    dialer: GuardedDialer,
    { id = 0, apiToken, ...to }: Connection,
    request: NodeCall<T>,
  ): Promise<z.output<T>> {
    // The trunk proves its identity, whatever other details change.
    if (to.tlsVerifyMode === 'enrolled') return requireKnown(id).client().call(request);
    const token = apiToken !== '' || id === 0 ? apiToken : registry.tokenOf(requireKnown(id).row);
    const client = createNodeClient({ ...calls, dialer }, { ...to, token, isPrivateAllowed: to.allowPrivateAddress });
    try {
      return await client.call(request);
    } finally {
      client.close();
    }
  }

  function requireKnown(id: number): KnownNode {
    const node = registry.get(id);
    if (node === undefined) throw new DomainError('node.notFound');
    return node;
  }

  return { through, callOnce };
}
export type Reach = ReturnType<typeof createReach>;
