import { createPrivateKey, generateKeyPairSync, randomUUID, X509Certificate, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createTcp, type AddressInfo, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSelfSigned } from '../../testing/peers/self-signed.ts';
import { runCommand } from '../binary/run-command.ts';
import type { JsonObject } from '../config/source.ts';
import { createConfigCheck } from '../process/config-check.ts';
import { createOutboundTester, type TestOutbounds } from './outbound-tester.ts';
import { reservePorts, startProbeCore, type ProbeCore } from './probe-core.ts';

const binary = process.env['CORE_BINARY'] ?? '';
const ID = randomUUID();
const SLOW_MS = 300;
const URL_204 = new URL('http://198.51.100.7/generate_204');

let folder: string;
let target: Server;
let slowDoor: TcpServer;
let server: ProbeCore;
let outbounds: Record<string, JsonObject>;
let test: TestOutbounds;
let requests = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probe-'));
  target = createServer((_request, response) => {
    requests += 1;
    response.writeHead(204).end();
  });
  const redirect = `127.0.0.1:${await listening(target)}`;
  const { ports, release } = await reservePorts(7);
  const [vless, vmess, trojan, shadowsocks, hysteria, wireguard, dead] = ports as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  slowDoor = createTcp((inner) => {
    inner.pause();
    const outer = connect(vless, '127.0.0.1');
    setTimeout(() => void inner.pipe(outer).pipe(inner), SLOW_MS);
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
  });
  const slow = await listening(slowDoor);
  const { certPem, keyPem } = makeSelfSigned();
  const [certificateFile, keyFile] = [join(folder, 'c.pem'), join(folder, 'k.pem')];
  await Promise.all([writeFile(certificateFile, certPem), writeFile(keyFile, keyPem)]);
  const pin = new X509Certificate(certPem).fingerprint256.replaceAll(':', '').toLowerCase();
  const serverTls = { security: 'tls', tlsSettings: { certificates: [{ certificateFile, keyFile }], alpn: ['h3'] } };
  const clientTls = {
    security: 'tls',
    tlsSettings: { serverName: 'localhost', pinnedPeerCertSha256: pin, alpn: ['h3'] },
  };
  const [here, there] = [wireguardKeys(), wireguardKeys()];
  const inbound = (port: number, protocol: string, settings: JsonObject, streamSettings: JsonObject = {}) => ({
    listen: '127.0.0.1',
    port,
    protocol,
    settings,
    streamSettings,
  });
  const place = (port: number) => ({ address: '127.0.0.1', port });
  const method = 'aes-256-gcm';
  await release();
  const started = await startProbeCore(
    {
      log: { loglevel: 'warning' },
      inbounds: [
        inbound(vless, 'vless', { clients: [{ id: ID, email: 'a' }], decryption: 'none' }),
        inbound(vmess, 'vmess', { clients: [{ id: ID, email: 'a' }] }),
        inbound(trojan, 'trojan', { clients: [{ password: 'p', email: 'a' }] }),
        inbound(shadowsocks, 'shadowsocks', { method, password: 'p', network: 'tcp' }),
        inbound(
          hysteria,
          'hysteria',
          { version: 2, clients: [{ auth: 'p', email: 'a' }] },
          { network: 'hysteria', hysteriaSettings: { version: 2 }, ...serverTls },
        ),
        inbound(wireguard, 'wireguard', {
          secretKey: here.secret,
          noKernelTun: true,
          peers: [{ publicKey: there.open, allowedIPs: ['10.0.0.2/32'] }],
        }),
      ],
      outbounds: [
        { protocol: 'freedom', settings: { redirect, finalRules: [{ action: 'allow' }] } },
        { tag: 'plain', protocol: 'freedom', settings: { finalRules: [{ action: 'allow' }] } },
      ],
      // The inner connection of a chain.
      routing: { rules: [{ type: 'field', port: String(vless), outboundTag: 'plain' }] },
    },
    [vless, vmess, trojan, shadowsocks],
    { binary, env: process.env, folder },
  );
  if ('failed' in started) throw new Error(started.failed);
  server = started;
  const vlessAt = (port: number): JsonObject => ({
    protocol: 'vless',
    settings: { ...place(port), id: ID, encryption: 'none' },
  });
  outbounds = {
    vless: vlessAt(vless),
    vmess: { protocol: 'vmess', settings: { vnext: [{ ...place(vmess), users: [{ id: ID }] }] } },
    trojan: { protocol: 'trojan', settings: { servers: [{ ...place(trojan), password: 'p' }] } },
    shadowsocks: { protocol: 'shadowsocks', settings: { servers: [{ ...place(shadowsocks), method, password: 'p' }] } },
    hysteria: {
      protocol: 'hysteria',
      settings: { version: 2, ...place(hysteria) },
      streamSettings: { network: 'hysteria', hysteriaSettings: { version: 2, auth: 'p' }, ...clientTls },
    },
    wireguard: {
      protocol: 'wireguard',
      settings: {
        secretKey: there.secret,
        address: ['10.0.0.2/32'],
        peers: [{ publicKey: here.open, endpoint: `127.0.0.1:${wireguard}` }],
      },
    },
    chained: { ...vlessAt(vless), streamSettings: { sockopt: { dialerProxy: 'way' } } },
    slow: vlessAt(slow),
    dead: vlessAt(dead),
    poisoned: { protocol: 'vless', settings: { ...place(vless), id: ID, encryption: 'nonsense' } },
  };
  const run = (args: readonly string[], timeoutMs = 15_000) =>
    runCommand(binary, args, { env: process.env, timeoutMs, cwd: folder });
  test = createOutboundTester({
    check: createConfigCheck(run, folder),
    folder,
    program: async () => ({ binary, env: process.env }),
  });
});
afterAll(async () => {
  await server.stop();
  target.closeAllConnections();
  await Promise.all([target, slowDoor].map((open) => new Promise((done) => open.close(done))));
  await rm(folder, { recursive: true });
});

