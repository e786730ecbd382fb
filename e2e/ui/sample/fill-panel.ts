import type { Api } from '../../harness/api.ts';
import { freePort } from '../../../src-server/testing/free-port.ts';
import { fillTemplate } from './core-template.ts';
import { samplePeople } from './people.ts';

const GIB = 1024 ** 3;
const INBOUNDS = '/panel/api/inbounds';

/** Contents of the sample panel, for the steps that follow. */
export interface Sample {
  /** Inbound without TLS that real clients of the sample connect to. */
  plain: { id: number; port: number };
}

/** One that works, and one whose authority cannot be reached. */
async function fillCertificates(api: Api): Promise<void> {
  const save = (body: object) => api.post<{ id: number }>('/panel/api/certificates/save', body);
  await save({ name: 'Offices', source: 'selfSigned', names: ['panel.example.net', '192.0.2.10'] });
  const { id } = await save({
    name: 'Web',
    names: ['www.example.net', 'sub.example.net'],
    directory: 'custom',
    directoryUrl: 'https://127.0.0.1:9/directory',
    termsAgreed: true,
  });
  await api.post(`/panel/api/certificates/obtain/${id}`);
}

/** Inbounds of several kinds, hosts, groups and clients in every state, a grown template, tokens. */
export async function fillPanel(api: Api): Promise<Sample> {
  const now = Date.now();
  const add = async (remark: string, protocol: string, settings: object, streamSettings: object, more: object = {}) => {
    const port = await freePort();
    const body = { remark, port, listen: '127.0.0.1', protocol, settings, streamSettings, ...more };
    const { id } = await api.post<{ id: number }>(`${INBOUNDS}/add`, body);
    return { id, port };
  };
  const { privateKey, publicKey } = await api.get<{ privateKey: string; publicKey: string }>(
    '/panel/api/server/getNewX25519Cert',
  );
  const main = await add(
    'Frankfurt',
    'vless',
    { decryption: 'none' },
    {
      network: 'tcp',
      security: 'reality',
      realitySettings: {
        target: 'www.example.com:443',
        serverNames: ['www.example.com'],
        privateKey,
        shortIds: ['6ba85179e30d4fc2'],
        settings: { publicKey, fingerprint: 'chrome' },
      },
    },
  );
  const plain = await add(
    'Behind the CDN',
    'vless',
    { decryption: 'none' },
    {
      network: 'ws',
      security: 'none',
      wsSettings: { path: '/feed' },
    },
  );
  const mobile = await add(
    'Mobile',
    'vmess',
    {},
    {
      network: 'httpupgrade',
      security: 'none',
      httpupgradeSettings: { path: '/app' },
    },
    { total: 500 * GIB },
  );
  await add(
    'Old offices',
    'shadowsocks',
    { method: 'aes-256-gcm', network: 'tcp,udp' },
    { network: 'tcp' },
    { enable: false },
  );

  const ids = [main.id, plain.id, mobile.id];
  const people = samplePeople(now);
  const bodies = people.map(({ client }, index) => ({ client, inboundIds: ids.slice(0, 1 + ((index + 1) % 3)) }));
  await api.post('/panel/api/clients/bulkCreate', bodies);
  const planned = people.slice(0, 3).map(({ client }) => client.email);
  const terms = { quotaBytes: 60 * GIB, days: 30, limitIp: 2, inboundIds: [main.id, plain.id] };
  const { id: plan } = await api.post<{ id: number }>('/panel/api/plans/add', { name: 'Family', ...terms });
  await api.post('/panel/api/plans/add', { name: 'Trial', quotaBytes: GIB, days: 3, startsAtFirstUse: true });
  await api.post(`/panel/api/plans/apply/${plan}`, { emails: planned, parts: [] });

  const host = (inboundId: number, remark: string, address: string, port: number, more: object = {}) =>
    api.post('/panel/api/hosts/add', { inboundId, remark, address, port, ...more });
  await host(main.id, 'Direct', 'fra.example.net', 443);
  await host(main.id, 'By Helsinki', 'hel.example.net', 8443, { tags: ['RELAY'] });
  await host(plain.id, 'CDN', 'cdn.example.net', 443, { tags: ['CDN'] });
  await host(plain.id, 'CDN, second name', 'static.example.com', 2096, { enable: false, tags: ['CDN', 'SPARE'] });
  // One that does not answer: nothing listens on its port.
  const node = { address: '127.0.0.1', scheme: 'http', apiToken: 'invented', allowPrivateAddress: true };
  await api.post('/panel/api/nodes/add', { ...node, name: 'Helsinki', port: 9 });
  await api.post('/panel/api/setting/apiTokens/create', { name: 'billing' });
  await api.post('/panel/api/setting/apiTokens/create', { name: 'monitoring' });
  await fillCertificates(api);
  await fillTemplate(api);
  return { plain };
}
