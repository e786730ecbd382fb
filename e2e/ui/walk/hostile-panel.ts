import { randomUUID } from 'node:crypto';
import type { PanelProcess } from '../../harness/panel-process.ts';
import { addVlessInbound } from '../../harness/vless-inbound.ts';

/** Breaks out of an attribute, runs a script, fetches from elsewhere, and turns the direction of what follows. */
export const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)>\u202Egnp.exe`;
/** The same as far as an e-mail may hold it. */
export const HOSTILE_EMAIL = `"'<img-src=x-onerror=alert(1)&lt;`;
const LONG_WORD = 'w'.repeat(500);

interface Template {
  outbounds: object[];
  routing: { rules: object[]; balancers?: object[] };
  dns?: { servers?: unknown[] };
  [key: string]: unknown;
}

/** What addresses of pages need to name something hostile. */
export interface Hostile {
  inboundId: number;
  nodeId: number;
  /** Place of an outbound in the template. */
  outbound: number;
}

/** Fills every free text of a panel with hostile or endless words, beside what it holds. */
export async function fillHostile({ api }: PanelProcess): Promise<Hostile> {
  const inbound = async (remark: string, network: string) =>
    addVlessInbound(api, { remark, streamSettings: { network, security: 'none' } });
  const { id } = await inbound(HOSTILE, 'tcp');
  await inbound(LONG_WORD.slice(0, 256), 'ws');
  const day = 86_400_000;
  const people = [
    { email: HOSTILE_EMAIL, comment: HOSTILE, group: HOSTILE.slice(0, 64), totalGB: 5e9, expiryTime: Date.now() + day },
    { email: 'e'.repeat(200), comment: LONG_WORD, group: LONG_WORD.slice(0, 64), limitIp: 2 },
    { email: 'plain', expiryTime: Date.now() - day, totalGB: 1e9 },
  ];
  for (const client of people) await api.post('/panel/api/clients/add', { client, inboundIds: [id] });
  await api.post('/panel/api/clients/updateTraffic/plain', { upload: 3e9, download: 1e9 });
  await api.post('/panel/api/clients/groups/create', { name: `${HOSTILE.slice(0, 40)} alone` });
  await api.post(`/panel/api/clients/${encodeURIComponent('plain')}/externalLinks`, {
    externalLinks: [
      { kind: 'link', value: `trojan://secret@198.51.100.1:443#${encodeURIComponent(HOSTILE)}`, remark: HOSTILE },
    ],
  });
  for (const remark of [HOSTILE, LONG_WORD.slice(0, 256)])
    await api.post('/panel/api/hosts/add', {
      inboundId: id,
      address: 'cdn.example.net',
      port: 8443,
      remark,
      serverDescription: HOSTILE.slice(0, 64),
      path: `/${HOSTILE}`,
      hostHeader: HOSTILE,
    });
  const addNode = (name: string) =>
    api.post<{ id: number }>('/panel/api/nodes/add', {
      name,
      remark: HOSTILE,
      address: 'node.example.net',
      port: 2053,
      basePath: `/${HOSTILE}/`,
      apiToken: HOSTILE,
      // No request is sent: what a network answers is no part of this.
      enable: false,
    });
  const { id: nodeId } = await addNode(HOSTILE);
  await addNode(LONG_WORD.slice(0, 256));
  await api.post('/panel/api/setting/update', { subTitle: HOSTILE, subAnnounce: `${HOSTILE}\n${LONG_WORD}` });
  await api.post('/panel/api/setting/apiTokens/create', { name: HOSTILE.slice(0, 60) });
  const names = [`${'l'.repeat(60)}.${'o'.repeat(60)}.${'n'.repeat(60)}.example.com`];
  await api.post('/panel/api/certificates/save', { name: HOSTILE.slice(0, 64), source: 'selfSigned', names });
  await api.post('/panel/api/core/outbound-subs', {
    remark: HOSTILE,
    url: 'http://127.0.0.1:9/list',
    tagPrefix: HOSTILE.slice(0, 64),
    allowPrivate: true,
  });
  return { inboundId: id, nodeId, outbound: await fillTemplate(api) };
}

async function fillTemplate(api: PanelProcess['api']): Promise<number> {
  const { xraySetting } = await api.post<{ xraySetting: string }>('/panel/api/core/', {});
  const template = JSON.parse(xraySetting) as Template;
  const outbound = template.outbounds.length;
  const vless = { address: '192.0.2.1', port: 443, id: randomUUID(), encryption: 'none' };
  template.outbounds.push(
    { tag: HOSTILE, protocol: 'socks', settings: { servers: [{ address: '127.0.0.1', port: 9 }] } },
    {
      tag: LONG_WORD,
      protocol: 'vless',
      settings: vless,
      streamSettings: { network: 'raw', security: 'tls', tlsSettings: { serverName: 'example.org' } },
    },
  );
  const balancer = { tag: `balance ${HOSTILE}`, selector: [HOSTILE], strategy: { type: 'random' } };
  template.routing.balancers = [...(template.routing.balancers ?? []), balancer];
  template.routing.rules.push(
    { type: 'field', ruleTag: HOSTILE, outboundTag: HOSTILE, domain: ['domain:example.org', `full:${HOSTILE}`] },
    { type: 'field', ruleTag: LONG_WORD, balancerTag: `balance ${HOSTILE}`, user: [HOSTILE_EMAIL] },
  );
  const server = { address: 'localhost', domains: [`full:${HOSTILE}`], tag: HOSTILE };
  template.dns = { ...template.dns, servers: [...(template.dns?.servers ?? ['localhost']), server] };
  await api.post('/panel/api/core/update', { xraySetting: JSON.stringify(template), outboundTestUrl: '' });
  return outbound;
}

/** A wrong sign-in leaves a warning that names who tried. */
export async function refusedSignIn(panelUrl: string, username: string): Promise<void> {
  const first = await fetch(`${panelUrl}csrf-token`);
  const { obj } = (await first.json()) as { obj: string };
  const cookie = first.headers.getSetCookie().map((line) => line.split(';')[0]);
  await fetch(`${panelUrl}login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': obj, cookie: cookie.join('; ') },
    body: JSON.stringify({ username, password: 'wrong' }),
  });
}
