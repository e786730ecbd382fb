import { beforeAll, expect, test } from 'vitest';
import type { JournalEntry } from '../journal/contract.ts';
import { forAllTests } from '../../testing/for-each-test.ts';
import { capturedState, unbalanced } from '../../testing/journal/captured-state.ts';
import { DAY_MS, GIB, startClientPanel } from '../../testing/panels/client-panel.ts';
import type { Plan, PlanPreview } from './contract.ts';

let first: number;
let second: number;
let gold: Plan;
let other: number;

const plans = (call: string, body?: object) => panel.call(body === undefined ? 'GET' : 'POST', `/plans${call}`, body);
const terms = { quotaBytes: 50 * GIB, days: 30, limitIp: 2, group: 'gold' };
const listed = async () => panel.ok<Plan[]>(plans(''));
const lastEntry = async (): Promise<JournalEntry> =>
  (await panel.read<{ entries: JournalEntry[] }>('/journal/list?limit=1')).entries[0]!;

const panel = forAllTests(startClientPanel);
beforeAll(async () => {
  first = await panel.inbound();
  second = await panel.inbound('trojan');
  other = await panel.inbound('dokodemo-door');
});

test('a plan has a unique name and inbounds that support clients', async () => {
  gold = await panel.ok<Plan>(plans('/add', { name: ' Gold ', ...terms, inboundIds: [second, first] }));
  expect(gold).toEqual({
    id: gold.id,
    name: 'Gold',
    ...terms,
    startsAtFirstUse: false,
    reset: 0,
    resetDay: 0,
    flow: '',
    inboundIds: [first, second],
    clientCount: 0,
  });
  expect(await listed()).toEqual([gold]);
  expect(await panel.refusal(plans('/add', { name: 'gOLD' }))).toContain('already');
  expect(await panel.refusal(plans('/add', { name: 'a', inboundIds: [999] }))).toContain('inbound 999');
  expect(await panel.refusal(plans('/add', { name: 'a', inboundIds: [other] }))).toContain('dokodemo-door');
  expect((await plans('/add', { name: 'a', reset: 3, resetDay: 4 })).success).toBe(false);
  expect((await plans('/add', { name: '' })).success).toBe(false);
  expect((await plans('/add', { name: 'a', group: '..' })).success).toBe(false);
  expect(await panel.refusal(plans('/update/999', { name: 'a' }))).toContain('no plan 999');
  const silver = await panel.ok<Plan>(plans('/add', { name: 'Silver' }));
  expect(await panel.refusal(plans(`/update/${silver.id}`, { name: 'GOLD' }))).toContain('already');
  expect(await panel.refusal(plans(`/update/${silver.id}`, { name: 'Silver', inboundIds: [999] }))).toContain('999');
  expect(await panel.ok<Plan>(plans(`/update/${silver.id}`, { name: 'SILVER' }))).toEqual({
    ...silver,
    name: 'SILVER',
  });
  await panel.ok(plans(`/del/${silver.id}`, {}));
});