const named = () => Object.entries(outbounds).map(([tag, outbound]): JsonObject => ({ tag, ...outbound }));
const known = (): JsonObject[] => [
  { tag: 'way', ...outbounds['vmess'] },
  { tag: 'unused', protocol: 'nonsense' },
];

it('tests a batch of 50 with one core: the good, the chained, the slow, the dead, and the poisoned named', async () => {
  const others = Array.from({ length: 40 }, (_, index): JsonObject => ({
    tag: `more-${index}`,
    ...outbounds['vless'],
  }));
  const batch = [...named(), ...others];
  const seen: number[] = [];
  const results = await test({
    outbounds: batch,
    known: known(),
    mode: 'http',
    url: URL_204,
    onProgress: (done) => void seen.push(done),
  });
  expect(results.map(({ tag }) => tag)).toEqual(batch.map(({ tag }) => tag));
  const bad = results.filter(({ success }) => !success);
  expect(
    bad.map(({ tag }) => tag),
    JSON.stringify(bad),
  ).toEqual(['dead', 'poisoned']);
  expect(bad[0]?.error).toMatch(/connection refused/);
  expect(bad[1]?.error).toMatch(/encryption/);
  for (const { success, httpStatus, delay, ttfbMs, mode } of results)
    if (success) expect([httpStatus, mode, delay > 0, (ttfbMs ?? 0) > 0]).toEqual([204, 'http', true, true]);
  expect(results.find(({ tag }) => tag === 'slow')?.ttfbMs).toBeGreaterThanOrEqual(SLOW_MS - 5);
  expect(seen.at(-1)).toBe(50);
  // Nothing of the temporary core stays behind; the one file is of the core that is asked.
  expect((await readdir(folder)).filter((name) => /^(probe|test)-/.test(name))).toHaveLength(1);
}, 60_000);

it('dials in tcp mode, and asks through what speaks UDP', async () => {
  const results = await test({ outbounds: named(), known: known(), mode: 'tcp', url: URL_204 });
  const byTag = Object.fromEntries(results.map((result) => [result.tag, result]));
  expect(byTag['vmess']).toMatchObject({ success: true, mode: 'tcp', endpoints: [{ success: true }] });
  expect(byTag['dead']).toMatchObject({ success: false, mode: 'tcp', error: 'ECONNREFUSED' });
  expect(byTag['hysteria']).toMatchObject({ success: true, mode: 'http', httpStatus: 204 });
  expect(byTag['wireguard']).toMatchObject({ success: true, mode: 'http', httpStatus: 204 });
}, 30_000);

