import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { createScheduler } from '../../schedule/scheduler.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import { createCore, type LocalCore } from '../create-core.ts';
import type { CoreConfigSource, JsonObject } from '../config/source.ts';
import { CORE_FILE } from './locate.ts';

const REAL = process.env['CORE_BINARY'] ?? join(process.cwd(), 'resources/core', CORE_FILE);
const VERSION = '26.7.28';

let dataDir = '';
let core: LocalCore;
let template: JsonObject;
const schedule = createScheduler({ clock: Date.now, log: recordingLogger() });

const own = (name: string): string => join(dataDir, 'core', name);
const digest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
/** The real core; a different file, since the loader ignores what follows. */
const realWith = (tail: string): Uint8Array => Buffer.concat([readFileSync(REAL), Buffer.from(tail)]);
const script = (text: string): Uint8Array => Buffer.from(`#!/bin/sh\n${text}\n`);
const release = (content: Uint8Array): Map<string, Uint8Array> => new Map([[CORE_FILE, content]]);
const printsVersion = `[ "$1" = version ] && { echo "Xray ${VERSION} (x)"; exit 0; }`;

beforeEach(async () => {
  dataDir = await testFolder();
  mkdirSync(join(dataDir, 'core'));
  copyFileSync(REAL, own(CORE_FILE));
  appendFileSync(own(CORE_FILE), 'earlier');
  template = { log: { loglevel: 'warning' }, outbounds: [{ tag: 'direct', protocol: 'freedom' }], inbounds: [] };
  const source = async (): Promise<CoreConfigSource> => ({
    template,
    inbounds: [],
    subscribedOutbounds: { prepend: [], append: [] },
  });
  core = createCore({
    dataDir,
    resourcesDir: join(dataDir, 'none'),
    desired: { full: source, inbound: async () => null, inboundUsers: async () => null },
    log: recordingLogger(),
    clock: Date.now,
    schedule,
    env: { PATH: process.env['PATH'] },
  });
  await core.boot();
  expect(core.status()).toMatchObject({ errorText: '', state: 'running', version: VERSION });
});
afterEach(async () => {
  await core.close();
});

async function install(content: Uint8Array, version = VERSION): Promise<void> {
  await core.files.begin();
  try {
    await core.files.installExecutable(release(content), version);
  } finally {
    await core.files.discard();
  }
}

describe('a new executable', () => {
  test('takes over, and leaves nothing behind', async () => {
    const { pid } = core.status();
    await install(realWith('later'));
    expect(core.status()).toMatchObject({ state: 'running' });
    expect(core.status().pid).not.toBe(pid);
    expect(readFileSync(own(CORE_FILE)).subarray(-5).toString()).toBe('later');
    expect(readdirSync(join(dataDir, 'core'))).toEqual([CORE_FILE]);
  });

  test.each([
    ['that is no program', Buffer.from('rubbish'), 'coreFiles.unusable'],
    ['of another version', realWith(''), 'coreFiles.otherVersion'],
    [
      'that refuses the config',
      script(`${printsVersion}\necho 'Failed to start: no such thing'; exit 23`),
      'coreFiles.configRefused',
    ],
  ])('%s is refused and the running one left alone', async (_what, content, code) => {
    const before = { pid: core.status().pid, digest: digest(own(CORE_FILE)) };
    await expect(install(content, code === 'coreFiles.otherVersion' ? '26.7.29' : VERSION)).rejects.toMatchObject({
      code,
    });
    expect({ pid: core.status().pid, digest: digest(own(CORE_FILE)) }).toEqual(before);
    expect(readdirSync(join(dataDir, 'core'))).toEqual([CORE_FILE]);
  });

  test('that exits at once is rolled back, and the earlier one runs again', async () => {
    const before = digest(own(CORE_FILE));
    const dying = script(
      `${printsVersion}\n[ "$2" = -test ] && exit 0\necho 'Failed to start: I do not like it here'; exit 1`,
    );
    await expect(install(dying)).rejects.toMatchObject({ code: 'coreFiles.rolledBack' });
    expect(core.status().state).toBe('running');
    expect(digest(own(CORE_FILE))).toBe(before);
    expect(readdirSync(join(dataDir, 'core'))).toEqual([CORE_FILE]);
  });

  test('that dies a second after its start is rolled back as well', async () => {
    writeFileSync(join(dataDir, 'real'), realWith(''), { mode: 0o755 });
    const dying = script(
      `${printsVersion}\n[ "$2" = -test ] && exit 0\n'${join(dataDir, 'real')}' "$@" &\nsleep 1; kill $!; exit 1`,
    );
    await expect(install(dying)).rejects.toMatchObject({ code: 'coreFiles.rolledBack' });
    expect(core.status().state).toBe('running');
    expect(readFileSync(own(CORE_FILE)).subarray(-7).toString()).toBe('earlier');
  });

  test('does not start a core that was stopped by hand', async () => {
    await core.stop();
    await install(realWith('later'));
    expect(core.status().state).toBe('stop');
    expect(readFileSync(own(CORE_FILE)).subarray(-5).toString()).toBe('later');
    await core.restart('by hand');
    expect(core.status().state).toBe('running');
  });
});

describe('new geo files', () => {
  /** One list `name` with 1.0.0.0/8, padded by further lists. */
  const geoip = (name: string): Buffer => {
    const field = (tag: number, content: Buffer): Buffer =>
      Buffer.concat([Buffer.from([tag, content.length]), content]);
    const cidr = field(0x12, Buffer.concat([field(0x0a, Buffer.from([1, 0, 0, 0])), Buffer.from([0x10, 8])]));
    const list = (code: string): Buffer => field(0x0a, Buffer.concat([field(0x0a, Buffer.from(code)), cidr]));
    return Buffer.concat([list(name), ...Array.from({ length: 60 }, (_, index) => list(`PAD${index}`))]);
  };
  const useList = (name: string): void => {
    template['routing'] = { rules: [{ type: 'field', ip: [`geoip:${name}`], outboundTag: 'direct' }] };
  };
  async function update(content: Buffer): Promise<void> {
    await core.files.begin();
    try {
      writeFileSync(core.files.newFile('geoip.dat'), content);
      await core.files.installGeoFiles(['geoip.dat']);
    } finally {
      await core.files.discard();
    }
  }

  test('are used by a restarted core', async () => {
    const { pid } = core.status();
    await update(geoip('AA'));
    expect(core.status().state).toBe('running');
    expect(core.status().pid).not.toBe(pid);
    useList('aa');
    await core.restart('rule');
    expect(existsSync(own('.exchange'))).toBe(false);
  });

  test('that lack a list in use are refused, and the core keeps the present ones', async () => {
    await update(geoip('AA'));
    useList('aa');
    await core.restart('rule');
    const before = { pid: core.status().pid, digest: digest(own('geoip.dat')) };
    await expect(update(geoip('BB'))).rejects.toMatchObject({ code: 'coreFiles.geoRefused' });
    expect({ pid: core.status().pid, digest: digest(own('geoip.dat')) }).toEqual(before);
    expect(existsSync(own('.exchange'))).toBe(false);
  });
});
