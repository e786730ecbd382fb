import { afterEach, beforeEach, expect, it } from 'vitest';
import { PANEL_GUID, trafficPanel, type TrafficPanel } from '../../../testing/panels/traffic-panel.ts';

const BASE = '/clients/quarantine';
const JUMP = 1e13;
let panel: TrafficPanel;
let inboundId: number;
let alice: number;
beforeEach(async () => {
  panel = await trafficPanel();
  inboundId = await panel.addInbound('in-443-tcp');
  alice = await panel.addClient('alice', { inboundIds: [inboundId] });
  panel.core.move('users', 'alice', 1, 1);
  panel.core.move('inbounds', 'in-443-tcp', 1, 1);
  panel.core.move('outbounds', 'direct', 1, 1);
  await panel.tick();
  // A plausible number beside an implausible one is set aside with it.
  panel.core.move('users', 'alice', JUMP, 5);
  panel.core.move('inbounds', 'in-443-tcp', JUMP, 0);
  panel.core.move('outbounds', 'direct', JUMP, 0);
  await panel.tick();
});
afterEach(async () => {
  await panel.close();
});

interface Delta {
  id: number;
  kind: string;
  owner: string | null;
}
const list = async (query = ''): Promise<Delta[]> => (await panel.get(BASE + query)).obj as Delta[];
const idOf = async (kind: string): Promise<number> => (await list()).find((delta) => delta.kind === kind)!.id;

it('lists quarantined differences, newest first, page by page', async () => {
  const all = await list();
  expect(all.map(({ kind }) => kind)).toEqual(['outbound', 'inbound', 'user']);
  expect(all[2]).toEqual({
    id: all[2]!.id,
    at: panel.clock(),
    kind: 'user',
    subject: 'alice',
    owner: 'alice',
    guid: PANEL_GUID,
    up: JUMP,
    down: 5,
    interval: 5_000,
  });
  expect((await list(`?before=${all[0]!.id}`)).map(({ kind }) => kind)).toEqual(['inbound', 'user']);
});

it('credits a client: its counters, its ledger, and nothing else', async () => {
  panel.events.length = 0;
  const response = await panel.post(`${BASE}/${await idOf('user')}/credit`);
  expect(response).toMatchObject({ success: true, msg: 'The bytes have been counted.', obj: { owner: 'alice' } });
  expect(await panel.state(alice)).toMatchObject({ upBytes: JUMP + 1, downBytes: 6 });
  expect(await panel.ledgerSum(alice, 'core')).toEqual({ up: JUMP + 1, down: 6 });
  expect(panel.events).toEqual([{ type: 'invalidate', resource: 'clients' }]);
  expect((await list()).map(({ kind }) => kind)).toEqual(['outbound', 'inbound']);
  expect((await panel.inbound(inboundId)).upBytes).toBe(1);
});

it('credits under the current name, and inbounds and outbounds too', async () => {
  await panel.renameClient(alice, 'alicia');
  expect((await list()).map(({ owner }) => owner)).toEqual(['direct', 'in-443-tcp', 'alicia']);
  for (const kind of ['user', 'inbound', 'outbound'])
    expect(await panel.post(`${BASE}/${await idOf(kind)}/credit`)).toMatchObject({ success: true });
  expect((await panel.state(alice)).upBytes).toBe(JUMP + 1);
  expect((await panel.inbound(inboundId)).upBytes).toBe(JUMP + 1);
  const outbounds = await panel.store.reader.selectFrom('outboundTraffics').selectAll().execute();
  expect(outbounds).toEqual([{ tag: 'direct', upBytes: JUMP + 1, downBytes: 1 }]);
  expect(await list()).toEqual([]);
});

it('counts once, however many concurrent requests there are', async () => {
  const id = await idOf('user');
  const responses = await Promise.all([1, 2, 3].map(() => panel.post(`${BASE}/${id}/credit`)));
  expect(responses.filter(({ success }) => success)).toHaveLength(1);
  expect((await panel.state(alice)).upBytes).toBe(JUMP + 1);
});

it('stops at the largest number, and the ledger with it', async () => {
  const top = Number.MAX_SAFE_INTEGER;
  await panel.store.write((trx) =>
    panel.service().port.setCounters(trx, [alice], { upBytes: top - 5, downBytes: 0 }, 'manual', panel.clock()),
  );
  await panel.post(`${BASE}/${await idOf('user')}/credit`);
  expect((await panel.state(alice)).upBytes).toBe(top);
  expect((await panel.ledgerSum(alice)).up).toBe(top);
});

it('dismisses without counting', async () => {
  const response = await panel.post(`${BASE}/${await idOf('user')}/dismiss`);
  expect(response).toMatchObject({ success: true, msg: 'The difference has been dismissed.' });
  expect(await panel.state(alice)).toMatchObject({ upBytes: 1, downBytes: 1 });
  expect((await list()).map(({ kind }) => kind)).toEqual(['outbound', 'inbound']);
});

it('reports errors: no owner to credit, already settled, no id', async () => {
  const id = await idOf('user');
  await panel.deleteClient(alice);
  expect(await panel.post(`${BASE}/${id}/credit`)).toMatchObject({
    success: false,
    msg: '"alice" no longer exists, so nothing can be credited. Dismiss the difference instead.',
  });
  expect(await list()).toHaveLength(3);
  await panel.post(`${BASE}/${id}/dismiss`);
  expect(await panel.post(`${BASE}/${id}/dismiss`)).toMatchObject({
    success: false,
    msg: `there is no quarantined difference ${id}; it may have been settled already`,
  });
  expect(await panel.post(`${BASE}/1e3/credit`)).toMatchObject({ success: false });
  expect(await panel.get(`${BASE}?before=x`)).toMatchObject({ success: false });
});
