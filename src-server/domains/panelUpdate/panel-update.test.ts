import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { DialError } from '../../net/dial-error.ts';
import { serveRoutes, type ServedRoutes } from '../../testing/peers/serve-routes.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import { panelUpdateRoutes } from './routes.ts';
import { createPanelUpdateService, type PanelUpdateService } from './service.ts';
import { texts } from './texts.ts';
import { commandUpdater, type Updater, type UpdateRun } from './updater.ts';
import { isNewer } from './versions.ts';

const BASE = '/panel/api/server';
const MINUTE = 60_000;
let folder = '';
let statusFile = '';
let nowMs: number;
let release: unknown;
let requestedUrls: string[];
let runs: UpdateRun[];
let startFailure: string;
let aliveIds: Set<number>;
let isDevChannel: boolean;
let updates: PanelUpdateService;
let panel: ServedRoutes;
const opened: ServedRoutes[] = [];

const recording: Updater = {
  async start(run) {
    if (startFailure !== '') throw new Error(startFailure);
    runs.push(run);
    return { pid: 4711 };
  },
};

async function open(version: string, updater: Updater | null = recording, releases = 'https://api.example/repos/a/b') {
  updates = createPanelUpdateService({
    version,
    releases,
    updater,
    statusFile,
    dialer: {
      async fetch(url) {
        requestedUrls.push(url);
        if (release === null) throw new DialError('unresolved', 'api.example cannot be resolved');
        return { status: 200, headers: {}, url, body: Buffer.from(JSON.stringify(release)) };
      },
    },
    channel: { read: async () => isDevChannel, write: async (isDev) => void (isDevChannel = isDev) },
    isAlive: (pid) => aliveIds.has(pid),
    clock: () => nowMs,
    log: recordingLogger(),
  });
  panel = await serveRoutes((ctx) => panelUpdateRoutes(ctx, updates), {
    ...texts,
    'request.invalid': 'request body failed validation',
  });
  opened.push(panel);
}
beforeEach(async () => {
  folder = await testFolder();
  statusFile = join(folder, 'update-status.json');
  nowMs = 1_735_689_600_000;
  release = { tag_name: 'v1.5.0', body: null };
  requestedUrls = [];
  runs = [];
  startFailure = '';
  aliveIds = new Set();
  isDevChannel = false;
  await open('1.4.0');
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const post = (path: string, form: Record<string, string> = {}) =>
  panel.post(`${BASE}/${path}`, new URLSearchParams(form));
const status = async () => (await panel.get(`${BASE}/getUpdateStatus`)).obj;
const record = (more: object): void =>
  writeFileSync(statusFile, JSON.stringify({ runId: '1', state: 'pending', ...more }));
const EMPTY = { runId: '0', status: 'pending', state: 'pending', message: '', exitCode: 0, finishedAt: 0 };

describe('information', () => {
  it('compares releases', async () => {
    expect(await panel.get(`${BASE}/getPanelUpdateInfo`)).toEqual({
      success: true,
      msg: '',
      obj: {
        channel: 'stable',
        currentVersion: '1.4.0',
        latestVersion: 'v1.5.0',
        updateAvailable: true,
        canUpdate: true,
      },
    });
    expect(requestedUrls).toEqual(['https://api.example/repos/a/b/releases/latest']);
  });

  it('compares commits on the development channel, which a release build does not follow', async () => {
    isDevChannel = true;
    expect((await panel.get(`${BASE}/getPanelUpdateInfo`)).obj).toMatchObject({ channel: 'stable' });
    await open('dev+1a2b3c4d', null);
    release = { tag_name: 'dev-latest', body: 'Built from Commit=9F8E7D6C5B4A', target_commitish: 'main' };
    expect((await panel.get(`${BASE}/getPanelUpdateInfo`)).obj).toEqual({
      channel: 'dev',
      currentVersion: 'dev+1a2b3c4d',
      latestVersion: 'dev+9f8e7d6c',
      currentCommit: '1a2b3c4d',
      latestCommit: '9f8e7d6c',
      updateAvailable: true,
      canUpdate: false,
    });
    release = { tag_name: 'dev-latest', body: '', target_commitish: '1a2b3c4d5e6f' };
    expect((await panel.get(`${BASE}/getPanelUpdateInfo`)).obj).toMatchObject({ updateAvailable: false });
    expect(requestedUrls.at(-1)).toBe('https://api.example/repos/a/b/releases/tags/dev-latest');
  });

  it('fails silently', async () => {
    for (const body of [null, [], { tag_name: 1 }]) {
      release = body;
      expect(await panel.get(`${BASE}/getPanelUpdateInfo`)).toMatchObject({ success: false, msg: '', obj: null });
    }
    await open('1.4.0', recording, '');
    expect(await panel.get(`${BASE}/getPanelUpdateInfo`)).toMatchObject({ success: false, msg: '' });
  });

  it.each([
    ['v1.5.0', '1.4.9', true],
    ['1.10.0', '1.9.0', true],
    ['1.4.0', '1.4.0', false],
    ['1.4.0', '1.5.0-beta', false],
    ['1.5.0', '1.5.0-beta', true],
    ['1.5.0-beta.10', '1.5.0-beta.9', true],
    ['1.5.0-beta', '1.5.0-1', true],
    ['1.5.0-a', '1.5.0-a.1', false],
    ['nightly', '1.0.0', false],
    ['1.5', '1.4.0', false],
  ])('%s is newer than %s: %s', (latest, current, expected) => expect(isNewer(latest, current)).toBe(expected));
});

describe('a run', () => {
  it('is started once, recorded first, and its id is a decimal text', async () => {
    const { obj, success } = await post('updatePanel');
    const { runId } = obj as { runId: string };
    expect([success, /^1735689600\d{9}$/.test(runId)]).toEqual([true, true]);
    expect(runs).toEqual([{ runId, channel: 'stable', targetVersion: '1.5.0', statusFile }]);
    expect(await status()).toEqual({ ...EMPTY, runId });
    expect(await post('updatePanel')).toMatchObject({ success: false, msg: 'a panel update is already in progress' });
    expect(runs.length).toBe(1);
  });

  it('starts once for two simultaneous requests', async () => {
    const both = await Promise.allSettled([updates.start(undefined), updates.start(undefined)]);
    expect(both.map((one) => one.status)).toEqual(['fulfilled', 'rejected']);
    nowMs += 3 * 3_600_000;
    runs = [];
    const responses = await Promise.all([post('updatePanel'), post('updatePanel')]);
    expect(responses.filter(({ success }) => success).length).toBe(1);
    expect(runs.length).toBe(1);
  });

  it.each([
    ['success', true],
    ['failed', true],
    ['pending', false],
  ])('that ended as %s under its own id releases the lock: %s', async (state, isFree) => {
    const { runId } = (await post('updatePanel')).obj as { runId: string };
    record({ runId: '1', state: 'success' });
    expect((await post('updatePanel')).success).toBe(false);
    record({ runId, state });
    expect((await post('updatePanel')).success).toBe(isFree);
  });

  it('holds the lock for 20 minutes, longer while its process lives, and 2 hours at most', async () => {
    await post('updatePanel');
    nowMs += 20 * MINUTE - 1;
    expect((await post('updatePanel')).success).toBe(false);
    nowMs += 1;
    aliveIds.add(4711);
    expect((await post('updatePanel')).success).toBe(false);
    nowMs += 99 * MINUTE;
    expect((await post('updatePanel')).success).toBe(false);
    nowMs += MINUTE;
    expect((await post('updatePanel')).success).toBe(true);
    aliveIds.clear();
    nowMs += 20 * MINUTE;
    expect((await post('updatePanel')).success).toBe(true);
  });

  it('that could not be started releases the lock and reports why', async () => {
    startFailure = 'ENOENT';
    expect(await post('updatePanel')).toMatchObject({ success: false, msg: 'The update could not be started: ENOENT' });
    expect(await status()).toMatchObject({
      status: 'failed',
      message: 'ENOENT',
      exitCode: 1,
      finishedAt: nowMs / 1000,
    });
    startFailure = '';
    expect((await post('updatePanel')).success).toBe(true);
  });

  it('uses the channel, or the one in the request', async () => {
    await post('updatePanel', { dev: 'true' });
    nowMs += 3 * 3_600_000;
    isDevChannel = true;
    await post('updatePanel');
    nowMs += 3 * 3_600_000;
    await post('updatePanel', { dev: 'false' });
    expect(runs.map(({ channel }) => channel)).toEqual(['dev', 'dev', 'stable']);
    expect(await post('updatePanel', { dev: 'maybe' })).toMatchObject({ success: false });
  });

  it('is unavailable in a development run', async () => {
    await open('1.4.0', null);
    const msg = 'panel self-update is not available for this installation';
    expect(await post('updatePanel')).toMatchObject({ success: false, msg });
  });
});

describe('the state of the last run', () => {
  it.each(['', '{', '[]', '{"runId":7}', '{"runId":"x","state":"success"}', '{"runId":"1","state":"odd"}'])(
    'is pending for the record %j',
    async (text) => {
      writeFileSync(statusFile, text);
      expect(await status()).toEqual(EMPTY);
    },
  );

  it('is what the updater wrote', async () => {
    record({ state: 'failed', exitCode: 143, finishedAt: 1_735_689_612 });
    expect(await status()).toMatchObject({ runId: '1', status: 'failed', exitCode: 143, finishedAt: 1_735_689_612 });
  });

  it('is decided by the next start', async () => {
    record({ targetVersion: '1.4.0' });
    await updates.settle();
    expect(await status()).toMatchObject({ status: 'success', exitCode: 0 });
    nowMs += 3 * 3_600_000;
    const { runId } = (await post('updatePanel')).obj as { runId: string };
    aliveIds.add(4711);
    await updates.settle();
    expect(await status()).toMatchObject({ status: 'pending', runId });
    await open('1.4.0');
    await updates.settle();
    expect(await status()).toMatchObject({ status: 'pending' });
    aliveIds.clear();
    await updates.settle();
    expect(await status()).toMatchObject({ status: 'failed', message: expect.stringContaining('still version 1.4.0') });
  });

  it('is never written by the panel once the updater was started, whose result it would overwrite', async () => {
    let before: number | null = null;
    await open('1.4.0', {
      start: async () => {
        before = statSync(statusFile).ino;
        return { pid: 4711 };
      },
    });
    expect((await post('updatePanel')).success).toBe(true);
    expect(statSync(statusFile).ino).toBe(before);
  });
});

it.each([
  ['1', true],
  ['T', true],
  ['False', false],
  ['f', false],
])('channel %s', async (dev, expected) => {
  isDevChannel = !expected;
  expect(await post('setUpdateChannel', { dev })).toMatchObject({ success: true, msg: 'Update channel changed' });
  expect(isDevChannel).toBe(expected);
});

it.each(['', 'yes', 'tRUE', '2'])('channel %j is refused', async (dev) => {
  expect((await post('setUpdateChannel', { dev })).msg).toMatch(/^invalid data \(/);
});

it('the command of a package gets what it needs and is not waited for', async () => {
  const command = join(folder, 'update.sh');
  writeFileSync(
    command,
    '#!/bin/sh\nprintf \'{"runId":"%s","state":"success","exitCode":0,"finishedAt":5,"message":"%s"}\' "$PANEL_UPDATE_RUN_ID" "$PANEL_UPDATE_CHANNEL $PANEL_UPDATE_VERSION" > "$PANEL_UPDATE_STATUS_FILE.new" && mv "$PANEL_UPDATE_STATUS_FILE.new" "$PANEL_UPDATE_STATUS_FILE.reported"\n',
  );
  chmodSync(command, 0o755);
  await open('1.4.0', commandUpdater(command, { PATH: process.env['PATH'] }));
  const { runId } = (await post('updatePanel')).obj as { runId: string };
  await expect
    .poll(() => {
      try {
        return JSON.parse(readFileSync(`${statusFile}.reported`, 'utf8')) as unknown;
      } catch {
        return null;
      }
    })
    .toMatchObject({ runId, message: 'stable 1.5.0' });
  await open('1.4.0', commandUpdater(join(folder, 'missing'), {}));
  expect((await post('updatePanel')).msg).toMatch(/^The update could not be started: .*ENOENT/);
});
