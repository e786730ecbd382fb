import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { realCore } from '../../testing/core/core-bench.ts';
import { SLOW_MS, startFarCore, type FarCore } from '../../testing/core/far-core.ts';
import { listening, shut } from '../../testing/peers/local-server.ts';
import { runCommand } from '../binary/run-command.ts';
import type { JsonObject } from '../config/source.ts';
import { createConfigCheck } from '../process/config-check.ts';
import { createOutboundTester, type TestOutbounds } from './outbound-tester.ts';

const binary = realCore();
const URL_204 = new URL('http://198.51.100.7/generate_204');
const program = async () => ({ binary, env: process.env });

let folder: string;
let far: FarCore;
let outbounds: Record<string, JsonObject>;
let test: TestOutbounds;
let requests = 0;
const target = createServer((_request, response) => {
  requests += 1;
  response.writeHead(204).end();
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probe-'));
  const port = await listening(target);
  far = await startFarCore([port, port, port]);
  const vless = far.outbounds['vless']!;
  outbounds = {
    ...far.outbounds,
    chained: { ...vless, streamSettings: { sockopt: { dialerProxy: 'way' } } },
    slow: far.slow,
    dead: far.dead,
    poisoned: { ...vless, settings: { ...(vless['settings'] as JsonObject), encryption: 'nonsense' } },
  };
  const run = (args: readonly string[], timeoutMs = 15_000) =>
    runCommand(binary, args, { env: process.env, timeoutMs, cwd: folder });
  test = createOutboundTester({ check: createConfigCheck(run, folder), folder, program });
});
afterAll(async () => {
  await far.close();
  await shut(target);
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
  const slow = results.find(({ tag }) => tag === 'slow')!;
  expect(slow.ttfbMs).toBeGreaterThanOrEqual(SLOW_MS - 5);
  // A line that takes long to connect is as fast as any other once it is up.
  expect(slow.delay).toBeLessThan(slow.ttfbMs!);
  expect(seen.at(-1)).toBe(50);
  // Nothing of the temporary core is left.
  expect(await readdir(folder)).toEqual([]);
});

it('dials in tcp mode, and sends a request through UDP outbounds', async () => {
  const results = await test({ outbounds: named(), known: known(), mode: 'tcp', url: URL_204 });
  const byTag = Object.fromEntries(results.map((result) => [result.tag, result]));
  expect(byTag['vmess']).toMatchObject({ success: true, mode: 'tcp', endpoints: [{ success: true }] });
  expect(byTag['dead']).toMatchObject({ success: false, mode: 'tcp', error: 'ECONNREFUSED' });
  expect(byTag['hysteria']).toMatchObject({ success: true, mode: 'http', httpStatus: 204 });
  expect(byTag['wireguard']).toMatchObject({ success: true, mode: 'http', httpStatus: 204 });
});

it('sends one request alone in real mode', async () => {
  const before = requests;
  const [result] = await test({ outbounds: named().slice(0, 1), known: [], mode: 'real', url: URL_204 });
  expect(result).toMatchObject({ tag: 'vless', success: true, mode: 'real' });
  expect(result?.delay).toBe(result?.ttfbMs);
  expect(requests - before).toBe(1);
});

it('keeps the order and says for each outbound why it is not tested; one batch at a time', async () => {
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

it('reports a missing core once for all', async () => {
  let received = 0;
  const without = createOutboundTester({
    check: async () => '',
    folder,
    program: async () => {
      received += 1;
      throw new Error('no core installed');
    },
  });
  const results = await without({ outbounds: named(), known: [], mode: 'http', url: URL_204 });
  expect(new Set(results.map(({ error }) => error))).toEqual(new Set(['no core installed']));
  expect(received).toBe(1);
});

it('finds a poisoned one that fails only when the core starts, by trying the batch one by one', async () => {
  const blind = createOutboundTester({ check: async () => '', folder, program });
  const batch = ['hysteria', 'poisoned', 'vless'].map((tag): JsonObject => ({ tag, ...outbounds[tag] }));
  const results = await blind({ outbounds: batch, known: [], mode: 'http', url: URL_204 });
  expect(results.map(({ tag, success }) => [tag, success])).toEqual([
    ['hysteria', true],
    ['poisoned', false],
    ['vless', true],
  ]);
  expect(results[1]?.error).toMatch(/encryption/);
});
