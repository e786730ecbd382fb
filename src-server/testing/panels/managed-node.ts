import type { Envelope } from '../../contract/envelope.ts';
import { API_TOKEN } from '../credentials.ts';
import { openPanel, type TestPanel } from './open-panel.ts';
import { openWatchedLine } from './watched-line.ts';

/** Makes `node` a node of the first panel, over a line that can be watched, delayed and cut. */
export async function manageNode(
  central: TestPanel,
  {
    panelGuid,
    name,
    certificate,
  }: {
    panelGuid: string;
    name: string;
    /** It is reached over TLS, and shows this. */
    certificate?: { certPem: string; keyPem: string };
  },
) {
  let node = await openPanel({ panelGuid });
  const panelUrl = (): string => node.app.panel.url;
  const { close: closeLine, ...line } = await openWatchedLine({ panelUrl, panelGuid, certificate });
  const token = API_TOKEN;
  const scheme = certificate === undefined ? 'http' : 'https';
  const trust = { tlsVerifyMode: 'skip' } as const;
  const address = {
    scheme,
    address: '127.0.0.1',
    port: line.port,
    apiToken: token,
    allowPrivateAddress: true,
    ...trust,
  } as const;
  const nodeId = await central.nodes.add({ name, ...address });

  return {
    node,
    nodeId,
    ...line,
    /** Ends the node's panel and starts it again, with the database that this backup has. */
    async restore(backup: ArrayBuffer): Promise<TestPanel> {
      const body = new FormData();
      body.append('db', new Blob([backup]));
      const headers = { authorization: `Bearer ${token}` };
      const url = new URL('panel/api/server/importDB', node.app.panel.url);
      const envelope = (await (await fetch(url, { method: 'POST', headers, body })).json()) as Envelope;
      if (!envelope.success) throw new Error(envelope.msg);
      const { dataDir } = node;
      await node.app.close();
      node = await openPanel({ dataDir, startMs: node.clock() });
      return node;
    },
    /** Grants access to it. */
    token,
    /** Addresses of the node's connected clients, as its own core reports them. */
    addresses: node.parts.engine.clientIps,
    /** Sets how the certificate is verified from now on. */
    trust: (details: { tlsVerifyMode: string; pinnedCertSha256?: string }): Promise<unknown> =>
      central.post(`/nodes/update/${nodeId}`, { name, ...address, ...details }),
    /** Only these of the node's own inbounds are selected here. */
    async select(inboundTags: readonly string[]): Promise<void> {
      await central.done(`/nodes/update/${nodeId}`, {
        name,
        ...address,
        inboundSyncMode: 'selected',
        inboundTags,
      });
    },
    async close(): Promise<void> {
      closeLine();
      await node.close();
    },
  };
}