test('a new client takes missing values from its plan', async () => {
  const now = panel.time.nowMs;
  await panel.ok(panel.post('/add', { client: { email: 'anna', planId: gold.id } }));
  const anna = await panel.stored('anna');
  expect(anna).toMatchObject({
    planId: gold.id,
    quotaBytes: 50 * GIB,
    expiresAtMs: now + 30 * DAY_MS,
    limitIp: 2,
    groupName: 'gold',
  });
  expect((await panel.ok<{ inboundIds: number[] }>(panel.get('/get/anna'))).inboundIds).toEqual([first, second]);
  const own = { email: 'bert', planId: gold.id, totalGB: 0, expiryTime: 0, limitIp: 0, group: 'mine', reset: 7 };
  await panel.ok(panel.post('/add', { client: own, inboundIds: [first] }));
  expect(await panel.stored('bert')).toMatchObject({
    planId: gold.id,
    quotaBytes: 0,
    expiresAtMs: 0,
    limitIp: 0,
    groupName: 'mine',
    resetDays: 7,
  });
  const many = ['cleo', 'dora'].map((email) => ({ client: { email, planId: gold.id } }));
  const made = await panel.ok(panel.post('/bulkCreate', [...many, { client: { email: 'x', planId: 999 } }] as object));
  expect(made).toMatchObject({
    created: 2,
    skipped: [{ email: 'x', code: 'client.planUnknown', params: { id: 999 } }],
  });
  expect(await panel.stored('dora')).toMatchObject({ quotaBytes: 50 * GIB, planId: gold.id });
  expect(await panel.refusal(panel.post('/add', { client: { email: 'y', planId: 999 } }))).toContain('no plan 999');
  expect((await listed())[0]!.clientCount).toBe(4);
  const { items } = await panel.ok<{ items: { email: string; planId: number }[] }>(
    panel.get(`/list/paged?plan=${gold.id}&search=anna`),
  );
  expect(items.map(({ email, planId }) => [email, planId])).toEqual([['anna', gold.id]]);
  expect(await panel.ok(panel.get('/list/paged?plan=999'))).toMatchObject({ filtered: 0 });
});

test('an update keeps the plan unless it names another', async () => {
  await panel.ok(panel.post('/update/bert', { email: 'bert', totalGB: 5 }));
  expect(await panel.stored('bert')).toMatchObject({ planId: gold.id, quotaBytes: 5 });
  expect(await panel.refusal(panel.post('/update/bert', { email: 'bert', planId: 999 }))).toContain('no plan 999');
  await panel.ok(panel.post('/update/bert', { email: 'bert', totalGB: 5, planId: 0 }));
  expect((await panel.stored('bert'))!.planId).toBe(0);
});

test('applying a changed plan can be previewed, and is one entry that can be undone', async () => {
  gold = await panel.ok<Plan>(
    plans(`/update/${gold.id}`, { name: 'Gold', ...terms, quotaBytes: 60 * GIB, days: 40, inboundIds: [first] }),
  );
  expect((await panel.stored('anna'))!.quotaBytes).toBe(50 * GIB);
  const application = { parts: ['quota', 'term', 'inbounds'], addDays: 10 };
  const [stored, before] = [await panel.stored('anna'), await capturedState(panel.store.reader)];
  const preview = await panel.ok<PlanPreview>(plans(`/preview/${gold.id}`, application));
  expect(preview).toMatchObject({
    total: 3,
    changed: 3,
    parts: { quota: 3, term: 3, inbounds: 3, limitIp: 0, group: 0, flow: 0, renewal: 0 },
  });
  expect(preview.clients[0]).toEqual({
    email: 'anna',
    before: { totalGB: 50 * GIB, expiryTime: stored!.expiresAtMs, inboundIds: [first, second] },
    after: { totalGB: 60 * GIB, expiryTime: stored!.expiresAtMs + 10 * DAY_MS, inboundIds: [first] },
  });
  expect(await capturedState(panel.store.reader)).toEqual(before);

  const last = await lastEntry();
  expect(await panel.ok(plans(`/apply/${gold.id}`, application))).toMatchObject({ changed: 3, skipped: [] });
  const entry = await lastEntry();
  expect(entry.id).toBe(last.id + 1);
  expect(entry.parts).toMatchObject([{ kind: 'client', action: 'changed', count: 3 }]);
  expect(await panel.stored('anna')).toMatchObject({
    quotaBytes: 60 * GIB,
    expiresAtMs: stored!.expiresAtMs + 10 * DAY_MS,
  });
  expect((await panel.ok<{ inboundIds: number[] }>(panel.get('/get/anna'))).inboundIds).toEqual([first]);
  expect(await panel.ok(plans(`/preview/${gold.id}`, { parts: ['quota', 'inbounds'] }))).toMatchObject({ changed: 0 });
  await panel.done(`/journal/undo/${entry.id}`);
  expect(await capturedState(panel.store.reader)).toEqual(before);
  expect(await unbalanced(panel.store.reader)).toEqual([]);
});

