import { createHash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import * as z from 'zod';
import { DomainError } from '../../../contract/domain-error.ts';
import { createLine } from '../../../concurrency.ts';
import { DialError } from '../../../net/dial-error.ts';
import { createGuardedDialer, type GuardedDialer } from '../../../net/guarded-dialer.ts';
import { TRIAL_NODE_ID } from '../../../runtime/panel-egress.ts';
import type { Connection } from '../contract.ts';
import type { NodeProbe } from './contract.ts';
import { createNodeClient, unreachable, type NodeCall, type NodeClientDeps } from '../node-client.ts';
import { presentProbe } from '../present.ts';
import { probeNode } from './probe.ts';
import { readChain } from '../chains/chain.ts';
import type { EgressTo, KnownNode, Registry } from '../registry.ts';
import { launchPanelUpdate } from '../rollout/exchange.ts';
import type { Probe } from '../stored-types.ts';

const FINGERPRINT_MS = 6_000;
const LIST_MS = 10_000;

interface InquiryDeps extends Omit<NodeClientDeps, 'dialer'> {
  registry: Registry;
  dialer: GuardedDialer;
  signal: AbortSignal;
  egressTo: EgressTo;
  /** A temporary outbound for unsaved details; empty = no longer needed. */
  tryOutbound: (outboundTag: string) => Promise<void>;
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
export function createInquiries({
  registry,
  requirePlace,
  textOf,
  monotonic,
  egressTo,
  tryOutbound,
  ...calls
}: InquiryDeps) {
  const { signal } = calls;
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
  async function ask<T extends z.ZodType>(
    dialer: GuardedDialer,
    { id = 0, apiToken, ...to }: Connection,
    question: NodeCall<T>,
  ): Promise<z.output<T>> {
    // The trunk proves its identity, whatever other details change.
    if (to.tlsVerifyMode === 'enrolled') return requireKnown(id).client().call(question);
    const token = apiToken !== '' || id === 0 ? apiToken : registry.tokenOf(requireKnown(id).row);
    const client = createNodeClient({ ...calls, dialer }, { ...to, token, isPrivateAllowed: to.allowPrivateAddress });
    try {
      return await client.call(question);
    } finally {
      client.close();
    }
  }

  function requireKnown(id: number): KnownNode {
    const node = registry.get(id);
    if (node === undefined) throw new DomainError('node.notFound');
    return node;
  }

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
    const client = { call: <T extends z.ZodType>(call: NodeCall<T>) => ask(dialer, details, call) };
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

    /**
     * @returns SHA-256 of the certificate that is shown, in base64
     * @throws {DomainError} `node.fingerprintNeedsTls`, `node.noCertificate`, `node.unreachable`, `node.speaksHttp`
     */
    async certFingerprint(details: Connection): Promise<string> {
      const { scheme, address, port, allowPrivateAddress } = details;
      if (scheme === 'http') throw new DomainError('node.fingerprintNeedsTls');
      let shown: Buffer | undefined;
      const seen = new Error('seen');
      try {
        const host = address.includes(':') ? `[${address}]` : address;
        const asked = {
          maxBytes: 0,
          timeoutMs: FINGERPRINT_MS,
          maxRedirects: 0,
          allowPrivate: allowPrivateAddress,
          signal,
          tls: {
            rejectUnauthorized: false,
            checkPeer(socket: TLSSocket) {
              shown = socket.getPeerCertificate().raw as Buffer | undefined;
              // The connection is closed before any request, so no token can leak.
              return seen;
            },
          },
        };
        await through(details, (dialer) => dialer.fetch(`https://${host}:${port}/`, asked));
      } catch (error) {
        if (!(error instanceof DialError)) throw error;
        if (shown === undefined) throw unreachable(error);
      }
      if (shown === undefined || shown.length === 0) throw new DomainError('node.noCertificate');
      return createHash('sha256').update(shown).digest('base64');
    },

    /** The inbounds a panel has. @throws {DomainError} as {@link NodeClient.call} */
    inbounds: (details: Connection) =>
      through(details, (dialer) =>
        ask(dialer, details, {
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

    /**
     * Launches the panel update on nodes, one after the other; a failure does not affect the others.
     * @throws {DomainError} `node.noneSelected`
     */
    async updatePanels(ids: readonly number[], isDev: boolean) {
      if (ids.length === 0) throw new DomainError('node.noneSelected');
      const results: { id: number; name: string; ok: boolean; error?: string }[] = [];
      for (const id of ids) {
        const name = registry.get(id)?.row.name ?? '';
        try {
          const node = requireEnabled(id);
          if (node.row.status !== 'online') throw new DomainError('node.offline');
          await node.client().call({
            ...launchPanelUpdate(isDev),
            result: z.unknown(),
          });
          results.push({ id, name, ok: true });
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          results.push({ id, name, ok: false, error: textOf(error) });
        }
      }
      return results;
    },
  };
}
