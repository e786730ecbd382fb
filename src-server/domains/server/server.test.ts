import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DomainError } from '../../contract/domain-error.ts';
import { createEventBus, type PanelEvent } from '../../contract/events.ts';
import { createKeyGenerators } from '../../core/keys/key-generators.ts';
import { manualSchedule, type ManualSchedule } from '../../testing/manual-schedule.ts';
import { scriptedCore, type ScriptedCore } from '../../testing/scripted-core.ts';
import { serveRoutes, type ServedRoutes } from '../../testing/peers/serve-routes.ts';
import { ServerStatus } from './contract.ts';
import { createGuardedDialer } from '../../net/guarded-dialer.ts';
import { createCertificateHashes } from './certificate-hash.ts';
import { announceCore } from './core-announcements.ts';
import { coreCommand } from './core-command.ts';
import { createMachine, type Machine } from './machine/machine.ts';
import { serverRoutes } from './routes.ts';
import { createServerService } from './service.ts';
import { createStatusFeed, type StatusFeed } from './status-feed.ts';
import { texts } from './texts.ts';

const BASE = '/panel/api/server';

let time: ManualSchedule;
let core: ScriptedCore;
let machine: Machine & { readings: number };
let feed: StatusFeed;
let panel: ServedRoutes;
let events: PanelEvent[];
let hasListeners: boolean;
let webProblem: string | null;
let runs: string[][];

beforeEach(async () => {
  time = manualSchedule();
  core = scriptedCore();
  events = [];
  hasListeners = false;
  webProblem = null;
  runs = [];
  const own = createMachine({ dataDir: process.cwd(), log: time.log });
  machine = {
    readings: 0,
    collect() {
      machine.readings += 1;
      return own.collect();
    },
  };
  const { publish, subscribe } = createEventBus((error) => {
    throw error;
  });
  subscribe((event) => events.push(event));
  announceCore({ core, publish, clock: time.clock });
  feed = createStatusFeed({
    machine,
    core,
    panel: { version: '1.2.3', guid: 'guid-1', pid: 77 },
    active: () => null,
    clock: time.clock,
    schedule: time.schedule,
    publish,
    hasListeners: () => hasListeners,
    webProblem: () => webProblem,
  });
  await feed.start();
  const lanAddresses = () => ['http://192.168.1.20:2053/'];
  const ownHosts = () => ['203.0.113.5', '192.168.1.20'];
  const certificates = async () => [];
  const webCertFiles = () => ({ webCertFile: '/own/cert.pem', webKeyFile: '/own/key.pem' });
  const hashes = createCertificateHashes({ namedFiles: async () => [], dialer: createGuardedDialer() });
  const keys = createKeyGenerators({
    async runCore(args) {
      runs.push(args);
      return 'Seed: abc\nVerify: def\n';
    },
  });
  const server = createServerService({ core, feed, publish, webCertFiles, lanAddresses, ownHosts, certificates });
  panel = await serveRoutes((ctx) => serverRoutes(ctx, server, keys, hashes), {
    ...texts,
    'request.invalid': 'request body failed validation',
  });
});
afterEach(async () => {
  await panel.close();
  await time.schedule.close();
});

describe('status', () => {
  it('is complete from the first request on', async () => {
    const { success, obj } = await panel.get(`${BASE}/status`);
    expect(success).toBe(true);
    expect(ServerStatus.strict().parse(obj)).toEqual(obj);
    expect(obj).toMatchObject({
      core: { state: 'running', errorMsg: '', version: '26.7.28' },
      panelVersion: '1.2.3',
      panelGuid: 'guid-1',
      cpu: 0,
      publicIP: { ipv4: '', ipv6: '' },
      appStats: { uptime: 0 },
    });
    const { mem, load, loads } = ServerStatus.parse(obj);
    expect(mem.current).toBeGreaterThan(0);
    expect(loads).toEqual([load.load1, load.load5, load.load15]);
  });

  it('reports when the web port or its certificate cannot be served', async () => {
    expect((await panel.get(`${BASE}/status`)).obj).toMatchObject({ web: { problem: '' } });
    webProblem = 'listen EADDRINUSE: address already in use 0.0.0.0:2053';
    expect((await panel.get(`${BASE}/status`)).obj).toMatchObject({ web: { problem: webProblem } });
  });

  it('lists the addresses at which other devices reach the panel', async () => {
    expect((await panel.get(`${BASE}/reachability`)).obj).toEqual({
      addresses: ['http://192.168.1.20:2053/'],
      hosts: ['203.0.113.5', '192.168.1.20'],
    });
  });

  it('is read every two seconds and served from memory', async () => {
    for (let request = 0; request < 5; request++) await panel.get(`${BASE}/status`);
    expect(machine.readings).toBe(1);
    await time.advance(6_000);
    expect(machine.readings).toBe(4);
    const { obj } = await panel.get(`${BASE}/status`);
    expect(obj).toMatchObject({ appStats: { uptime: 6 } });
  });

  it('shows the current state of the core', async () => {
    core.become({ state: 'error', errorText: 'bind: address already in use', startedAtMs: null });
    const { obj } = await panel.get(`${BASE}/status`);
    expect(obj).toMatchObject({
      core: { state: 'error', errorMsg: 'bind: address already in use' },
      appStats: { uptime: 0 },
    });
  });

  it('is pushed only while somebody listens, but always sampled', async () => {
    await time.advance(4_000);
    expect(events).toEqual([]);
    hasListeners = true;
    await time.advance(2_000);
    expect(machine.readings).toBe(4);
    const { obj } = await panel.get(`${BASE}/status`);
    expect(events).toEqual([{ type: 'live', message: 'status', data: obj }]);
    feed.close();
    await time.advance(10_000);
    expect(machine.readings).toBe(4);
  });
});

