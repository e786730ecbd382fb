import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../binary/run-command.ts';
import type { JsonObject } from '../config/source.ts';
import { createConfigCheck } from '../process/config-check.ts';
import { createOutboundCheck } from './refused-outbounds.ts';

const BINARY = process.env['CORE_BINARY'] ?? '';
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'refused-'))));
afterAll(() => rm(folder, { recursive: true }));

const ID = 'b831381d-6324-4d53-ad4f-8cda48b30811';
const vless = (security: string, more: JsonObject = {}): JsonObject => ({
  protocol: 'vless',
  settings: { address: '93.184.216.34', port: 443, id: ID, encryption: 'none' },
  streamSettings: { network: 'tcp', security, ...more },
});

test('the installed core names exactly those it refuses', async () => {
  const check = createConfigCheck(
    (args, timeoutMs = 15_000) => runCommand(BINARY, args, { env: {}, timeoutMs }),
    folder,
  );
  let runs = 0;
  const refused = createOutboundCheck(
    (config) => {
      runs += 1;
      return check(config);
    },
    async () => true,
  );
  const sound = Array.from({ length: 300 }, () => vless('tls'));
  expect(await refused(sound)).toEqual(new Map());
  expect(runs).toBe(1);
  const outbounds = [
    vless('none'),
    ...sound,
    vless('reality', { realitySettings: { serverName: 'a', publicKey: 'short', fingerprint: 'chrome' } }),
    {
      protocol: 'shadowsocks',
      settings: { servers: [{ address: 'a.example', port: 1, method: 'rot13', password: 'x' }] },
    },
    vless('tls', { network: 'carrier-pigeon' }),
  ];
  const found = await refused(outbounds);
  expect([...found.keys()].sort((a, b) => a - b)).toEqual([0, 301, 302, 303]);
  expect(found.get(0)).toMatch(/^vless without TLS/);
  expect(found.get(302)).toMatch(/rot13|cipher|method/i);
  expect(found.get(303)).toBe('the core has no transport "carrier-pigeon".');
  expect(await readdir(folder)).toEqual([]);
});

test('without a core only what the panel itself knows to be wrong is refused', async () => {
  const refused = createOutboundCheck(
    () => Promise.reject(new Error('no core')),
    async () => false,
  );
  expect([...(await refused([vless('none'), { protocol: 'foo' }])).keys()]).toEqual([1]);
});
