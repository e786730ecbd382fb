import { createHash } from 'node:crypto';
import * as z from 'zod';
import { DomainError } from '../../contract/domain-error.ts';
import { DialError } from '../../net/dial-error.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import type { Connection, NodeProbe } from './contract.ts';
import { createNodeClient, unreachable, type NodeCall, type NodeClientDeps } from './node-client.ts';
import { presentProbe } from './present.ts';
import { probeNode } from './probe.ts';
import type { KnownNode, Registry } from './registry.ts';

const FINGERPRINT_MS = 6_000;
const LIST_MS = 10_000;
const UPDATE_MS = 20_000;

interface InquiryDeps extends Omit<NodeClientDeps, 'dialer'> {
  registry: Registry;
  dialer: GuardedDialer;
  signal: AbortSignal;
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

/** Questions to panels that are saved as nodes, or not yet: nothing of the answers is stored. */
export function createInquiries({ registry, textOf, monotonic, ...calls }: InquiryDeps) {
  const { dialer, signal } = calls;

  /** One question over connections of its own. @throws {DomainError} `node.notFound` for an unknown id, `node.tokenLost` */
  async function ask<T extends z.ZodType>(
    { id = 0, apiToken, ...to }: Connection,
    question: NodeCall<T>,
  ): Promise<z.output<T>> {
    const token = apiToken !== '' || id === 0 ? apiToken : registry.tokenOf(requireKnown(id).row);
    const client = createNodeClient(calls, { ...to, token, isPrivateAllowed: to.allowPrivateAddress });
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

  return {
    /** Never fails for a panel that cannot be reached: it is offline, with the reason. */
    async test(details: Connection): Promise<NodeProbe> {
      return presentProbe(await probeNode({ call: (call) => ask(details, call) }, { monotonic, textOf }));
    },

    /**
     * @returns SHA-256 of the certificate that is shown, in base64
     * @throws {DomainError} `node.fingerprintNeedsTls`, `node.noCertificate`, `node.unreachable`, `node.speaksHttp`
     */
    async certFingerprint({ scheme, address, port, allowPrivateAddress }: Connection): Promise<string> {
      if (scheme === 'http') throw new DomainError('node.fingerprintNeedsTls');
      let shown: Buffer | undefined;
      const seen = new Error('seen');
      try {
        const host = address.includes(':') ? `[${address}]` : address;
        await dialer.fetch(`https://${host}:${port}/`, {
          maxBytes: 0,
          timeoutMs: FINGERPRINT_MS,
          maxRedirects: 0,
          allowPrivate: allowPrivateAddress,
          signal,
          tls: {
            rejectUnauthorized: false,
            checkPeer(socket) {
              shown = socket.getPeerCertificate().raw as Buffer | undefined;
              // The connection has done its work: no request leaves, so no token can.
              return seen;
            },
          },
        });
      } catch (error) {
        if (!(error instanceof DialError)) throw error;
        if (shown === undefined) throw unreachable(error);
      }
      if (shown === undefined || shown.length === 0) throw new DomainError('node.noCertificate');
      return createHash('sha256').update(shown).digest('base64');
    },

    /** The inbounds a panel has. @throws {DomainError} as {@link NodeClient.call} */
    inbounds: (details: Connection) =>
      ask(details, {
        method: 'GET',
        path: 'inbounds/list',
        result: z.array(RemoteInbound),
        timeoutMs: LIST_MS,
      }),

    /** Where the node's own certificate stands. @throws {DomainError} `node.missing`, `node.disabled`, as {@link NodeClient.call} */
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
     * Launches the update of the panel on nodes, one after the other, each on its own account.
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
            method: 'POST',
            path: 'server/updatePanel',
            ...(isDev ? { body: { dev: true } } : {}),
            result: z.unknown(),
            timeoutMs: UPDATE_MS,
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