test('a plan is given to clients by name; clients waiting for their first use get the full new term', async () => {
  await panel.add({ email: 'late', expiryTime: -5 * DAY_MS }, [first]);
  await panel.add({ email: 'never' }, [first]);
  const now = panel.time.nowMs;
  const result = await panel.ok(plans(`/apply/${gold.id}`, { emails: ['late', 'never', 'nobody'] }));
  expect(result).toMatchObject({ changed: 2, skipped: [{ email: 'nobody', code: 'client.notFound' }] });
  expect(await panel.stored('late')).toMatchObject({ planId: gold.id, expiresAtMs: -40 * DAY_MS, groupName: 'gold' });
  expect(await panel.stored('never')).toMatchObject({ planId: gold.id, expiresAtMs: now + 40 * DAY_MS });
});

test('a plan that renews on a day of the month ends on that day: for new clients, in its preview and when applied', async () => {
  const capable = await panel.inbound('vless', {}, { network: 'tcp', security: 'reality' });
  const values = { resetDay: 20, limitIp: 3, flow: 'xtls-rprx-vision' };
  const monthly = await panel.ok<Plan>(plans('/add', { name: 'Monthly', ...values }));
  await panel.ok(panel.post('/add', { client: { email: 'mona', planId: monthly.id }, inboundIds: [capable] }));
  await panel.add({ email: 'endless', group: 'kept', reset: 30, expiryTime: 0 }, [capable]);
  const { expiresAtMs: expiryTime } = (await panel.stored('mona'))!;
  expect(new Date(expiryTime).getUTCDate()).toBe(20);
  const application = { emails: ['mona', 'endless'] };
  const change = { total: 2, changed: 1, parts: { term: 1, renewal: 1, limitIp: 1, group: 0, flow: 1 } };
  expect(await panel.ok<PlanPreview>(plans(`/preview/${monthly.id}`, application))).toMatchObject({
    ...change,
    clients: [{ email: 'endless', after: { planId: monthly.id, resetDay: 20, expiryTime } }],
  });
  expect(await panel.ok(plans(`/apply/${monthly.id}`, application))).toMatchObject({ changed: 1, skipped: [] });
  const links = [{ inboundId: capable, flowOverride: values.flow }];
  const brought = { ...values, resetDays: 0, expiresAtMs: expiryTime, links };
  expect(await panel.stored('mona')).toMatchObject(brought);
  expect(await panel.stored('endless')).toMatchObject({ ...brought, groupName: 'kept' });
  // Without a day, clients of a plan without a term never end.
  await panel.ok(plans(`/update/${monthly.id}`, { name: 'Monthly' }));
  expect(await panel.ok(plans(`/apply/${monthly.id}`, {}))).toMatchObject({ changed: 2 });
  expect(await panel.stored('mona')).toMatchObject({ resetDay: 0, expiresAtMs: 0, limitIp: 0, flow: values.flow });
  for (const email of ['mona', 'endless']) await panel.ok(panel.post(`/del/${email}`));
  await panel.ok(plans(`/del/${monthly.id}`, {}));
});

test('deleting a plan keeps its clients, and an undo restores both; a deleted inbound leaves the plan', async () => {
  const before = await capturedState(panel.store.reader);
  expect(await panel.ok(plans(`/del/${gold.id}`, {}))).toEqual({ affected: 5 });
  expect(await listed()).toEqual([]);
  expect(await panel.stored('anna')).toMatchObject({ planId: 0, quotaBytes: 50 * GIB });
  await panel.done(`/journal/undo/${(await lastEntry()).id}`);
  expect(await capturedState(panel.store.reader)).toEqual(before);
  await panel.done(`/inbounds/del/${first}`);
  expect((await listed())[0]!.inboundIds).toEqual([]);
  await panel.done(`/journal/undo/${(await lastEntry()).id}`);
  expect((await listed())[0]!.inboundIds).toEqual([first]);
});
