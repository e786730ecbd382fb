import { beforeEach, expect, it } from 'vitest';
import { foldText } from '../../store/fold-text.ts';
import { forEachTest } from '../../testing/for-each-test.ts';
import { PANEL_GUID, trafficPanel } from '../../testing/panels/traffic-panel.ts';
import { createLiveSessionService, type LiveSessionService } from './service.ts';

interface Page {
  items: { email: string; since: number; up: number | null; down: number | null }[];
  total: number;
  filtered: number;
}
let inbound: number;
const panel = forEachTest(trafficPanel);
beforeEach(async () => {
  panel.core.canCut = true;
  inbound = await panel.addInbound('in-443-tcp');
});

const list = async (query = '') => (await panel.get(`/clients/sessions/live?${query}`)).obj as Page;
const names = async (query = '') => (await list(query)).items.map(({ email }) => email);

async function move(email: string, up: number, down: number): Promise<void> {
  panel.core.move('users', email, up, down);
  panel.core.move('inbounds', 'in-443-tcp', up, down);
  await panel.tick();
}
const seen = (email: string, ip: string, guid = PANEL_GUID) =>
  panel.store.write((trx) =>
    trx
      .insertInto('clientAddresses')
      .values({ emailKey: foldText(email), email, guid, ip, seenAtSec: Math.floor(panel.clock() / 1000) })
      .execute(),
  );

it('shows who is online here: since when, from which address, on which inbound, how fast', async () => {
  await panel.addClient('alice', { inboundIds: [inbound, await panel.addInbound('idle')] });
  await panel.addClient('bob', { inboundIds: [inbound] });
  await panel.addClient('idle');
  expect(await list()).toMatchObject({ items: [], total: 0, places: [] });
  await move('alice', 10, 100);
  await seen('alice', '192.0.2.7');
  const firstMs = panel.clock();
  expect(await list()).toEqual({
    items: [
      {
        email: 'alice',
        guid: PANEL_GUID,
        place: '',
        isHere: true,
        since: firstMs,
        addresses: [{ ip: '192.0.2.7', seen: Math.floor(firstMs / 1000) * 1000 }],
        inbounds: [{ id: inbound, name: 'in-443-tcp', protocol: 'vless' }],
        up: null,
        down: null,
      },
    ],
    total: 1,
    filtered: 1,
    places: [{ guid: PANEL_GUID, place: '', isHere: true, count: 1 }],
    now: firstMs,
  });
  panel.core.move('users', 'bob', 1, 1);
  await move('alice', 500, 5_000);
  expect((await list('sort=down&order=descend')).items).toMatchObject([
    { email: 'alice', since: firstMs, up: 100, down: 1_000 },
    { email: 'bob', since: panel.clock(), up: null },
  ]);
});

it('searches, filters and pages on the server, and ends the sessions of all matching clients', async () => {
  await list();
  for (const name of ['ann', 'ben', 'cyd']) {
    await panel.addClient(name, { inboundIds: name === 'cyd' ? [] : [inbound] });
    await seen(name, name === 'ben' ? '198.51.100.4' : '192.0.2.4');
    panel.core.move('users', name, 1, 1);
  }
  panel.core.online = [{ email: 'ben', ips: [{ ip: '198.51.100.4', lastSeenMs: panel.clock() }] }];
  panel.core.connections.add('443 198.51.100.4');
  await panel.tick();
  expect(await names()).toEqual(['ann', 'ben', 'cyd']);
  expect(await names('pageSize=2&page=2')).toEqual(['cyd']);
  expect(await names('order=descend&pageSize=1')).toEqual(['cyd']);
  expect(await names('q=BE')).toEqual(['ben']);
  expect(await names('q=198.51.')).toEqual(['ben']);
  expect(await names(`inbound=${inbound}`)).toEqual(['ann', 'ben']);
  expect(await list('guid=elsewhere')).toMatchObject({ items: [], total: 3, filtered: 0 });
  const { obj } = await panel.post('/clients/sessions/endLive', { q: '198.51.', how: 'cut' });
  expect(obj).toMatchObject({ step: 'cut', connections: 1 });
  expect(panel.core.cuts).toEqual([{ port: 443, addresses: ['198.51.100.4'] }]);
  expect((await panel.get('/clients/sessions/live?pageSize=500')).success).toBe(false);
});

it('names the node that serves a client, with the inbounds that run there', async () => {
  const nodeId = await panel.unreachableNode();
  await panel.store.write((trx) => trx.updateTable('nodes').set({ guid: 'far' }).where('id', '=', nodeId).execute());
  const there = await panel.addInbound('far-1', { nodeId });
  await panel.addClient('alice', { inboundIds: [inbound, there] });
  await seen('alice', '203.0.113.9', 'far');
  const online = new Set(['alice']);
  const sessions: LiveSessionService = createLiveSessionService({
    store: panel.store,
    panelGuid: PANEL_GUID,
    here: { emails: () => new Set(), tags: () => new Set() },
    there: { emails: () => online, byGuid: () => ({ far: ['alice'] }), activeByGuid: () => ({ far: ['far-1'] }) },
    end: async () => {
      throw new Error('not asked for');
    },
    clock: panel.clock,
    monotonic: panel.clock,
    schedule: panel.schedule,
  });
  const { items } = await sessions.list({
    q: '',
    guid: 'far',
    inbound: 0,
    sort: 'email',
    order: 'ascend',
    page: 1,
    pageSize: 50,
  });
  expect(items).toMatchObject([
    {
      email: 'alice',
      place: 'away',
      isHere: false,
      addresses: [{ ip: '203.0.113.9' }],
      inbounds: [{ id: there, name: 'far-1' }],
    },
  ]);
});