it('sends one request alone in real mode', async () => {
  const before = requests;
  const [result] = await test({ outbounds: named().slice(0, 1), known: [], mode: 'real', url: URL_204 });
  expect(result).toMatchObject({ tag: 'vless', success: true, mode: 'real' });
  expect(result?.delay).toBe(result?.ttfbMs);
  expect(requests - before).toBe(1);
});

it('keeps the order and says per outbound why it is not tested; one batch at a time', async () => {
  const batch = [
    { protocol: 'vless' },
    { tag: 'b', protocol: 'blackhole' },
    { tag: 'l', protocol: 'loopback' },
    { tag: 'f', protocol: 'freedom' },
    { tag: 'blocked', protocol: 'vless' },
    'text',
    { tag: 'vless', ...outbounds['vless'] },
    { tag: 'vless', ...outbounds['vless'] },
  ];
  const running = test({ outbounds: batch, known: [], mode: 'http', url: URL_204 });
  const [second] = await test({ outbounds: named().slice(0, 1), known: [], mode: 'http', url: URL_204 });
  expect(second?.error).toBe('Another outbound test is already running, please wait');
  expect((await running).map(({ error = '' }) => error)).toEqual([
    'Outbound has no tag',
    'Blocked/blackhole outbound cannot be tested',
    'Loopback outbound cannot be tested',
    'Direct/DNS outbound cannot be tested',
    'Blocked/blackhole outbound cannot be tested',
    'Invalid outbound JSON',
    '',
    'Duplicate outbound tag in batch: vless',
  ]);
});

it('names a missing core once for all', async () => {
  let asked = 0;
  const without = createOutboundTester({
    check: async () => '',
    folder,
    program: async () => {
      asked += 1;
      throw new Error('no core installed');
    },
  });
  const results = await without({ outbounds: named(), known: [], mode: 'http', url: URL_204 });
  expect(new Set(results.map(({ error }) => error))).toEqual(new Set(['no core installed']));
  expect(asked).toBe(1);
});

it('13.12: order, duplicates, the lock, a poisoned batch tried one by one, no core asked for again, what speaks UDP', async () => {
  const run = (args: readonly string[], timeoutMs = 15_000) =>
    runCommand(binary, args, { env: process.env, timeoutMs, cwd: folder });
  const check = createConfigCheck(run, folder);
  // A test of the config that lets everything pass: the poison shows only when the core starts.
  const blind = createOutboundTester({
    check: async () => '',
    folder,
    program: async () => ({ binary, env: process.env }),
  });
  const poisoned = { tag: 'poisoned', ...outbounds['poisoned'] };
  const batch: JsonObject[] = [
    { tag: 'hysteria', ...outbounds['hysteria'] },
    poisoned,
    { tag: 'vless', ...outbounds['vless'] },
    poisoned,
  ];
  expect(await check({ outbounds: [poisoned] })).not.toBe('');
  const first = blind({ outbounds: batch, known: [], mode: 'http', url: URL_204 });
  const [locked] = await blind({ outbounds: batch.slice(2, 3), known: [], mode: 'http', url: URL_204 });
  expect(locked?.error).toBe('Another outbound test is already running, please wait');
  const results = await first;
  expect(results.map(({ tag, success }) => [tag, success])).toEqual([
    ['hysteria', true],
    ['poisoned', false],
    ['vless', true],
    ['poisoned', false],
  ]);
  expect(results[1]?.error).toMatch(/encryption/);
  expect(results[3]?.error).toBe('Duplicate outbound tag in batch: poisoned');
  const [dialled] = await blind({ outbounds: batch.slice(0, 1), known: [], mode: 'tcp', url: URL_204 });
  expect(dialled).toMatchObject({ success: true, mode: 'http' });
}, 30_000);

async function listening(open: Server | TcpServer): Promise<number> {
  open.listen(0, '127.0.0.1');
  await once(open, 'listening');
  return (open.address() as AddressInfo).port;
}

function wireguardKeys(): { secret: string; open: string } {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const raw = (key: KeyObject, type: 'pkcs8' | 'spki') =>
    (key.export({ type, format: 'der' } as { type: 'spki'; format: 'der' }) as Buffer).subarray(-32).toString('base64');
  return {
    secret: raw(createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })), 'pkcs8'),
    open: raw(publicKey, 'spki'),
  };
}