it('names its own certificate', async () => {
  expect(await panel.get(`${BASE}/getWebCertFiles`)).toMatchObject({
    obj: { webCertFile: '/own/cert.pem', webKeyFile: '/own/key.pem' },
  });
});

describe('stop and restart', () => {
  it('stops, reports it, and refuses a second stop without a false event', async () => {
    expect(await panel.post(`${BASE}/stopCoreService`)).toEqual({
      success: true,
      msg: 'The core has been stopped.',
      obj: null,
    });
    expect(events).toEqual([
      { type: 'coreState', state: 'stop' },
      expect.objectContaining({ type: 'notification', severity: 'warning' }),
    ]);
    events.length = 0;
    expect(await panel.post(`${BASE}/stopCoreService`)).toMatchObject({
      success: false,
      msg: 'core is not running',
      obj: null,
    });
    expect(events).toEqual([]);
  });

  it('restarts and reports it', async () => {
    await panel.post(`${BASE}/stopCoreService`);
    events.length = 0;
    expect(await panel.post(`${BASE}/restartCoreService`)).toMatchObject({ success: true });
    expect(events).toEqual([
      { type: 'coreState', state: 'running' },
      { type: 'notification', title: 'Core restarted', body: '', severity: 'success' },
    ]);
  });

  it('reports what is wrong with the config and leaves the running core alone', async () => {
    core.refusal = new DomainError('core.configInvalid', { text: 'unknown protocol vles' });
    expect(await panel.post(`${BASE}/restartCoreService`)).toMatchObject({
      success: false,
      msg: 'invalid core config: unknown protocol vles',
      obj: null,
    });
    expect(core.status().state).toBe('running');
    expect(events).toEqual([]);
  });

  it('shows the assembled config', async () => {
    expect((await panel.get(`${BASE}/getConfigJson`)).obj).toEqual(await core.assembled());
  });
});

describe('announcements', () => {
  it('reports a crash once a minute and every change of state', () => {
    const kinds = () => events.splice(0).map((event) => event.type);
    core.become({ state: 'error', errorText: 'panic: boom' });
    expect(events).toEqual([
      { type: 'coreState', state: 'error', errorText: 'panic: boom' },
      { type: 'coreCrash', text: 'panic: boom' },
    ]);
    events.length = 0;
    core.become({ state: 'running', errorText: '' });
    core.become({ state: 'error', errorText: 'panic: boom' });
    expect(kinds()).toEqual(['coreState', 'coreState']);
    core.become({ state: 'running', errorText: '' });
    time.jumpClock(60_000);
    core.become({ state: 'error', errorText: 'panic: boom' });
    expect(kinds()).toEqual(['coreState', 'coreState', 'coreCrash']);
  });

  it('does not report a crash when a core never came up', () => {
    core.become({ state: 'stop' });
    core.become({ state: 'error', errorText: 'no core found' });
    expect(events.map((event) => event.type)).toEqual(['coreState', 'coreState']);
  });
});

describe('key generators', () => {
  it('respond in the shapes of the API', async () => {
    expect((await panel.get(`${BASE}/getNewUUID`)).obj).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/);
    expect((await panel.get(`${BASE}/getNewX25519Cert`)).obj).toEqual({
      privateKey: expect.stringMatching(/^[\w-]{43}$/),
      publicKey: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect((await panel.get(`${BASE}/getNewmldsa65`)).obj).toEqual({
      privateKey: 'abc',
      publicKey: 'def',
      seed: 'abc',
      verify: 'def',
    });
    expect((await panel.get(`${BASE}/getNewmlkem768`)).obj).toEqual({
      serverKey: 'abc',
      clientKey: 'def',
      seed: 'abc',
      client: 'def',
    });
    expect(runs).toEqual([['mldsa65'], ['mlkem768']]);
  });

  it('pass only a host name on to the core', async () => {
    for (const sni of ['', ' ', '-x.example', 'a b', '--help', 'x'.repeat(254), '1.2.3.4', 'exa_mple.com', 'a..b']) {
      const { success, obj } = await panel.post(`${BASE}/getNewEchCert`, new URLSearchParams({ sni }));
      expect(success, sni).toBe(false);
      expect(obj).toHaveProperty('issues.0.field', 'sni');
    }
    expect((await panel.post(`${BASE}/getNewEchCert`, {})).obj).toMatchObject({
      issues: [{ field: 'sni', rule: 'required' }],
    });
    expect(runs).toEqual([]);
    await panel.post(`${BASE}/getNewEchCert`, new URLSearchParams({ sni: 'Example.com' }));
    await panel.post(`${BASE}/getNewEchCert`, { sni: 'example.org' });
    expect(runs).toEqual([
      ['tls', 'ech', '--serverName', 'Example.com'],
      ['tls', 'ech', '--serverName', 'example.org'],
    ]);
  });

  it('report what is missing when a helper command cannot run', async () => {
    const result = { exitCode: 0 as number | null, stdout: 'fine', stderr: '', timedOut: false };
    const run = coreCommand({
      locate: async () => ({ ok: true, path: 'core', version: '26.7.28' }),
      runCoreCommand: async () => result,
    });
    expect(await run(['uuid'])).toBe('fine');
    Object.assign(result, { exitCode: 2, stderr: 'usage\nunknown command' });
    await expect(run(['mldsa65'])).rejects.toMatchObject({
      code: 'core.commandFailed',
      params: { command: 'mldsa65', text: 'unknown command' },
    });
    const missing = coreCommand({
      locate: async () => ({ ok: false, text: 'No proxy core was found.' }),
      runCoreCommand: async () => result,
    });
    await expect(missing(['uuid'])).rejects.toMatchObject({ code: 'core.notInstalled' });
  });
});
