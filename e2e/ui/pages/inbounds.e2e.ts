import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../../src-server/testing/for-each-test.ts';
import { makeCertificate, type TestCertificate } from '../../harness/certificate.ts';
import { freePort } from '../../../src-server/testing/free-port.ts';
import type { PanelProcess } from '../../harness/panel-process.ts';
import { expectAccessibleInBothThemes } from '../both-themes.ts';
import { expectAccessible } from '../browser.ts';
import { startJourney } from '../journey.ts';
import { addVlessInbound } from '../../harness/vless-inbound.ts';

type Json = Record<string, unknown>;
interface Inbound {
  id: number;
  remark: string;
  port: number;
  protocol: string;
  enable: boolean;
  settings: Json;
  streamSettings: Json | null;
}

let panel: PanelProcess;
let page: Page;
let certificate: TestCertificate;

const journey = forAllTests(startJourney);
beforeAll(async () => {
  ({ panel, page } = journey);
  certificate = await makeCertificate(panel.dataDir);
});

const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
async function choose(label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
async function enter(label: string, text: string): Promise<void> {
  const list = page.getByRole('combobox', { name: label, exact: true });
  await list.fill(text);
  await list.press('Enter');
}
const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
const secure = (name: string) => page.locator('#security').getByText(name, { exact: true }).click();
async function withCertificate(): Promise<void> {
  await press('Add: Certificates');
  await field('Certificate file').fill(certificate.certFile);
  await field('Key file').fill(certificate.keyFile);
  await field('Server name (SNI)').fill('test.local');
}

interface Case {
  protocol: string;
  name: string;
  /** Steps in the editor after choosing the protocol. */
  fill: () => Promise<void>;
  /** The same by API; generated secrets are taken from the editor. */
  settings: (made: Inbound) => Json;
  stream: (made: Inbound) => Json | null;
  hasLinks: boolean;
}

const stream = (made: Inbound, ...keys: string[]): Json =>
  Object.fromEntries(keys.map((key) => [key, made.streamSettings?.[key]]));
const tls = () => ({
  security: 'tls',
  tlsSettings: {
    serverName: 'test.local',
    alpn: ['h2', 'http/1.1'],
    certificates: [{ certificateFile: certificate.certFile, keyFile: certificate.keyFile }],
    settings: { fingerprint: 'chrome' },
  },
});
const hysteria = (protocol: string): Case => ({
  protocol,
  name: protocol,
  fill: async () => {
    await withCertificate();
    await press('Add obfuscation');
  },
  settings: () => ({ version: 2 }),
  stream: (made) => ({
    network: 'hysteria',
    hysteriaSettings: { version: 2 },
    ...tls(),
    tlsSettings: { ...tls().tlsSettings, alpn: ['h3'], settings: undefined },
    ...stream(made, 'finalmask'),
  }),
  hasLinks: true,
});

const CASES: Case[] = [
  {
    protocol: 'vless',
    name: 'vless ws',
    fill: async () => {
      await choose('Transport', 'WebSocket');
      await field('Path').fill('/door');
      await field('Host').fill('cdn.example');
    },
    settings: () => ({ decryption: 'none', encryption: 'none' }),
    stream: () => ({ network: 'ws', security: 'none', wsSettings: { path: '/door', host: 'cdn.example' } }),
    hasLinks: true,
  },
  {
    protocol: 'vless',
    name: 'vless reality',
    fill: async () => {
      await secure('REALITY');
      await field('Answers as this site (target)').fill('127.0.0.1:443');
      await enter('Server names', 'test.local');
      await press('Make a pair');
      await page.getByText('Private key').first().waitFor();
      await expect.poll(() => field('Public key').inputValue()).toMatch(/^[\w-]{43}$/);
    },
    settings: () => ({ decryption: 'none', encryption: 'none' }),
    stream: (made) => {
      const stored = made.streamSettings?.['realitySettings'] as Json;
      return {
        network: 'tcp',
        security: 'reality',
        realitySettings: {
          target: '127.0.0.1:443',
          serverNames: ['test.local'],
          privateKey: stored['privateKey'],
          shortIds: stored['shortIds'],
          settings: { publicKey: (stored['settings'] as Json)['publicKey'], fingerprint: 'chrome', spiderX: '/' },
        },
      };
    },
    hasLinks: true,
  },
  {
    protocol: 'vmess',
    name: 'vmess grpc',
    fill: async () => {
      await choose('Transport', 'gRPC');
      await field('Service name').fill('svc');
    },
    settings: () => ({}),
    stream: () => ({ network: 'grpc', security: 'none', grpcSettings: { serviceName: 'svc' } }),
    hasLinks: true,
  },
  {
    protocol: 'trojan',
    name: 'trojan xhttp tls',
    fill: async () => {
      await choose('Transport', 'XHTTP');
      await field('Path').fill('/x');
      await secure('TLS');
      await withCertificate();
    },
    settings: () => ({}),
    stream: () => ({ network: 'xhttp', xhttpSettings: { path: '/x' }, ...tls() }),
    hasLinks: true,
  },
  {
    protocol: 'shadowsocks',
    name: 'shadowsocks 2022',
    fill: async () => {
      await choose('Method', '2022-blake3-aes-128-gcm');
      await press('Make a key');
    },
    settings: (made) => ({
      method: '2022-blake3-aes-128-gcm',
      network: 'tcp,udp',
      password: made.settings['password'],
    }),
    stream: () => ({ network: 'tcp', security: 'none' }),
    hasLinks: true,
  },
  hysteria('hysteria'),
  hysteria('hysteria2'),
  {
    protocol: 'wireguard',
    name: 'wireguard',
    fill: async () => {
      await press('Make a key');
      await press('Add: Peers');
      await press('Make a pair');
      await expect.poll(() => field('Public key').inputValue()).toMatch(/^[\w+/]{43}=$/);
      await enter('Allowed addresses (allowedIPs)', '10.0.0.2/32');
    },
    settings: (made) => ({
      mtu: 1420,
      secretKey: made.settings['secretKey'],
      peers: [{ ...(made.settings['peers'] as Json[])[0], allowedIPs: ['10.0.0.2/32'] }],
    }),
    stream: () => ({}),
    hasLinks: false,
  },
  {
    protocol: 'http',
    name: 'http',
    fill: async () => {
      await press('Add: Accounts');
      await field('User name').fill('u');
      await field('Password').fill('p');
    },
    settings: () => ({ accounts: [{ user: 'u', pass: 'p' }], allowTransparent: false }),
    stream: () => null,
    hasLinks: false,
  },
  {
    protocol: 'mixed',
    name: 'mixed',
    fill: async () => {
      await press('Add: Accounts');
      await field('User name').fill('u');
      await field('Password').fill('p');
    },
    settings: () => ({ auth: 'password', accounts: [{ user: 'u', pass: 'p' }], udp: false }),
    stream: () => null,
    hasLinks: false,
  },
  {
    protocol: 'tunnel',
    name: 'tunnel',
    fill: async () => {
      await field('Goes to address (rewriteAddress)').fill('example.com');
      await field('Goes to port (rewritePort)').fill('443');
    },
    settings: () => ({ allowedNetwork: 'tcp,udp', rewriteAddress: 'example.com', rewritePort: 443 }),
    stream: () => ({}),
    hasLinks: false,
  },
];

describe('an inbound made in the editor', () => {
  it.each(CASES)('$name equals the same inbound made by API', async (wanted) => {
    await page.goto(`${panel.url}panel/inbounds/new`);
    await field('Name').fill(wanted.name);
    if (wanted.protocol !== 'vless') await choose('Protocol', wanted.protocol);
    await field('Port').fill(String(await freePort()));
    await field('Listen on').fill('127.0.0.1');
    await wanted.fill();
    await press('Save');
    await page.getByText(`Inbound ${wanted.name} is saved.`).waitFor();

    const rows = await panel.api.get<Inbound[]>('/panel/api/inbounds/list');
    const made = rows.find(({ remark }) => remark === wanted.name)!;
    expect(made).toMatchObject({ protocol: wanted.protocol, enable: true });
    const twin = await panel.api.post<Inbound>('/panel/api/inbounds/add', {
      remark: wanted.name,
      listen: '127.0.0.1',
      port: await freePort(),
      protocol: wanted.protocol,
      settings: wanted.settings(made),
      streamSettings: wanted.stream(made),
      sniffing: { enabled: false },
    });
    if (!wanted.hasLinks) {
      expect(made.settings).toEqual(twin.settings);
      expect(made.streamSettings).toEqual(twin.streamSettings);
      return;
    }
    const email = `${wanted.name.replaceAll(' ', '-')}@example.org`;
    await panel.api.post('/panel/api/clients/add', { client: { email }, inboundIds: [made.id, twin.id] });
    const [one, other] = (await panel.api.get<string[]>(`/panel/api/clients/links/${encodeURIComponent(email)}`)).map(
      readable,
    );
    expect(one).toContain(String(made.port));
    expect(one?.replaceAll(String(made.port), 'PORT')).toBe(other?.replaceAll(String(twin.port), 'PORT'));
  });
});

/** A vmess link is JSON in base64; the others are plain URLs. */
function readable(link: string): string {
  return link.startsWith('vmess://') ? Buffer.from(link.slice(8), 'base64').toString('utf8') : link;
}

describe('the editor', () => {
  it('reports a taken port while it is typed, and what a change of protocol drops', async () => {
    const [taken] = await panel.api.get<Inbound[]>('/panel/api/inbounds/list');
    await page.goto(`${panel.url}panel/inbounds/new`);
    await field('Listen on').fill('127.0.0.1');
    await field('Port').fill(String(taken!.port));
    await page.getByText(`already used by inbound '${taken!.remark}'`).waitFor();
    await field('Encryption (clients)').fill('x.y');
    await choose('Protocol', 'trojan');
    await page.getByText('settings.encryption').waitFor();
    await press('Take the change back');
    expect(await field('Encryption (clients)').inputValue()).toBe('x.y');

    await page.getByRole('link', { name: 'Clients' }).click();
    await page.getByRole('dialog', { name: 'Discard what you typed?' }).waitFor();
    await press('Go on editing');
    expect(await field('Encryption (clients)').inputValue()).toBe('x.y');
    await page.getByRole('link', { name: 'Clients' }).click();
    await press('Discard');
    await page.getByRole('heading', { name: 'Clients' }).waitFor();
  });

  it('shows refusals at their fields and keeps members without a field', async () => {
    const made = await addVlessInbound<Inbound>(panel.api, {
      remark: 'Known',
      settings: { decryption: 'none', clients: [{ email: 'kept@example.org' }] },
      streamSettings: { network: 'ws', security: 'none', wsSettings: { path: '/a', unheard: { of: 1 } } },
    });
    await page.goto(`${panel.url}panel/inbounds/${made.id}`);
    await secure('TLS');
    await press('Save');
    const reason = page.getByText('needs at least one certificate, or every client is refused.', { exact: true });
    await expect.poll(() => reason.count()).toBe(2);
    await page.getByRole('alert').getByRole('button', { name: 'Certificates' }).click();
    const focused = () => document.activeElement?.closest('[data-place]')?.getAttribute('data-place');
    await expect.poll(() => page.evaluate(focused)).toBe('streamSettings.tlsSettings.certificates');
    await expectAccessible(page);
    await withCertificate();
    await field('Server name (SNI)').fill('shop.example');
    await press('Save');
    const otherName = page.getByText(/shop\.example.* is not on the certificate/);
    await otherName.waitFor();
    await expectAccessible(page);
    await press('Save anyway');
    await page.getByText('Inbound Known is saved.').waitFor();
    await page.goto(`${panel.url}panel`);
    await page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: 'Open: Known' }).click();
    await secure('None');
    await field('Path').fill('/b');
    await press('Save');
    await page.getByText('Inbound Known is saved.').waitFor();
    const stored = await panel.api.get<Inbound>(`/panel/api/inbounds/get/${made.id}`);
    expect(stored.streamSettings).toMatchObject({ wsSettings: { path: '/b', unheard: { of: 1 } } });
    expect(stored.settings['clients']).toMatchObject([{ email: 'kept@example.org' }]);
  });

  it('is free of violations in both themes', async () => {
    await page.goto(`${panel.url}panel/inbounds/new`);
    await page.getByText('Inbound as JSON').waitFor();
    await secure('REALITY');
    await expectAccessibleInBothThemes(page);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
    // With nothing left to save: the browser would ask before it opens another page.
    await secure('None');
  });
});

