import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import type { Envelope } from '../../contract/envelope.ts';
import type { JsonObject } from '../../contract/json.ts';
import { readSubscribedOutbounds } from '../../runtime/subscribed-outbounds.ts';
import { forAllTests } from '../../testing/for-each-test.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';
import { recordRuntime } from '../../testing/recording-runtime.ts';
import type { Job } from '../jobs/contract.ts';
import type { OutboundSub, RefreshAllResult } from './contract.ts';
import { listening, originOf, portOf } from '../../testing/peers/local-server.ts';

const BASE = '/core/outbound-subs';
const MINUTE = 60_000;

let provider: Server;
let respond: RequestListener;
let connections: number;
let names: Record<string, string[]>;
/** Names of entries that the core refuses. */
let badPasswords: string[];
let runtime: ReturnType<typeof recordRuntime>;

// Opened once: opening takes longer than most of these tests.
const panel = forAllTests(() =>
  openPanel({
    core(core) {
      core.refusedOutbounds = async (outbounds) =>
        new Map(
          outbounds.flatMap((outbound, index) =>
            badPasswords.some((password) => JSON.stringify(outbound).includes(`"${password}"`))
              ? [[index, 'the core says no'] as const]
              : [],
          ),
        );
    },
    app: {
      lookup: async (host) =>
        (names[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    },
  }),
);
beforeAll(() => void (runtime = recordRuntime(panel.parts.engine.runtime)));
beforeEach(async () => {
  panel.clear('outboundSubs');
  panel.events.length = runtime.applied.length = runtime.staged.length = 0;
  names = { 'public.test': ['93.184.216.34'] };
  badPasswords = [];
  connections = 0;
  respond = (_request, response) => response.end(list('a', 'b'));
  provider = createServer((request, response) => respond(request, response));
  provider.on('connection', () => (connections += 1));
  await listening(provider);
});
afterEach(() => {
  provider.closeAllConnections();
  provider.close();
});

/** Trojan links with these passwords and names. */
const list = (...given: string[]): string =>
  given.map((name) => `trojan://${name}@${name}.example:443#${name}`).join('\n');
const url = (path = '/'): string => `${originOf(provider)}${path}`;
const form = (fields: Record<string, string>): URLSearchParams => new URLSearchParams(fields);
const rows = async (): Promise<OutboundSub[]> => (await panel.get(BASE)).obj as OutboundSub[];
const row = async (id: number): Promise<OutboundSub> => (await rows()).find((one) => one.id === id)!;
const add = async (fields: Record<string, string> = {}): Promise<OutboundSub> =>
  (await panel.post(BASE, form({ url: url(), allowPrivate: 'true', ...fields }))).obj as OutboundSub;
const tagsOf = (outbounds: readonly JsonObject[]): unknown[] => outbounds.map(({ tag }) => tag);
const running = async () => {
  const { prepend, append } = await readSubscribedOutbounds(panel.store);
  return { prepend: tagsOf(prepend), append: tagsOf(append) };
};
const remove = (id: number | string): Promise<Envelope> => panel.call('DELETE', `${BASE}/${id}`);

describe('adding', () => {
  it('fetches, stores and merges, with the defaults of the interface document', async () => {
    const created = await panel.post(BASE, form({ url: ` ${url()} `, allowPrivate: 'true', remark: ' HK ' }));
    expect(created).toEqual({
      success: true,
      msg: 'The outbound subscription has been added.',
      obj: {
        id: 1,
        remark: 'HK',
        url: url(),
        enabled: true,
        allowPrivate: true,
        prepend: false,
        tagPrefix: 'sub1-',
        updateInterval: 600,
        priority: 0,
        lastUpdated: panel.clock() / 1000,
        lastError: '',
        outboundCount: 2,
        leftOut: [],
        createdAt: panel.clock(),
        updatedAt: panel.clock(),
      },
    });
    expect(await running()).toEqual({ prepend: [], append: ['sub1-a', 'sub1-b'] });
    expect(runtime.applied).toEqual([{ everything: true }]);
    expect(runtime.staged).toEqual([{ everything: true }]);
    expect(panel.events).toContainEqual({ type: 'invalidate', resource: 'outbounds' });
  });

  it('reads the fields of a form; blank ones use the default', async () => {
    expect(await add({ enabled: '', prepend: '', updateInterval: '' })).toMatchObject({
      enabled: true,
      prepend: false,
      updateInterval: 600,
    });
    expect(await add({ enabled: 'false', prepend: 'true', updateInterval: '0' })).toMatchObject({
      enabled: false,
      prepend: true,
      updateInterval: 600,
    });
    expect((await rows()).map(({ id, tagPrefix, priority }) => [id, tagPrefix, priority])).toEqual([
      [2, 'sub2-', 1],
      [1, 'sub1-', 0],
    ]);
    expect(await running()).toEqual({ prepend: [], append: ['sub1-a', 'sub1-b'] });
  });

  it.each([
    ['-5', 600],
    ['abc', 600],
    ['1.5', 600],
    [' 900 ', 900],
    ['9'.repeat(30), 31_536_000],
  ])('an interval of %s', async (updateInterval, expected) => {
    expect(await add({ updateInterval })).toMatchObject({ updateInterval: expected });
  });

  it('keeps a row whose fetch fails and reports why', async () => {
    respond = (_request, response) => response.writeHead(404).end();
    expect(await add()).toMatchObject({ id: 1, lastError: 'http 404', lastUpdated: 0, outboundCount: 0 });
    expect(runtime.applied).toEqual([]);
  });

  it.each([
    ['', 'url is required'],
    ['ftp://public.test/x', 'invalid subscription URL: ftp://public.test/x'],
    ['no url', 'invalid subscription URL: no url'],
    ['http://10.0.0.1/', 'blocked private/internal address 10.0.0.1'],
  ])('refuses %j and stores nothing', async (wanted, text) => {
    const { success, msg } = await panel.post(BASE, form({ url: wanted }));
    expect([success, msg]).toEqual([false, `Failed to create outbound subscription (${text})`]);
    expect(await rows()).toEqual([]);
  });

  it('names every field that violates a rule', async () => {
    const long = 'x'.repeat(300);
    expect(await panel.post(BASE, { url: url(), remark: long, tagPrefix: `${long}\n` })).toMatchObject({
      success: false,
      msg: 'Failed to create outbound subscription',
      obj: { issues: [{ field: 'remark' }, { field: 'tagPrefix' }] },
    });
  });
});

describe('entries', () => {
  it('that the core refuses are left out and listed; the rest runs', async () => {
    respond = (_request, response) => response.end(`${list('a', 'bad', 'b')}\ntuic://x@y:1#T`);
    badPasswords = ['bad'];
    expect(await add()).toMatchObject({
      outboundCount: 2,
      lastError: 'dropped 1 outbound(s) the core rejects: sub1-bad: the core says no',
      leftOut: [
        { tag: 'sub1-bad', reason: 'the core says no' },
        { tag: 'tuic', reason: 'unsupported link scheme' },
      ],
    });
    expect(await running()).toEqual({ prepend: [], append: ['sub1-a', 'sub1-b'] });
    badPasswords = [];
    await panel.post(`${BASE}/1/refresh`);
    expect(await running()).toEqual({ prepend: [], append: ['sub1-a', 'sub1-bad', 'sub1-b'] });
    expect(await row(1)).toMatchObject({ lastError: '' });
  });

  it('keep their tags over refreshes; tags of the template and of other lists are avoided', async () => {
    const outbounds = [{ tag: 'sub1-b', protocol: 'freedom' }];
    const { settings } = panel.parts.base;
    await settings.setHidden('coreTemplateConfig', JSON.stringify({ outbounds }));
    onTestFinished(() => settings.setHidden('coreTemplateConfig', ''));
    await add();
    await add({ tagPrefix: 'sub1-' });
    respond = (_request, response) => response.end(list('new', 'b', 'a').replace('#b', '#renamed'));
    const { obj } = await panel.post(`${BASE}/1/refresh`);
    expect(tagsOf(obj as JsonObject[])).toEqual(['sub1-new', 'sub1-b-1', 'sub1-a']);
    expect(await running()).toEqual({
      prepend: [],
      append: ['sub1-new', 'sub1-b-1', 'sub1-a', 'sub1-a-1', 'sub1-b-2'],
    });
  });
});

describe('refreshing', () => {
  beforeEach(() => add());

  it.each<[string, RequestListener, string]>([
    ['an error', (_request, response) => response.writeHead(500).end(), 'http 500'],
    ['an error page', (_request, response) => response.end('<html>Sorry</html>'), 'no outbounds found'],
    ['nothing', (_request, response) => response.end(), 'no outbounds found'],
    ['no HTTP', (request) => request.socket.end('nonsense\r\n\r\n'), '127.0.0.1'],
    [
      'redirects without end',
      (_request, response) => response.writeHead(302, { location: '/' }).end(),
      'stopped after 10 redirects',
    ],
    [
      'too much',
      (_request, response) => response.end(Buffer.alloc(8 * 1024 * 1024 + 1, 'a')),
      'outbound subscription response body exceeds size limit (limit: 8388608 bytes)',
    ],
  ])('%s: the last good outbounds keep running', async (_name, broken, text) => {
    respond = broken;
    const { success, msg } = await panel.post(`${BASE}/1/refresh`);
    expect(success).toBe(false);
    expect(msg).toContain(`Refresh failed (${text}`);
    expect((await row(1)).lastError).toContain(text);
    expect(await running()).toEqual({ prepend: [], append: ['sub1-a', 'sub1-b'] });
    expect(runtime.applied).toHaveLength(1);
  });

  it('touches the core only when something changed', async () => {
    await panel.post(`${BASE}/1/refresh`);
    expect(runtime.applied).toHaveLength(1);
    respond = (_request, response) => response.end(list('a'));
    await panel.post(`${BASE}/1/refresh`);
    expect(runtime.applied).toHaveLength(2);
  });

  it('runs automatically when due, every five minutes after a failure, never while disabled', async () => {
    await add({ updateInterval: '1200' });
    await add({ enabled: 'false' });
    const before = connections;
    await panel.advance(5 * MINUTE);
    expect(connections - before).toBe(0);
    await panel.advance(5 * MINUTE);
    expect(connections - before).toBe(1);
    respond = (_request, response) => response.writeHead(503).end();
    await panel.advance(10 * MINUTE);
    expect(connections - before).toBe(3);
    await panel.advance(5 * MINUTE);
    expect(connections - before).toBe(5);
    expect((await rows()).map(({ lastError }) => lastError)).toEqual(['', 'http 503', 'http 503']);
  });

  it('runs automatically after the clock was set back', async () => {
    panel.jumpClock(20 * 24 * 60 * MINUTE);
    await add({ updateInterval: '1200' });
    panel.jumpClock(-20 * 24 * 60 * MINUTE);
    const before = connections;
    await panel.advance(5 * MINUTE);
    expect(connections - before).toBe(1);
  });

  it('all enabled ones as a job, applied at once', async () => {
    await add({ remark: 'second' });
    await add({ enabled: 'false' });
    const applied = runtime.applied.length;
    respond = (request, response) => response.end(request.url === '/' ? list('x') : '');
    await panel.post(`${BASE}/2`, form({ url: url('/empty') }));
    const { obj } = await panel.post(`${BASE}/refresh`);
    const { jobId } = obj as { jobId: string };
    const job = () => panel.read<Job>(`/jobs/${jobId}`);
    await expect.poll(async () => (await job()).state).toBe('done');
    expect(await job()).toMatchObject({
      done: 2,
      total: 2,
      result: {
        refreshed: 1,
        failed: [{ id: 2, remark: 'second', error: 'no outbounds found' }],
      } satisfies RefreshAllResult,
    });
    expect(runtime.applied.length - applied).toBe(1);
  });
});

describe('changing', () => {
  beforeEach(() => add({ remark: 'one' }));

  it('absent fields are unchanged, and the running outbounds follow at once', async () => {
    expect(await panel.post(`${BASE}/1`, form({ prepend: 'true' }))).toMatchObject({ success: true, obj: '' });
    expect(await row(1)).toMatchObject({ remark: 'one', enabled: true, prepend: true, updateInterval: 600 });
    expect(await running()).toEqual({ prepend: ['sub1-a', 'sub1-b'], append: [] });
    await panel.post(`${BASE}/1`, form({ enabled: 'false' }));
    expect(await running()).toEqual({ prepend: [], append: [] });
    await panel.post(`${BASE}/1`, form({ remark: 'two' }));
    expect(runtime.applied).toHaveLength(3);
    expect(connections).toBe(1);
  });

  it('a new URL is fetched, and its failure keeps the old outbounds running', async () => {
    respond = (request, response) =>
      request.url === '/next' ? response.end(list('b', 'c')) : response.writeHead(404).end();
    await panel.post(`${BASE}/1`, form({ url: url('/next') }));
    expect(await running()).toEqual({ prepend: [], append: ['sub1-b', 'sub1-c'] });
    await panel.post(`${BASE}/1`, form({ url: url('/gone') }));
    expect(await row(1)).toMatchObject({ url: url('/gone'), lastError: 'http 404', lastUpdated: 0 });
    expect(await running()).toEqual({ prepend: [], append: ['sub1-b', 'sub1-c'] });
  });

  it('a name that now resolves to a private address does not prevent renaming or disabling', async () => {
    names['moved.test'] = ['127.0.0.1'];
    const stored = { url: 'http://moved.test/', allowPrivate: 0 as const };
    await panel.store.write((trx) => trx.updateTable('outboundSubs').set(stored).execute());
    const change = { url: 'http://moved.test/', remark: 'off', enabled: 'false', allowPrivate: 'false' };
    expect((await panel.post(`${BASE}/1`, form(change))).success).toBe(true);
    expect(await row(1)).toMatchObject({ remark: 'off', enabled: false });
  });

  it('a change that restarted the core is reported as such', async () => {
    const apply = vi.spyOn(runtime, 'apply').mockResolvedValue({ core: { kind: 'restarted' }, nodePending: false });
    onTestFinished(() => apply.mockRestore());
    const restarted = { success: true, msg: expect.stringContaining('The core has been restarted') };
    expect(await panel.post(`${BASE}/1`, form({ prepend: 'true' }))).toMatchObject(restarted);
    expect(await add({ prepend: 'true' })).toMatchObject({ prepend: true });
    expect(await panel.post(`${BASE}/2/move`, form({ dir: 'up' }))).toMatchObject(restarted);
    expect(await remove(1)).toMatchObject(restarted);
  });

  it('a new prefix renames its outbounds at once and for good', async () => {
    await panel.post(`${BASE}/1`, form({ tagPrefix: 'hk-' }));
    expect(await running()).toEqual({ prepend: [], append: ['hk-a', 'hk-b'] });
    await panel.post(`${BASE}/1/refresh`);
    expect(await running()).toEqual({ prepend: [], append: ['hk-a', 'hk-b'] });
    await panel.post(`${BASE}/1`, form({ tagPrefix: '' }));
    expect(await row(1)).toMatchObject({ tagPrefix: 'sub1-' });
  });

  it('a private URL without permission is refused, also when only the permission is removed', async () => {
    const refused = 'Failed to update outbound subscription (blocked private/internal address 127.0.0.1)';
    expect((await panel.post(`${BASE}/1`, form({ allowPrivate: 'false' }))).msg).toBe(refused);
    expect(await row(1)).toMatchObject({ allowPrivate: true });
  });

  it('unknown and malformed ids', async () => {
    expect((await panel.post(`${BASE}/9`, form({}))).msg).toBe(
      'Failed to update outbound subscription (subscription not found)',
    );
    expect((await panel.post(`${BASE}/9/refresh`)).msg).toBe('subscription not found');
    expect((await panel.post(`${BASE}/9/move`, form({ dir: 'up' }))).msg).toBe('subscription not found');
    for (const path of ['/x', '/0', '/1e3', '/x/refresh', '/x/move', '/x/del'])
      expect((await panel.post(`${BASE}${path}`, form({}))).msg).toBe('Invalid id');
    expect((await remove('x')).msg).toBe('Invalid id');
  });

  it('moves among its neighbours and stops at the ends', async () => {
    respond = (_request, response) => response.end(list('z'));
    await add();
    await add();
    const order = async (): Promise<number[]> =>
      (await rows()).toSorted((a, b) => a.priority - b.priority).map(({ id }) => id);
    await panel.post(`${BASE}/3/move`, form({ dir: 'up' }));
    expect(await order()).toEqual([1, 3, 2]);
    expect(await running()).toEqual({ prepend: [], append: ['sub1-a', 'sub1-b', 'sub3-z', 'sub2-z'] });
    await panel.post(`${BASE}/1/move`, form({ dir: 'up' }));
    await panel.post(`${BASE}/2/move`, form({ dir: 'down' }));
    expect(await order()).toEqual([1, 3, 2]);
    await panel.post(`${BASE}/1/move`, form({}));
    expect(await order()).toEqual([3, 1, 2]);
  });

  it('can be deleted by either method; an unknown id is no error', async () => {
    await add();
    expect(await remove(1)).toEqual({ success: true, msg: 'The outbound subscription has been deleted.', obj: '' });
    expect(await running()).toEqual({ prepend: [], append: ['sub2-a', 'sub2-b'] });
    expect((await panel.post(`${BASE}/2/del`)).success).toBe(true);
    const applied = runtime.applied.length;
    expect((await remove(1)).success).toBe(true);
    expect(runtime.applied).toHaveLength(applied);
    expect(await rows()).toEqual([]);
  });

  it('a corrupted row breaks neither the core nor the list', async () => {
    for (const broken of ['', '{', '[1,null]', '{"a":1}']) {
      const texts = { outbounds: broken, knownTags: broken, leftOut: broken };
      await panel.store.write((trx) => trx.updateTable('outboundSubs').set(texts).execute());
      expect(await running()).toEqual({ prepend: [], append: [] });
      expect(await row(1)).toMatchObject({ leftOut: [] });
    }
    await panel.post(`${BASE}/1/refresh`);
    expect(await running()).toEqual({ prepend: [], append: ['sub1-a', 'sub1-b'] });
  });

  it('a row without a prefix gets one with its first fetch', async () => {
    await add();
    const bare = { tagPrefix: '', knownTags: '[]', outbounds: '[]' };
    await panel.store.write((trx) => trx.updateTable('outboundSubs').set(bare).where('id', '=', 1).execute());
    await panel.post(`${BASE}/1/refresh`);
    expect(await row(1)).toMatchObject({ tagPrefix: 'sub1-' });
    expect(await running()).toEqual({ prepend: [], append: ['sub1-a', 'sub1-b', 'sub2-a', 'sub2-b'] });
  });

  it('a list deleted while it is fetched leaves nothing behind', async () => {
    let release = (): void => undefined;
    const requested = new Promise<void>((onRequest) => {
      respond = (_request, response) => {
        release = () => response.end(list('late'));
        onRequest();
      };
    });
    const refreshing = panel.post(`${BASE}/1/refresh`);
    await requested;
    await remove(1);
    release();
    expect((await refreshing).msg).toBe('subscription not found');
    expect(await running()).toEqual({ prepend: [], append: [] });
  });
});

describe('a preview', () => {
  it('returns the outbounds under the tags a new row would have and stores nothing', async () => {
    await add();
    respond = (_request, response) => response.end(`${list('a', 'bad')}\ntuic://x`);
    badPasswords = ['bad'];
    const params = { url: url(), allowPrivate: 'true' };
    const { obj } = await panel.post(`${BASE}/parse`, form(params));
    expect(tagsOf(obj as JsonObject[])).toEqual(['sub2-a']);
    expect(
      (await panel.post(`${BASE}/parse`, form({ ...params, details: 'true', tagPrefix: 'p-' }))).obj,
    ).toMatchObject({
      outbounds: [{ tag: 'p-a', protocol: 'trojan' }],
      leftOut: [{ tag: 'p-bad' }, { tag: 'tuic' }],
    });
    expect(await rows()).toHaveLength(1);
    expect(runtime.applied).toHaveLength(1);
  });

  it('reports why there is none', async () => {
    respond = (_request, response) => response.writeHead(403).end();
    expect((await panel.post(`${BASE}/parse`, form({ url: url(), allowPrivate: 'true' }))).msg).toBe(
      'Failed to fetch/parse subscription (http 403)',
    );
    expect((await panel.post(`${BASE}/parse`, form({}))).msg).toBe(
      'Failed to fetch/parse subscription (url is required)',
    );
  });
});

describe('private addresses', () => {
  /** Every call that dials a given address. */
  const dialling: [string, (wanted: string) => Promise<Envelope>][] = [
    ['create', (wanted) => panel.post(BASE, form({ url: wanted }))],
    ['parse', (wanted) => panel.post(`${BASE}/parse`, form({ url: wanted }))],
    ['update', (wanted) => panel.post(`${BASE}/1`, form({ url: wanted, allowPrivate: 'false' }))],
  ];
  const hosts = (port: number): string[] => [
    `127.0.0.1:${port}`,
    `2130706433:${port}`,
    `[64:ff9b::7f00:1]:${port}`,
    '169.254.169.254',
    `LOOPBACK.test.:${port}`,
    `mixed.test:${port}`,
    `user:pass@127.0.0.1:${port}`,
  ];

  test.each(dialling)('%s refuses them in any spelling and dials none', async (_name, call) => {
    names['loopback.test'] = ['127.0.0.1'];
    names['mixed.test'] = ['93.184.216.34', '127.0.0.1'];
    const port = portOf(provider);
    await add();
    connections = 0;
    for (const host of hosts(port)) {
      const { success, msg } = await call(`http://${host}/`);
      expect([host, success, msg]).toEqual([host, false, expect.stringContaining('blocked private/internal address')]);
    }
    expect(connections).toBe(0);
    expect(await rows()).toMatchObject([{ id: 1, url: url(), allowPrivate: true, lastError: '' }]);
  });

  it('a stored name that later resolves to a private address is not dialled at a refresh', async () => {
    const port = portOf(provider);
    await add();
    await panel.store.write((trx) =>
      trx
        .updateTable('outboundSubs')
        .set({ url: `http://later.test:${port}/`, allowPrivate: 0 })
        .execute(),
    );
    connections = 0;
    names['later.test'] = ['127.0.0.1'];
    expect((await panel.post(`${BASE}/1/refresh`)).msg).toBe(
      'Refresh failed (host later.test resolves to blocked private/internal address 127.0.0.1)',
    );
    expect(connections).toBe(0);
    expect(await running()).toEqual({ prepend: [], append: ['sub1-a', 'sub1-b'] });
  });

  it('a DNS answer that changes between check and use is checked again', async () => {
    const port = portOf(provider);
    let lookups = 0;
    Object.defineProperty(names, 'rebind.test', {
      get: () => [(lookups += 1) === 1 ? '93.184.216.34' : '127.0.0.1'],
    });
    const { obj } = await panel.post(BASE, form({ url: `http://rebind.test:${port}/` }));
    expect(obj).toMatchObject({
      lastError: 'host rebind.test resolves to blocked private/internal address 127.0.0.1',
      outboundCount: 0,
    });
    expect(lookups).toBe(2);
    expect(connections).toBe(0);
  });

  it('a redirect to a private address is refused, whatever the first host was allowed', async () => {
    let isReached = false;
    const inner = createServer((_request, response) => {
      isReached = true;
      response.end(list('inside'));
    });
    await listening(inner);
    names['inner.test'] = ['127.0.0.1'];
    respond = (_request, response) =>
      response.writeHead(302, { location: `http://inner.test:${portOf(inner)}/` }).end();
    expect(await add()).toMatchObject({
      lastError: 'host inner.test resolves to blocked private/internal address 127.0.0.1',
    });
    expect(isReached).toBe(false);
    inner.close();
  });

  it('a name that does not resolve yet is stored and reported', async () => {
    expect((await panel.post(BASE, form({ url: 'http://nowhere.test/' }))).obj).toMatchObject({
      lastError: expect.stringContaining('cannot resolve host nowhere.test'),
    });
  });
});

it('a stop of the panel aborts the fetch and writes nothing', async () => {
  await add();
  const requested = new Promise<void>((onRequest) => {
    respond = () => onRequest();
  });
  const refreshing = panel.post(`${BASE}/1/refresh`);
  await requested;
  await panel.parts.coreTools.outboundSubs.close();
  expect((await refreshing).msg).toBe('Refresh failed (the panel is stopping)');
  expect(await row(1)).toMatchObject({ lastError: '' });
});
