import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../testing/for-each-test.ts';
import * as base from '../../testing/core-config/base.ts';
import { BROKEN_INBOUNDS, type BrokenInbound } from '../../testing/core-config/broken-inbounds.ts';
import { BROKEN_CLIENTS } from '../../testing/core-config/broken-clients.ts';
import { BROKEN_TEMPLATES, sourceOf } from '../../testing/core-config/broken-templates.ts';
import { GOOD_INBOUNDS } from '../../testing/core-config/good-inbounds.ts';
import { buildCoreConfig } from './core-config.ts';
import { defaultTemplate } from './template/default-template.ts';
import { checkInbound } from './inbound/inbound-rules.ts';
import type { InboundSource, JsonObject } from './source.ts';

const binary = resolve(process.env['CORE_BINARY'] ?? 'resources/core/xray');
if (!existsSync(binary)) throw new Error('The core binary is missing: set CORE_BINARY or put it into resources/core.');

interface CoreRun {
  /** Exit code; 0 also when it was still running and was asked to stop, -1 when it did not exit by itself. */
  code: number;
  /** The verdict, otherwise the panic or the last line of the output. */
  text: string;
}

/** The real core in its own folder, with a certificate and without any geo file. */
async function createCoreBinary() {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-core-'));
  const assets = join(folder, 'assets');
  await mkdir(assets);
  const env = { XRAY_LOCATION_ASSET: assets, XRAY_LOCATION_CERT: folder };

  function run(args: string[], timeoutMs: number): Promise<CoreRun> {
    return new Promise((done) => {
      execFile(binary, args, { env, timeout: timeoutMs }, (error, stdout, stderr) => {
        const panic = /^panic: .*$/m.exec(stderr)?.[0];
        // Warnings are logged by another thread and sometimes come after the verdict.
        const text = panic ?? /^Configuration OK\.$/m.exec(stdout)?.[0] ?? stdout.trim().split('\n').at(-1) ?? '';
        const code = typeof error?.code === 'number' ? error.code : -1;
        done({ code: error === null ? 0 : code, text });
      });
    });
  }

  async function withFile(config: JsonObject, use: (path: string) => Promise<CoreRun>): Promise<CoreRun> {
    const path = join(folder, `${crypto.randomUUID()}.json`);
    await writeFile(path, JSON.stringify(config));
    const result = await use(path);
    await rm(path);
    return result;
  }

  await run(['tls', 'cert', '--domain=test.local', `--file=${join(folder, 'made')}`, '--json=false'], 10_000);
  await rename(join(folder, 'made.crt'), join(folder, 'cert.pem'));
  await rename(join(folder, 'made.key'), join(folder, 'key.pem'));

  return {
    folder,
    /** Reads the config and builds every handler, opens nothing. Code 0 = fine. */
    test: (config: JsonObject) => withFile(config, (path) => run(['run', '-test', '-c', path], 15_000)),
    /** Really starts it and asks it to stop after the time: code 0 = it was up until then. */
    start: (config: JsonObject, forMs: number) => withFile(config, (path) => run(['run', '-c', path], forMs)),
    close: () => rm(folder, { recursive: true }),
  };
}

const core = forAllTests(createCoreBinary);

const CLIENTS = [base.client({ password: base.KEY_32 })];
const starting = (row: BrokenInbound): boolean => row.core === 'endsAtStart';

function built(inbounds: InboundSource[], template: JsonObject = base.TEMPLATE): JsonObject {
  const options = { ...base.OPTIONS, logFolder: core.folder };
  return buildCoreConfig(base.configSource({ template, inbounds }), options).config;
}

/** Hands the inbound to the core as it is stored, unhealed. */
function unaided({ inbound }: BrokenInbound): JsonObject {
  const { protocol, listen, port, settings, streamSettings, sniffing } = inbound;
  const place = protocol === 'tun' ? {} : { listen, port };
  return { ...base.TEMPLATE, inbounds: [{ tag: 'in-1', ...place, protocol, settings, streamSettings, sniffing }] };
}

describe('the core loads', () => {
  it.each(GOOD_INBOUNDS)('golden/$name.json', async ({ inbound }) => {
    expect(await core.test(built([inbound]))).toEqual({ code: 0, text: 'Configuration OK.' });
  });

  it('the default template without any geo file', async () => {
    const config = built([], defaultTemplate());
    expect(await core.test(config)).toEqual({ code: 0, text: 'Configuration OK.' });
    // As stored, too: that is what the panel's template check sees.
    expect(await core.test(defaultTemplate())).toEqual({ code: 0, text: 'Configuration OK.' });
  });
});

describe('an inbound that is refused on save', () => {
  it.concurrent.each(BROKEN_INBOUNDS.filter((row) => !starting(row)))(
    'is what the core does not take, and passes once built: $name',
    async (row) => {
      const alone = await core.test(unaided(row));
      expect({ refuses: 23, panics: 2, takes: 0, endsAtStart: 0 }[row.core]).toBe(alone.code);
      expect(checkInbound(row.inbound)).toHaveLength(row.issues.length);
      const config = built([base.source({ ...row.inbound, clients: CLIENTS })]);
      expect(await core.test(config)).toEqual({ code: 0, text: 'Configuration OK.' });
    },
  );

  it.each(BROKEN_INBOUNDS.filter(starting))('ends the core only at its start: $name', async (row) => {
    expect((await core.test(unaided(row))).code).toBe(0);
    expect((await core.start(unaided(row), 3000)).code).toBe(255);
    expect(checkInbound(row.inbound)).not.toEqual([]);
    const config = built([base.source({ ...row.inbound, clients: CLIENTS })]);
    expect((await core.start(config, 700)).code).toBe(0);
  });
});

describe('a template the core would refuse', () => {
  it.concurrent.each(BROKEN_TEMPLATES)('passes once built: $name', async (row) => {
    const alone = await core.test(row.template);
    expect(alone.code === 0).toBe(!row.refused);
    const { config } = buildCoreConfig(sourceOf(row), { ...base.OPTIONS, logFolder: core.folder });
    expect(await core.test(config)).toEqual({ code: 0, text: 'Configuration OK.' });
  });
});

describe('clients the core would refuse', () => {
  it.each(BROKEN_CLIENTS)('do not keep the others from running: $name', async ({ inbound, clients }) => {
    const good = base.client({ ...inbound.good, email: 'good@x' });
    const config = built([base.source({ ...inbound.draft, clients: [good, ...clients] })]);
    expect(await core.test(config)).toEqual({ code: 0, text: 'Configuration OK.' });
  });
});

it('starts with the default template, and its private ranges cover mapped addresses', async () => {
  const mapped = { ...base.TEMPLATE, routing: { rules: [{ ip: ['::ffff:0:0/96'], outboundTag: 'direct' }] } };
  expect((await core.test(mapped)).code).toBe(23);
  const config = { ...built([], defaultTemplate()), metrics: { tag: 'metrics_out' } };
  expect((await core.start(config, 700)).code).toBe(0);
});