describe('the list', () => {
  it('shows links with codes, copies, and deletes by name after showing the consequences', async () => {
    await page.goto(`${panel.url}panel/inbounds`);
    await page.getByRole('button', { name: 'Known', exact: true }).click();
    await page.getByRole('button', { name: /kept@example\.org/ }).click();
    await page.getByRole('img', { name: /QR/ }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: 'Actions of Known' }).click();
    await page.getByRole('menuitem', { name: 'Make a copy' }).click();
    expect(await field('Name').inputValue()).toBe('Known (copy)');
    await press('Save');
    await page.getByText('Inbound Known (copy) is saved.').waitFor();
    const copy = (await panel.api.get<Inbound[]>('/panel/api/inbounds/list')).find(
      ({ remark }) => remark === 'Known (copy)',
    );
    expect(copy).toMatchObject({ enable: false, settings: { clients: [] } });

    await page.getByLabel('Select Known', { exact: true }).check();
    await page.getByLabel('Select Known (copy)').check();
    await press('Delete 2 inbounds');
    const dialog = page.getByRole('dialog', { name: 'Delete 2 inbounds?' });
    await dialog.getByText('Known · Known (copy)').waitFor();
    await dialog.getByText(/1 client has no other inbound/).waitFor();
    await dialog.getByRole('button', { name: 'Delete 2 inbounds' }).click();
    await page.getByText('2 inbounds are deleted.').waitFor();
    expect((await panel.api.get<Inbound[]>('/panel/api/inbounds/list')).map(({ remark }) => remark)).not.toContain(
      'Known',
    );
  });

  it('deletes a hundred at once, also on a phone, however long their names are', async () => {
    const long = 'a door with quite a long name '.repeat(8);
    for (let at = 1; at <= 100; at += 1) await addVlessInbound(panel.api, { enable: false, remark: `${long}${at}` });
    const left = async () => (await panel.api.get<Inbound[]>('/panel/api/inbounds/list')).length;
    const known = (await left()) - 100;
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${panel.url}panel/inbounds`);
    await page.getByRole('heading', { name: 'Inbounds' }).waitFor();
    await page.getByRole('button', { name: `Actions of ${long}1`, exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete inbound' }).click();
    const action = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
    await action('Delete inbound').click();
    await expect.poll(left).toBe(known + 99);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByLabel('Select all').check();
    await press(`Delete ${known + 99} inbounds`);
    await page.setViewportSize({ width: 360, height: 740 });
    const dialog = page.getByRole('dialog', { name: `Delete ${known + 99} inbounds?` });
    await dialog.getByText(`${known + 96} more`).waitFor();
    await action(`Delete ${known + 99} inbounds`).click();
    await expect.poll(left).toBe(0);
  });
});
