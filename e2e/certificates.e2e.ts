import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Certificate, CertificateSave } from '../src-server/domains/certificates/contract.ts';
import type { ShownEvent } from '../src-server/domains/events/contract.ts';
import type { JobWithResult } from '../src-server/domains/jobs/contract.ts';
import type { ApiResponse } from './harness/api.ts';
import { startCoreClient, type CoreClient } from './harness/core-client.ts';
import { allowPrivateEgress } from './harness/open-egress.ts';
import { adminWith, disposePanel, newDataDir, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { providePebble, startPebble, type Pebble } from './harness/peers/pebble.ts';
import { startTargetServer, type TargetServer } from './harness/target-server.ts';
import { addVlessInbound } from './harness/vless-inbound.ts';
import { waitFor } from './harness/wait-for.ts';

const CLOCK_PRELOAD = new URL('./harness/moved-clock.ts', import.meta.url).href;
const DAY_MS = 86_400_000;
/** More than two thirds of these certificates' 90 days. */
const RENEWAL_MS = 62 * DAY_MS;

/** Blocks while a file says so, and otherwise does its job. */
const HOOK = `#!${process.execPath}
const { existsSync, writeFileSync } = require('node:fs');
const [control, verb, record, value] = process.argv.slice(2);
const body = JSON.stringify({ host: record + '.', value });
fetch(control + (verb === 'add' ? '/set-txt' : '/clear-txt'), { method: 'POST', body }).then(({ ok }) => {
  console.log(verb, 'through', control, value);
  if (existsSync('hold')) setInterval(() => existsSync('hold') || process.exit(1), 100);
  else process.exitCode = ok ? 0 : 3;
});
`;

let missing = '';
let pebble: Pebble;
let panel: PanelProcess;
let site: TargetServer;
const clients: CoreClient[] = [];
beforeAll(async () => {
  missing = await providePebble();
  if (missing !== '') return;
  const dataDir = await newDataDir();
  const hooks = join(dataDir, 'dns-hooks');
  await mkdir(hooks, { mode: 0o700 });
  await writeFile(join(hooks, 'records'), HOOK);
  await chmod(join(hooks, 'records'), 0o700);
  [pebble, site] = await Promise.all([startPebble(), startTargetServer()]);
  panel = await startPanel({
    dataDir,
    env: {
      NODE_EXTRA_CA_CERTS: pebble.authorityFile,
      NODE_OPTIONS: `--import=${CLOCK_PRELOAD}`,
      MOVED_CLOCK_FILE: join(dataDir, 'moved-clock'),
    },
  });
});
afterAll(async () => {
  if (missing !== '') return;
  for (const client of clients) await client.close();
  await disposePanel(panel);
  await pebble.close();
  await site.close();
});

const API = '/panel/api/certificates';

/** Uses the private socket, which needs no certificate. */
async function call<T>(method: 'GET' | 'POST', path: string, body: object = {}): Promise<ApiResponse<T>> {
  const headers = { 'content-type': 'application/json' };
  const sent = request({ socketPath: join(panel.dataDir, 'panel.sock'), method, path, headers, agent: false });
  sent.end(method === 'GET' ? '' : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return (await json(response)) as ApiResponse<T>;
}
async function get<T>(path: string): Promise<T> {
  return (await call<T>('GET', path)).obj;
}
async function post<T>(path: string, body?: object): Promise<T> {
  const response = await call<T>('POST', path, body);
  if (!response.success) throw new Error(`${path}: ${response.msg}`);
  return response.obj;
}

const all = async (): Promise<Certificate[]> =>
  (await get<{ certificates: Certificate[] }>(`${API}/list`)).certificates;
const named = async (name: string): Promise<Certificate> => (await all()).find((one) => one.name === name)!;

async function save(name: string, more: Partial<CertificateSave>): Promise<number> {
  const body = { name, names: [`${name}.example.com`], directory: 'custom', directoryUrl: pebble.directoryUrl };
  const always = { termsAgreed: true, allowPrivate: true, email: 'owner@example.com', challengeAddress: '127.0.0.1' };
  return (await post<{ id: number }>(`${API}/save`, { ...body, ...always, ...more })).id;
}

const start = async (id: number): Promise<string> => (await post<{ jobId: string }>(`${API}/obtain/${id}`)).jobId;
const ended = (jobId: string): Promise<JobWithResult> =>
  waitFor('the end of the job', async () => {
    const job = await get<JobWithResult>(`/panel/api/jobs/${jobId}`);
    return job.state !== 'running' && job;
  });
const obtain = async (id: number): Promise<JobWithResult> => ended(await start(id));

/** A connection that stays open, and the pin of the certificate it was presented. */
async function connected(port: number): Promise<{ socket: TLSSocket; pin: string }> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.on('error', () => {});
  return { socket, pin: socket.getPeerX509Certificate()!.fingerprint256.replaceAll(':', '').toLowerCase() };
}

async function shownPin(port: number): Promise<string> {
  const { socket, pin } = await connected(port);
  socket.destroy();
  return pin;
}

test('certificates of a real authority: obtained, served, renewed in time, reported when not', async ({ skip }) => {
  if (missing !== '') skip(missing);
  const http = await save('web', { challengePort: pebble.httpPort });
  const tls = await save('sub', { challenge: 'tls-alpn-01', challengePort: pebble.tlsPort, keyType: 'rsa2048' });
  const byDns: Partial<CertificateSave> = {
    challenge: 'dns-01',
    dnsHook: 'records',
    dnsArguments: [pebble.dnsControl],
    dnsWaitSeconds: 0,
  };
  const dns = await save('dns', { ...byDns, names: ['dns.example.com', '*.dns.example.com'] });
  const away = await save('away', { challengePort: pebble.httpPort });
  for (const id of [http, tls, dns, away]) expect(await obtain(id)).toMatchObject({ state: 'done', error: '' });
  const first = await all();
  expect(first.map(({ facts }) => facts?.names)).toEqual([
    ['web.example.com'],
    ['sub.example.com'],
    ['dns.example.com', '*.dns.example.com'],
    ['away.example.com'],
  ]);
  for (const { facts, renewsAt } of first)
    expect((renewsAt - facts!.validFrom) / (facts!.validTo - facts!.validFrom)).toSatisfy(
      (share: number) => share > 0.61 && share < 0.667,
    );
  expect(await pebble.txt('_acme-challenge.dns.example.com')).toEqual([]);
  const folder = join(panel.dataDir, 'cert');
  for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  // All share one account, and the program's output is in the log without its credentials.
  expect((await readdir(folder)).filter((name) => name.startsWith('account-'))).toHaveLength(1);
  const log = await readFile(join(panel.dataDir, 'logs', 'panel.log'), 'utf8');
  expect(log).toContain('add through [removed] [removed]');
  expect(log).not.toContain('PRIVATE KEY');

  // All of them are put to use.
  const [web, sub, inbound] = first.map(({ file }) => file) as [string, string, string, string];
  await post('/panel/api/setting/update', {
    webCertFile: web,
    webKeyFile: web,
    subCertFile: sub,
    subKeyFile: sub,
  });
  await allowPrivateEgress(panel.api);
  const serving = await addVlessInbound(panel.api, {
    streamSettings: {
      network: 'tcp',
      security: 'tls',
      // The core checks its files every second instead of every hour.
      tlsSettings: { certificates: [{ certificateFile: inbound, keyFile: inbound, ocspStapling: 1 }] },
    },
  });
  await post('/panel/api/clients/add', { client: { email: 'alice' }, inboundIds: [serving.id] });
  expect((await call('POST', `${API}/delete/${http}`)).msg).toContain('web interface');
  expect((await call('POST', `${API}/delete/${dns}`)).msg).toContain('inbounds');

  // The process is killed while the authority waits for a DNS record. Meanwhile two months pass.
  const hold = join(panel.dataDir, 'dns-hooks', 'hold');
  const record = '_acme-challenge.held.example.com';
  const held = await save('held', { ...byDns, names: ['held.example.com'] });
  const isHeld = () => waitFor('the record', async () => (await pebble.txt(record)).length > 0);
  const { client } = await get<{ client: { id: string } }>('/panel/api/clients/get/alice');
  await writeFile(hold, '');
  await start(held);
  await isHeld();
  await pebble.pointTo('moved.example.com', '127.0.0.77');
  await save('away', { id: away, names: ['moved.example.com'], challengePort: pebble.httpPort });
  await writeFile(join(panel.dataDir, 'moved-clock'), String(RENEWAL_MS));
  process.kill(panel.ready.pid, 'SIGKILL');
  await rm(hold);
  const ports = { web: Number(new URL(panel.url).port), sub: Number(new URL(panel.ready.sub).port) };
  await waitFor('the panel with its certificate', async () => (await shownPin(ports.web)) !== '');
  const left = await readdir(folder);
  expect(left.filter((name) => name.endsWith('.part'))).toEqual([]);

  // Everything is renewed automatically, except for a new name that points elsewhere.
  const renewed = await waitFor('the renewals', async () => {
    const now = (await all()).slice(0, first.length);
    const isDone = now.every(
      ({ facts, lastFailure }, at) => facts?.pin !== first[at]!.facts!.pin || lastFailure !== null,
    );
    return isDone && now.every(({ jobId }) => jobId === '') && now;
  });
  expect(renewed.map(({ lastFailure }) => lastFailure?.code)).toEqual([
    undefined,
    undefined,
    undefined,
    'certificate.notReached',
  ]);
  expect(renewed[3]).toMatchObject({ facts: first[3]!.facts, lastFailure: { isUnasked: true } });
  expect(await pebble.txt(record)).toEqual([]);
  expect(await readdir(folder)).not.toContain('dns-records.json');
  const { events } = await waitFor('the event', async () => {
    const found = await get<{ events: ShownEvent[] }>('/panel/api/events/list?kinds=certificate.failed');
    return found.events.length > 0 && found;
  });
  expect(events).toMatchObject([{ facts: { name: 'away', expiresAtMs: first[3]!.facts!.validTo } }]);

  // Renewed once more, with connections open.
  const old = { web: await connected(ports.web), sub: await connected(ports.sub) };
  expect([old.web.pin, old.sub.pin]).toEqual([renewed[0]!.facts!.pin, renewed[1]!.facts!.pin]);
  const clientWith = async (pin: string): Promise<CoreClient> => {
    const started = await startCoreClient({
      protocol: 'vless',
      settings: { address: '127.0.0.1', port: serving.port, id: client.id, encryption: 'none' },
      streamSettings: {
        network: 'tcp',
        security: 'tls',
        tlsSettings: { serverName: 'dns.example.com', pinnedPeerCertSha256: pin },
      },
    });
    clients.push(started);
    return started;
  };
  const alice = await clientWith(renewed[2]!.facts!.pin);
  const transfer = await alice.stream(`${site.url}/drip/10000`);
  for (const id of [http, tls, dns]) expect(await obtain(id)).toMatchObject({ state: 'done' });
  const last = await all();
  const pins = last.map(({ facts }) => facts?.pin ?? '');
  await waitFor('the web interface to show it', async () => (await shownPin(ports.web)) === pins[0]);
  await waitFor('the subscription server to show it', async () => (await shownPin(ports.sub)) === pins[1]);
  await waitFor('the core to show it', async () => (await shownPin(serving.port)) === pins[2]);
  for (const { socket } of [old.web, old.sub]) {
    socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
    expect(String((await once(socket, 'data')) as unknown)).toMatch(/^HTTP\/1\.1 \d/);
    socket.destroy();
  }
  const received = transfer.receivedBytes();
  await waitFor('more of the transfer', () => transfer.receivedBytes() > received);
  expect(transfer.isOpen()).toBe(true);
  transfer.abort();
  const bob = await clientWith(pins[2] ?? '');
  expect(await bob.fetchBytes(`${site.url}/bytes/1000`)).toBe(1000);

  // An order is cancelled, a certificate revoked and deleted.
  await writeFile(hold, '');
  const cancelled = await start(held);
  await isHeld();
  await post(`/panel/api/jobs/${cancelled}/cancel`);
  await rm(hold);
  expect(await ended(cancelled)).toMatchObject({ state: 'cancelled' });
  expect(await pebble.txt(record)).toEqual([]);
  expect(await named('held')).toMatchObject({ facts: null, lastFailure: null, renewsAt: 0 });
  await post(`${API}/revoke/${away}`);
  expect(await named('away')).toMatchObject({ isRevoked: true, renewsAt: 0 });
  await post(`${API}/delete/${away}`);
  expect((await readdir(folder)).filter((name) => name.endsWith('.pem'))).toHaveLength(3);

  // An idle connection does not delay the stop: the core ends with the panel.
  const silent = await connected(ports.sub);
  expect(await panel.stop()).toBe(0);
  silent.socket.destroy();

  // While no panel runs, the command answers the authority itself.
  const line = await adminWith(
    { NODE_EXTRA_CA_CERTS: pebble.authorityFile },
    panel.dataDir,
    'certificate',
    'renew',
    'web',
  );
  expect(JSON.parse(line)).toMatchObject({ name: 'web', pin: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
  expect(line).not.toContain(pins[0]);
});
