import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { PanelEvent } from '../../contract/events.ts';
import type { CoreFiles } from '../../core/binary/core-files.ts';
import { beginWork, exchangeFiles, newFile, recover } from '../../core/binary/exchange.ts';
import { CORE_FILE } from '../../core/binary/locate.ts';
import { createReleaseList } from '../../core/binary/releases/release-list.ts';
import { downloadSources } from '../../core/binary/releases/sources.ts';
import { createSay } from '../../http/texts.ts';
import { serveRoutes, type ServedRoutes } from '../../testing/peers/serve-routes.ts';
import type { JobPort, RunningJob } from './job-port.ts';
import { coreFilesRoutes } from './routes.ts';
import { createCoreFilesService } from './service.ts';
import { texts } from './texts.ts';

const BASE = '/panel/api/server';
const say = createSay(texts);

type Reply = (request: IncomingMessage, response: ServerResponse) => void;
/** The mirror's responses, by path. */
let replies: Map<string, Reply>;
let requests: IncomingMessage[];
let folder = '';
let panel: ServedRoutes;
let nowMs: number;
let stale: string[];
let events: PanelEvent[];
let installed: string[];
let isNamed: boolean;
/** The core's error for the given files; empty = they are valid. */
let refusal: string;
let job: { done: Promise<unknown>; cancel: () => void; stages: Set<string> };

const mirror = createServer((request, response) => {
  requests.push(request);
  const reply = [...replies].find(([path]) => request.url?.endsWith(path))?.[1];
  if (reply === undefined) response.writeHead(404).end('{"message":"Not Found"}');
  else reply(request, response);
});
const sends =
  (content: Buffer | string, headers: Record<string, string> = {}): Reply =>
  (_request, response) =>
    void response.writeHead(200, { 'content-length': Buffer.byteLength(content), ...headers }).end(content);
const release = (tag: string, more: object = {}): object => ({
  tag_name: tag,
  prerelease: false,
  draft: false,
  ...more,
});
const publishList = (...list: object[]): void => void replies.set('/releases.json', sends(JSON.stringify(list)));

/** The file service with a fake core: only its tests and its start. */
const files: CoreFiles = {
  get folder() {
    return folder;
  },
  begin: () => beginWork(folder),
  newFile: (name) => newFile(folder, name),
  discard: () => recover(folder),
  requireOwnExecutable() {
    if (isNamed) throw new DomainError('coreFiles.named', { path: '/opt/xray' });
  },
  async installExecutable(release, version) {
    if (refusal === 'ENOSPC') throw Object.assign(new Error('write'), { code: 'ENOSPC' });
    if (refusal !== '') throw new DomainError('coreFiles.rolledBack', { version, text: refusal });
    installed.push(`${version} ${Buffer.from(release.get(CORE_FILE)!).toString()}`);
  },
  async installGeoFiles(names) {
    if (refusal !== '') throw new DomainError('coreFiles.geoRefused', { text: refusal });
    await (await exchangeFiles(folder, names)).commit();
    installed.push(...names);
  },
};

const jobs: JobPort = {
  start({ run }) {
    const stop = new AbortController();
    const stages = new Set<string>();
    const running: RunningJob = { signal: stop.signal, report: ({ stage = '' }) => void stages.add(stage) };
    const done = run(running).catch((error: unknown) => {
      if (error instanceof DomainError) return say(error.code, error.params);
      if (stop.signal.aborted) return 'cancelled';
      throw error;
    });
    job = { done, stages, cancel: () => stop.abort() };
    return { id: 'job-1' };
  },
};

