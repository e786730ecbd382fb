import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseLink } from '../src-server/links/parse/parse-link.ts';
import { makeCertificate, type TestCertificate } from './harness/certificate.ts';
import { startCoreClient } from './harness/core-client.ts';
import { freePort } from './harness/free-port.ts';
import { INBOUND_KINDS, type Credentials, type InboundKind } from './harness/inbound-kinds.ts';
import { allowPrivateEgress } from './harness/open-egress.ts';
import { disposePanel, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { report } from './harness/report.ts';
import { startTargetServer, startTlsSite, type TargetServer } from './harness/target-server.ts';

type Outbound = Record<string, unknown>;
type Stream = Record<string, Record<string, unknown> | string>;

const BYTES = 100_000;
const KINDS = INBOUND_KINDS.filter(({ hasClients }) => hasClients);
const results: string[] = [];

describe('what the subscription server gives out works in a real client', () => {
  let panel: PanelProcess;
  let site: TargetServer;
  let tlsSite: { port: number; close(): Promise<void> };
  let certificate: TestCertificate;
  let reality: { privateKey: string; publicKey: string };

  beforeAll(async () => {
    panel = await startPanel();
    site = await startTargetServer();
    certificate = await makeCertificate(panel.dataDir);
    tlsSite = await startTlsSite(certificate);
    reality = await panel.api.get('/panel/api/server/getNewX25519Cert');
    await allowPrivateEgress(panel.api);
    await panel.api.post('/panel/api/setting/update', { subJsonEnable: true, subDomain: '' });
  });
  afterAll(async () => {
    report(`subscription matrix (raw, JSON, raw by host, JSON by host):\n${results.toSorted().join('\n')}`);
    await Promise.all([disposePanel(panel), site.close(), tlsSite.close()]);
  });

  test.concurrent.each(KINDS)('$name', async (kind) => {
    const { id, client } = await serve(kind);
    const works: boolean[] = [];
    for (const isByHost of [false, true]) {
      if (isByHost)
        await panel.api.post('/panel/api/hosts/add', { inboundId: id, remark: 'by host', address: '127.0.0.1' });
      works.push(await fetches(await rawOutbound(client.subId)), await fetches(await jsonOutbound(client.subId)));
    }
    results.push(`${works.map((isFine) => (isFine ? 'ok' : '--')).join(' ')}  ${kind.name}`);
    expect(works).toEqual([true, true, true, true]);
  });

  async function serve(kind: InboundKind): Promise<{ id: number; client: Credentials & { subId: string } }> {
    const context = { port: await freePort(), certificate, realityTargetPort: tlsSite.port, reality };
    const { id } = await panel.api.post<{ id: number }>('/panel/api/inbounds/add', {
      enable: true,
      remark: kind.name,
      listen: '127.0.0.1',
      port: context.port,
      protocol: kind.protocol,
      settings: kind.settings,
      streamSettings: withClientSide(kind.stream(context) as Stream | null),
      sniffing: { enabled: false },
    });
    const email = `m-${kind.name.replaceAll(/[^a-z0-9]+/g, '-')}`;
    await panel.api.post('/panel/api/clients/add', {
      client: { email, enable: true, ...(kind.flow === undefined ? {} : { flow: kind.flow }) },
      inboundIds: [id],
    });
    const got = await panel.api.get<{ client: Credentials & { subId: string } }>(`/panel/api/clients/get/${email}`);
    return { id, client: got.client };
  }

  /** What an operator stores beside the server's side: the name, the fingerprint and what proves the server to clients. */
  function withClientSide(stream: Stream | null): Stream | null {
    const tls = stream?.['tlsSettings'];
    const real = stream?.['realitySettings'];
    const settings = { fingerprint: 'chrome' };
    if (typeof tls === 'object')
      return {
        ...stream,
        tlsSettings: {
          ...tls,
          serverName: 'test.local',
          settings: { ...settings, pinnedPeerCertSha256: [certificate.pin] },
        },
      };
    if (typeof real === 'object')
      return { ...stream, realitySettings: { ...real, settings: { ...settings, publicKey: reality.publicKey } } };
    return stream;
  }

  async function body(path: string, subId: string): Promise<string> {
    const response = await fetch(new URL(`${path}/${subId}`, panel.ready.sub));
    expect([path, response.status]).toEqual([path, 200]);
    return response.text();
  }

  async function rawOutbound(subId: string): Promise<Outbound> {
    const [link = ''] = Buffer.from(await body('sub', subId), 'base64')
      .toString('utf8')
      .split('\n');
    const parsed = parseLink(link);
    if (!('outbound' in parsed)) throw new Error(`${parsed.error}: ${link}`);
    return { ...parsed.outbound };
  }

  async function jsonOutbound(subId: string): Promise<Outbound> {
    const [config] = JSON.parse(await body('json', subId)) as { outbounds: Outbound[] }[];
    return config?.outbounds[0] ?? {};
  }

  async function fetches(outbound: Outbound): Promise<boolean> {
    const core = await startCoreClient(outbound);
    try {
      return (await core.fetchBytes(`${site.url}/bytes/${BYTES}`)) === BYTES;
    } finally {
      await core.close();
    }
  }
});
