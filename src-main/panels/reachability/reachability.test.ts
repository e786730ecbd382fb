import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { afterTest } from '../../../src-server/testing/for-each-test.ts';
import { API_TOKEN } from '../../../src-server/testing/credentials.ts';
import { openPanel } from '../../../src-server/testing/panels/open-panel.ts';
import { openRecordedPanel } from '../../../src-server/testing/peers/recorded-panel.ts';
import type { ReachabilityRun, ReachabilityWay } from '../../bridge/maintenance.ts';
import { remoteLink } from '../../connections/link.ts';
import { target } from '../testing-target.ts';
import { openSealedStore } from '../store/sealed-store.ts';
import { createPanelApi, type PanelApi } from '../maintenance/panel-api.ts';
import { blockedOf } from './blocked.ts';
import { isUsable } from './choose-clients.ts';
import { findWays } from './find-ways.ts';
import { openHistory } from './history.ts';
import { addressIn } from './measure.ts';
import { tryPanel } from './try-panel.ts';

function apiOf(address: string, token = API_TOKEN): PanelApi {
  const far = target('far', address, token);
  const link = remoteLink(far.saved, far.secrets, () => undefined);
  afterTest(() => link.close());
  return createPanelApi(far, link);
}

it('tries each enabled inbound by the link of a client that may connect, and names that client', async () => {
  const panel = await openPanel({ startMs: Date.now() });
  afterTest(() => panel.close());
  const door = await panel.inbound(4430, { remark: 'Door' });
  const side = await panel.inbound(4431, { remark: 'Side' });
  const empty = await panel.inbound(4432, { remark: 'Empty' });
  await panel.inbound(4433, { remark: 'Off', enable: false });
  await panel.add({ email: 'off@example.org', enable: false }, [door, empty]);
  await panel.add({ email: 'spent@example.org', totalGB: 1000 }, [door]);
  await panel.done('/clients/updateTraffic/spent%40example.org', { upload: 600, download: 600 });
  await panel.add({ email: 'both@example.org' }, [door, side]);
  await panel.add({ email: 'alone@example.org' }, [door]);
  const api = apiOf(panel.app.panel.url);

  const { found, unusable } = await findWays(api, '', Date.now());
  expect(found.map(({ way }) => `${way.inbound} ${way.client} ${way.address.split(':').at(-1)}`)).toEqual([
    'Door alone@example.org 4430',
    'Side both@example.org 4431',
  ]);
  expect(unusable.map(({ inbound, words }) => `${inbound} ${words}`)).toEqual(['Empty noClient']);
  const preferred = await findWays(api, 'both@example.org', Date.now());
  expect(preferred.found.map(({ way }) => way.client)).toEqual(['both@example.org', 'both@example.org']);
  // One that may not connect is not used, even if preferred.
  const spent = await findWays(api, 'spent@example.org', Date.now());
  expect(spent.found[0]!.way.client).toBe('alone@example.org');
});

it('a client may connect unless it is disabled, depleted or expired', () => {
  const client = { enable: true, totalGB: 0, expiryTime: 0, traffic: { up: 0, down: 0 } };
  const usable = (more: Partial<typeof client>): boolean => isUsable({ ...client, ...more }, 1_000);
  expect([usable({}), usable({ expiryTime: -5 }), usable({ expiryTime: 1_001 })]).toEqual([true, true, true]);
  expect([
    usable({ enable: false }),
    usable({ expiryTime: 999 }),
    usable({ totalGB: 10, traffic: { up: 5, down: 5 } }),
  ]).toEqual([false, false, false]);
});

it('without links, without an answer, or without a core here: reported, and nothing is tried', async () => {
  const other = await openRecordedPanel({ token: 'theirs' });
  afterTest(other.close);
  const { found, unusable } = await findWays(apiOf(other.url, 'theirs'), '', Date.now());
  expect(found).toEqual([]);
  expect(new Set(unusable.map(({ words }) => words))).toEqual(new Set(['noClient', 'noLink']));

  const trial = {
    panelId: 'far',
    downloadUrl: 'http://127.0.0.1/',
    addressUrl: '',
    client: '',
    signal: new AbortController().signal,
    onProgress: () => undefined,
  };
  const noCore = () => Promise.reject(new Error('No proxy core was found.'));
  expect(await tryPanel(apiOf(other.url, 'theirs'), noCore, trial, () => 5)).toEqual({
    panelId: 'far',
    atMs: 5,
    words: 'No proxy core was found.',
    ways: [],
  });
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const core = async () => ({ binary: '', env: {}, folder: '' });
  const away = await tryPanel(apiOf(`http://127.0.0.1:${port}/`), core, trial, () => 5);
  expect(away).toMatchObject({ ways: [], words: expect.stringContaining('ECONNREFUSED') });
});

const way = (inboundId: number, state: ReachabilityWay['state']): ReachabilityWay => ({
  inboundId,
  inbound: `in ${inboundId}`,
  protocol: 'vless',
  address: '',
  client: '',
  state,
  connectMs: null,
  firstByteMs: null,
  bytesPerSec: null,
  exitAddress: '',
  words: '',
});

it('an inbound is blocked when none of its ways gets through; its history is kept, newest first, and bounded', () => {
  const ways = [way(1, 'ok'), way(1, 'blocked'), way(2, 'blocked'), way(2, 'blocked'), way(3, 'unusable')];
  expect(blockedOf({ panelId: 'a', atMs: 1, words: '', ways })).toEqual(['in 2']);
  const history = openHistory(openSealedStore(null, randomBytes(32)));
  const run = (panelId: string, atMs: number): ReachabilityRun => ({ panelId, atMs, words: '', ways: [] });
  for (let atMs = 1; atMs <= 300; atMs += 1) history.add(run('a', atMs));
  history.add(run('gone', 1));
  expect([history.runs('a').length, history.runs('a')[0]!.atMs, history.latest(['a', 'b'])['a']!.atMs]).toEqual([
    250, 300, 300,
  ]);
  history.forgetOthers(new Set(['a']));
  expect([history.runs('gone'), history.runs('a').length]).toEqual([[], 250]);
});

it('reads the address from the answers of such services', () => {
  expect(addressIn('203.0.113.7\n')).toBe('203.0.113.7');
  expect(addressIn('{"ip":"2001:db8::1"}')).toBe('2001:db8::1');
  expect(addressIn('fl=1\nh=x\nip=198.51.100.9\nts=1.5')).toBe('198.51.100.9');
  expect(addressIn('<html>sign in</html>')).toBe('');
});
