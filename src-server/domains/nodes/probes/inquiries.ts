import * as z from 'zod';
import { DomainError } from '../../../contract/domain-error.ts';
import type { GuardedDialer } from '../../../net/guarded-dialer.ts';
import type { Connection } from '../contract.ts';
import type { NodeProbe } from './contract.ts';
import type { NodeCall } from '../node-client.ts';
import { presentProbe } from '../present.ts';
import { readCertFingerprint } from './cert-fingerprint.ts';
import { probeNode } from './probe.ts';
import { createReach, type ReachDeps } from './reach.ts';
import { readChain } from '../chains/chain.ts';
import type { KnownNode } from '../registry.ts';
import type { Probe } from '../stored-types.ts';
import { updatePanels } from './update-panels.ts';

const LIST_MS = 10_000;

interface InquiryDeps extends ReachDeps {
  signal: AbortSignal;
  /** Checks that a responding panel may be a node. @throws {DomainError} why not */
  requirePlace: (candidate: { id: number; guid: string; below: string[] | null }) => Promise<void>;
  textOf: (error: DomainError) => string;
  monotonic: () => number;
}

const RemoteInbound = z.object({
  id: z.int(),
  tag: z.string(),
  remark: z.string().catch(''),
  listen: z.string().catch(''),
  protocol: z.string().catch(''),
  port: z.int().catch(0),
});

/** Requests to panels that are saved as nodes, or not yet; nothing of the responses is stored. */
export function createInquiries(deps: InquiryDeps) {
  const { registry, requirePlace, textOf, monotonic } = deps;
  const { through, callOnce } = createReach(deps);

  /** @throws {DomainError} `node.missing`, `node.disabled` */
  function requireEnabled(id: number): KnownNode {
    const node = registry.get(id);
    if (node === undefined) throw new DomainError('node.missing');
    if (node.row.enable === 0) throw new DomainError('node.disabled');
    return node;
  }

  /**
   * Does not fail for an unreachable panel: that one is offline, with the reason.
   * @throws {DomainError} for a panel that answers but cannot be a node
   */
  const probe = (details: Connection): Promise<Probe> => through(details, (dialer) => probeBy(dialer, details));

  async function probeBy(dialer: GuardedDialer, details: Connection): Promise<Probe> {
    const client = { call: <T extends z.ZodType>(call: NodeCall<T>) => callOnce(dialer, details, call) };
    const result = await probeNode(client, { monotonic, textOf });
    if (result.status === 'offline') return result;
    const below = await readChain(client).catch((error: unknown) => {
      if (error instanceof DomainError) return null;
      throw error;
    });
    const guids = below?.map(({ guid }) => guid) ?? null;
    await requirePlace({ id: details.id ?? 0, guid: result.guid ?? '', below: guids });
    return result;
  }

  return {
    probe,

    /** Like {@link probe}, for the response. */
    test: async (details: Connection): Promise<NodeProbe> => presentProbe(await probe(details)),

    /** @see readCertFingerprint */
    certFingerprint: (details: Connection): Promise<string> => readCertFingerprint(through, deps.signal, details),

    /** The inbounds a panel has. @throws {DomainError} as {@link NodeClient.call} */
    inbounds: (details: Connection) =>
      through(details, (dialer) =>
        callOnce(dialer, details, {
          method: 'GET',
          path: 'inbounds/list',
          result: z.array(RemoteInbound),
          timeoutMs: LIST_MS,
        }),
      ),

    /**
     * Paths of the node's own certificate. @throws {DomainError} `node.missing`, `node.disabled`, as
     * {@link NodeClient.call}
     */
    webCert: async (id: number) =>
      requireEnabled(id)
        .client()
        .call({
          method: 'GET',
          path: 'server/getWebCertFiles',
          result: z.object({ webCertFile: z.string().catch(''), webKeyFile: z.string().catch('') }),
          timeoutMs: LIST_MS,
        }),

    /** @see updatePanels */
    updatePanels: (ids: readonly number[], isDev: boolean) =>
      updatePanels({ registry, requireEnabled, textOf }, ids, isDev),
  };
}