beforeEach(async () => {
  folder = await testFolder();
  replies = new Map();
  requests = [];
  stale = [];
  events = [];
  installed = [];
  isNamed = false;
  refusal = '';
  nowMs = 1_700_000_000_000;
  await new Promise<void>((done) => mirror.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
  const sources = downloadSources({ CORE_MIRROR: `${origin}/core/`, GEO_MIRROR: `${origin}/geo` });
  const releases = createReleaseList({
    address: sources.releaseList,
    trustedHost: sources.releases.trustedHost,
    clock: () => nowMs,
    onStale: (error) => stale.push(error.message),
  });
  const publish = (event: PanelEvent): void => void events.push(event);
  const service = createCoreFilesService({
    files,
    sources,
    releases,
    jobs,
    publish,
    patience: { stallMs: 200, retryMs: 1 },
  });
  panel = await serveRoutes((ctx) => coreFilesRoutes(ctx, service), {
    ...texts,
    'request.invalid': 'request body failed validation',
  });
});
afterEach(async () => {
  await panel.close();
  mirror.closeAllConnections();
  await new Promise((done) => mirror.close(done));
});

const failure = async (path: string, body?: URLSearchParams): Promise<string> => {
  const { success, msg } = await panel.post(`${BASE}/${path}`, body);
  expect(success).toBe(false);
  return msg;
};

describe('versions of the core', () => {
  it('lists compatible versions, asks again after 15 minutes, and returns the old list when that fails', async () => {
    publishList(
      release('v26.8.1', { draft: true }),
      release('v26.7.28', { prerelease: true }),
      release('v26.7.11'),
      release('26.6.27'),
      release('v26.6.26'),
      release('v26.7.28-rc1'),
      release('nightly'),
      {},
    );
    expect(await panel.get(`${BASE}/getCoreVersion`)).toMatchObject({ obj: ['v26.7.28', 'v26.7.11', '26.6.27'] });
    replies.clear();
    nowMs += 14 * 60_000;
    expect(await panel.get(`${BASE}/getCoreVersion`)).toMatchObject({ success: true });
    expect(requests.length).toBe(1);
    expect(requests[0]?.headers['user-agent']).toBeTruthy();
    nowMs += 2 * 60_000;
    expect(await panel.get(`${BASE}/getCoreVersion`)).toMatchObject({ obj: ['v26.7.28', 'v26.7.11', '26.6.27'] });
    expect(stale).toEqual(['GitHub API error: Not Found']);
  });

  it('sends the stored tag and accepts "not modified"', async () => {
    replies.set('/releases.json', sends(JSON.stringify([release('v26.7.28')]), { etag: '"a"' }));
    await panel.get(`${BASE}/getCoreVersion`);
    replies.set('/releases.json', (_request, response) => void response.writeHead(304).end());
    nowMs += 3_600_000;
    expect(await panel.get(`${BASE}/getCoreVersion`)).toMatchObject({ obj: ['v26.7.28'] });
    expect(requests[1]?.headers['if-none-match']).toBe('"a"');
    expect(stale).toEqual([]);
  });

  it.each<[string, Reply, RegExp]>([
    ['a complaint', sends('{"message":"API rate limit exceeded"}'), /^Get Version \(GitHub API error: API rate/],
    [
      'a refusal',
      (_q, r) => void r.writeHead(403).end('<html>'),
      /^Get Version \(GitHub API returned status 403: 403 Forbidden\)$/,
    ],
    ['a page', sends('<html>'), /is no JSON/],
    ['too much', (_q, r) => void r.writeHead(200).end('['.padEnd(9_000_000)), /too large/],
    [
      'an address of the own network',
      (_q, r) => void r.writeHead(302, { location: 'https://10.0.0.1/' }).end(),
      /internal network/,
    ],
  ])('%s instead of the list is reported', async (_what, reply, msg) => {
    replies.set('/releases.json', reply);
    const response = await panel.get(`${BASE}/getCoreVersion`);
    expect(response).toMatchObject({ success: false, msg: expect.stringMatching(msg) });
  });
});

describe('installing a core', () => {
  let archive: Buffer;
  const publishCore = (content = 'core', sha?: string): void => {
    archive = Buffer.from(
      zipSync({ [CORE_FILE]: Buffer.from(content), 'README.md': Buffer.alloc(200_000, 7) }, { level: 0 }),
    );
    const digest = sha ?? createHash('sha256').update(archive).digest('hex');
    replies.set('.zip', (request, response) => sends(archive)(request, response));
    replies.set('.dgst', sends(`MD5= 1\nSHA2-256= ${digest}\n`));
  };
  beforeEach(() => {
    publishList(release('v26.7.28', { prerelease: true }), release('v26.7.11'), release('v26.6.27'));
    publishCore();
  });

  it.each([
    ['v26.7.28', '26.7.28'],
    ['26.6.27', '26.6.27'],
    ['latest', '26.7.11'],
  ])('%s installs %s as a job', async (wanted, version) => {
    expect(await panel.post(`${BASE}/installCore/${wanted}`)).toEqual({
      success: true,
      msg: 'The installation has started.',
      obj: { jobId: 'job-1' },
    });
    expect(await job.done).toEqual({ version });
    expect(installed).toEqual([`${version} core`]);
    expect(job.stages).toEqual(new Set(['download', 'test']));
    expect(requests.at(-1)?.url).toContain(`/core/v${version}/Xray-`);
    expect(events).toMatchObject([{ type: 'notification', title: `Core v${version} installed`, severity: 'success' }]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('treats the newest preview as the latest when nothing else is listed', async () => {
    publishList(release('v26.7.28', { prerelease: true }), release('v26.7.11', { prerelease: true }));
    await panel.post(`${BASE}/installCore/latest`);
    expect(await job.done).toEqual({ version: '26.7.28' });
  });

  it.each(['v1.2.3', 'v26.7.12', '..%2F..%2Fetc', 'v26.7.28%00', '__proto__', 'LATEST'])(
    '%s is refused',
    async (wanted) => {
      expect(await failure(`installCore/${wanted}`)).toBe(
        `core version "${decodeURIComponent(wanted)}" is not in the fetched release list`,
      );
    },
  );

  it('asks for a fresh list, and reports when there is none', async () => {
    await panel.get(`${BASE}/getCoreVersion`);
    replies.delete('/releases.json');
    expect(await failure('installCore/latest')).toBe('Get Version (GitHub API error: Not Found)');
  });

  it('refuses a second job meanwhile, including a geo update, and is free afterwards', async () => {
    replies.set('.zip', () => {});
    await panel.post(`${BASE}/installCore/latest`);
    const first = job;
    expect(await failure('installCore/latest')).toBe('a core installation is already in progress');
    expect(await failure('updateGeofile')).toBe('a core installation is already in progress');
    first.cancel();
    expect(await first.done).toBe('cancelled');
    expect(readdirSync(folder)).toEqual([]);
    publishCore();
    expect(await panel.post(`${BASE}/installCore/latest`)).toMatchObject({ success: true });
    expect(await job.done).toEqual({ version: '26.7.11' });
  });

  it("reports when the operator configured the core's path", async () => {
    isNamed = true;
    expect(await failure('installCore/latest')).toContain('/opt/xray');
  });

  it.each<[string, () => void, RegExp]>([
    [
      'a wrong digest',
      () => publishCore('core', '0'.repeat(64)),
      /does not match the official SHA-256.*expected 0{64}, got/,
    ],
    ['no digest', () => replies.set('.dgst', sends('MD5= 1')), /no SHA2-256 entry in digest/],
    ['a malformed digest', () => replies.set('.dgst', sends('SHA2-256= 12')), /malformed SHA2-256 entry/],
    ['a huge digest', () => replies.set('.dgst', sends('x'.repeat(70_000))), /larger than 65536/],
    [
      'an archive that ends too early',
      () =>
        replies.set('.zip', (_q, r) => {
          r.writeHead(200, { 'content-length': archive.length });
          r.write(archive.subarray(0, 1000), () => r.destroy());
        }),
      /cut off|aborted|socket hang up/,
    ],
    [
      'a silent server',
      () =>
        replies.set('.zip', (_q, r) => {
          r.writeHead(200, { 'content-length': archive.length });
          r.write(archive.subarray(0, 1000));
        }),
      /sends nothing|cut off/,
    ],
    ['no archive', () => replies.delete('.zip'), /answered 404/],
    ['a full disk', () => (refusal = 'ENOSPC'), /no space left on the disk.*nothing was changed/],
    [
      'a core that does not run',
      () => (refusal = 'Failed to start'),
      /failed to start and was rolled back \(Failed to start\)/,
    ],
  ])(
    '%s: nothing is left',
    async (_what, arrange, text) => {
      arrange();
      await panel.post(`${BASE}/installCore/v26.7.28`);
      expect(await job.done).toMatch(text);
      expect(readdirSync(folder)).toEqual([]);
      expect(installed).toEqual([]);
      expect(events).toEqual([]);
    },
    20_000,
  );

  it('an archive with a correct digest but wrong content is refused', async () => {
    archive = Buffer.from('PK not a zip'.padEnd(3000));
    replies.set('.zip', sends(archive));
    replies.set('.dgst', sends(`SHA2-256= ${createHash('sha256').update(archive).digest('hex')}`));
    await panel.post(`${BASE}/installCore/v26.7.28`);
    expect(await job.done).toMatch(/could not be installed/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('installed geo files', () => {
  const entry = (name: string, bytes: number): Buffer => {
    const length = 2 + name.length + bytes;
    return Buffer.concat([
      Buffer.from([0x0a, (length & 0x7f) | 0x80, length >> 7, 0x0a, name.length]),
      Buffer.from(name),
      Buffer.alloc(bytes, 0xff),
    ]);
  };
  const listed = async () => (await panel.get(`${BASE}/geoFiles`)).obj;

  it('are listed with their categories, and read again when a file has changed', async () => {
    expect(await listed()).toEqual([]);
    const path = join(folder, 'geoip.dat');
    writeFileSync(path, Buffer.concat([entry('RU', 300), entry('CN', 5000)]));
    writeFileSync(join(folder, 'geosite.dat'), 'no list at all');
    utimesSync(path, 5, 5);
    expect(await listed()).toEqual([
      { name: 'geoip.dat', kind: 'ip', size: 5314, updatedAt: 5000, categories: ['cn', 'ru'] },
      expect.objectContaining({ name: 'geosite.dat', kind: 'site', categories: [] }),
    ]);
    writeFileSync(path, entry('IR', 900));
    expect(await listed()).toMatchObject([{ categories: ['ir'] }, { categories: [] }]);
  });
});

describe('geo files', () => {
  const good = (mark: string): Buffer => Buffer.concat([Buffer.from([0x0a]), Buffer.from(mark.padEnd(3000))]);
  const NAMES = ['geoip.dat', 'geosite.dat', 'geoip_IR.dat', 'geosite_IR.dat', 'geoip_RU.dat', 'geosite_RU.dat'];
  const at = 'Wed, 01 Jul 2026 10:00:00 GMT';
  const present = (name: string): string => readFileSync(join(folder, name)).subarray(1).toString().trim();
  const sinceOf = (): (string | undefined)[] =>
    requests.filter(({ url }) => url?.endsWith('.dat')).map(({ headers }) => headers['if-modified-since']);

  it.each([
    ['..%2Fx.dat', 'invalid filename: contains unsafe characters or path traversal patterns'],
    ['x.txt', 'invalid filename: contains unsafe characters or path traversal patterns'],
    ['a..dat', 'invalid filename: contains unsafe characters or path traversal patterns'],
    ['%2Fetc%2Fx.dat', 'invalid filename: contains unsafe characters or path traversal patterns'],
    ['custom.dat', 'Invalid geofile name: "custom.dat" not in allowlist'],
    ['__proto__.dat', 'Invalid geofile name: "__proto__.dat" not in allowlist'],
  ])('%s is refused, in the path and in the form', async (name, msg) => {
    expect(await failure(`updateGeofile/${name}`)).toBe(msg);
    expect(await failure('updateGeofile', new URLSearchParams({ fileName: decodeURIComponent(name) }))).toBe(msg);
    expect(requests).toEqual([]);
  });

  it("downloads all, keeps the server's date, and asks for newer ones only", async () => {
    for (const name of NAMES) replies.set(`/geo/${name}`, sends(good(name), { 'last-modified': at }));
    expect(await panel.post(`${BASE}/updateGeofile`, {})).toMatchObject({ success: true, obj: { jobId: 'job-1' } });
    expect(await job.done).toEqual({ updated: NAMES, unchanged: [] });
    expect(installed).toEqual(NAMES);
    expect(NAMES.map(present)).toEqual(NAMES);
    expect(statSync(join(folder, 'geoip.dat')).mtime).toEqual(new Date(at));
    expect(sinceOf()).toEqual(NAMES.map(() => undefined));
    requests = [];
    for (const name of NAMES) replies.set(`/geo/${name}`, (_q, r) => void r.writeHead(304).end());
    await panel.post(`${BASE}/updateGeofile`, new URLSearchParams({ fileName: '' }));
    expect(await job.done).toEqual({ updated: [], unchanged: NAMES });
    expect(sinceOf()).toEqual(NAMES.map(() => at));
    // No needless restart.
    expect(installed.length).toBe(NAMES.length);
  });

  it('verifies a checksum where there is one', async () => {
    const content = good('new');
    replies.set('/geo/geoip.dat', sends(content));
    const sum = createHash('sha256').update(content).digest('hex');
    replies.set('/geo/geoip.dat.sha256sum', sends(`${sum}  geoip.dat\n`));
    await panel.post(`${BASE}/updateGeofile/geoip.dat`);
    expect(await job.done).toEqual({ updated: ['geoip.dat'], unchanged: [] });
    replies.set('/geo/geoip.dat.sha256sum', sends(`${'0'.repeat(64)}  geoip.dat\n`));
    replies.set('/geo/geoip.dat', sends(good('newer')));
    await panel.post(`${BASE}/updateGeofile/geoip.dat`);
    expect(await job.done).toMatch(/does not match its checksum/);
    expect(present('geoip.dat')).toBe('new');
  });

  describe('never overwrites a good file', () => {
    beforeEach(() => {
      mkdirSync(folder, { recursive: true });
      for (const name of ['geoip.dat', 'geosite.dat']) {
        writeFileSync(join(folder, name), good('old'));
        utimesSync(join(folder, name), 0, 0);
      }
    });

    it.each<[string, Reply, RegExp]>([
      ['a page of a portal', sends('<html>'.padEnd(5000)), /is no geo file/],
      ['an empty file', sends(''), /is no geo file/],
      [
        'an error',
        (_q, r) => void r.writeHead(500).end(),
        /^Failed to download Geofile from http.*: received status code 500$/,
      ],
      ['a missing file', (_q, r) => void r.writeHead(404).end(), /received status code 404$/],
      [
        'a cut off download',
        (_q, r) => {
          r.writeHead(200, { 'content-length': 9999 });
          r.write(good('x'), () => r.destroy());
        },
        /Failed to download Geofile/,
      ],
      [
        'a silent server',
        (_q, r) => void r.writeHead(200, { 'content-length': 9999 }).write(good('x')),
        /Failed to download Geofile/,
      ],
    ])(
      'by %s',
      async (_what, reply, text) => {
        replies.set('/geo/geoip.dat', reply);
        await panel.post(`${BASE}/updateGeofile/geoip.dat`);
        expect(await job.done).toMatch(text);
        expect(present('geoip.dat')).toBe('old');
        expect(readdirSync(folder).sort()).toEqual(['geoip.dat', 'geosite.dat']);
      },
      20_000,
    );

    it('when the core refuses the new one', async () => {
      replies.set('/geo/geoip.dat', sends(good('new')));
      refusal = 'code not found: AA';
      await panel.post(`${BASE}/updateGeofile/geoip.dat`);
      expect(await job.done).toMatch(/The core refuses the new geo files.*AA/);
      expect(present('geoip.dat')).toBe('old');
      expect(readdirSync(folder).sort()).toEqual(['geoip.dat', 'geosite.dat']);
    });

    it('and one failure does not hold the others back', async () => {
      replies.set('/geo/geosite.dat', sends(good('new')));
      await panel.post(`${BASE}/updateGeofile`);
      const text = String(await job.done);
      expect(text.split('\r\n').length).toBe(5);
      expect([present('geoip.dat'), present('geosite.dat')]).toEqual(['old', 'new']);
      expect(installed).toEqual(['geosite.dat']);
    });

    it('with a mixture of two releases, when a new one is published during the download', async () => {
      const first = good('a'.repeat(400_000));
      const second = good('b'.repeat(400_000));
      replies.set('/geo/geoip.dat', (request, response) => {
        if (request.headers.range === undefined) {
          response.writeHead(200, { 'content-length': first.length, etag: '"1"' });
          response.write(first.subarray(0, 300_000));
          response.socket?.end();
        } else if (request.headers['if-range'] === '"2"') response.writeHead(206).end();
        else sends(second, { etag: '"2"' })(request, response);
      });
      await panel.post(`${BASE}/updateGeofile/geoip.dat`);
      expect(await job.done).toEqual({ updated: ['geoip.dat'], unchanged: [] });
      expect(readFileSync(join(folder, 'geoip.dat'))).toEqual(second);
      expect(requests.at(-2)?.headers).toMatchObject({
        range: expect.stringMatching(/^bytes=\d{5,}-$/),
        'if-range': '"1"',
      });
    });
  });
});
