import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { startClientPanel } from '../../testing/panels/client-panel.ts';

let inboundId: number;
const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  inboundId = await panel.inbound();
});

const add = (email: string, group = '') => panel.add({ email, group }, [inboundId]);
const post = <T = unknown>(call: string, body: object) => panel.ok<T>(panel.post(`/groups${call}`, body));
const refusal = (call: string, body: object) => panel.refusal(panel.post(`/groups${call}`, body));
const list = () =>
  panel.ok<{ name: string; clientCount: number; trafficUsed: number; up: number; down: number }[]>(
    panel.get('/groups'),
  );
const used = async (name: string) => (await list()).find((group) => group.name === name)?.trafficUsed;

test('the list merges stored groups and labels in use', async () => {
  await add('a', 'vip');
  await add('b', 'vip');
  await add('c', 'Alpha');
  await post('/create', { name: ' Beta ' });
  await panel.setState('a', { upBytes: 10, downBytes: 5 });
  await panel.setState('b', { downBytes: 15 });
  expect(await list()).toEqual([
    { name: 'Alpha', clientCount: 1, trafficUsed: 0, up: 0, down: 0 },
    { name: 'Beta', clientCount: 0, trafficUsed: 0, up: 0, down: 0 },
    { name: 'vip', clientCount: 2, trafficUsed: 30, up: 10, down: 20 },
  ]);
});

test('create refuses blanks and existing names, whether stored or used as a label', async () => {
  await add('a', 'label');
  expect(await panel.post('/groups/create', { name: 'new' }, { 'X-Request-Id': 'tab' })).toEqual({
    success: true,
    msg: 'The group has been created.',
    obj: { name: 'new' },
  });
  expect(panel.events.slice(-2)).toEqual([
    { type: 'invalidate', resource: 'groups', requestId: 'tab' },
    { type: 'invalidate', resource: 'clients', requestId: 'tab' },
  ]);
  const published = panel.events.length;
  expect(await refusal('/create', { name: '  ' })).toBe('group name is required');
  expect(await refusal('/create', { name: 'new' })).toBe('group already exists');
  expect(await refusal('/create', { name: 'label' })).toBe('group already exists');
  expect(panel.events).toHaveLength(published);
  await post('/create', { name: 'NEW' });
});

test('a name that no address can hold is refused at its field; groups that have one can still be renamed', async () => {
  await add('a', 'vip');
  for (const name of ['.', '..'])
    for (const [call, body, field] of [
      ['/create', { name: ` ${name} ` }, 'name'],
      ['/rename', { oldName: 'vip', newName: name }, 'newName'],
      ['/bulkAdd', { emails: ['a'], group: name }, 'group'],
    ] as const)
      expect(await panel.post(`/groups${call}`, body)).toMatchObject({
        success: false,
        obj: { issues: [{ field, rule: 'format' }] },
      });
  await panel.parts.base.store.write(async (trx) => {
    await trx.updateTable('clients').set({ groupName: '..' }).execute();
  });
  expect(await panel.post('/update/a', { email: 'a', group: '..', comment: 'as before' })).toMatchObject({
    success: true,
  });
  expect(await post('/rename', { oldName: '..', newName: '...' })).toEqual({ affected: 1 });
  expect(await panel.ok(panel.get('/groups/.../emails'))).toEqual(['a']);
});

test('emails lists the members of exactly this name, ascending, whatever characters it has', async () => {
  for (const email of ['b', 'a', 'C']) await add(email, 'a/b %');
  await add('other', 'A/b %');
  expect(await panel.ok(panel.get(`/groups/${encodeURIComponent('a/b %')}/emails`))).toEqual(['C', 'a', 'b']);
  expect(await panel.ok(panel.get('/groups/unknown/emails'))).toEqual([]);
});

test('a plan gives the group under its new name', async () => {
  const plan = await panel.ok<{ id: number }>(panel.call('POST', '/plans/add', { name: 'Gold', group: 'vip' }));
  await panel.add({ email: 'a', planId: plan.id }, [inboundId]);
  await post('/rename', { oldName: 'vip', newName: 'gold' });
  await panel.add({ email: 'b', planId: plan.id }, [inboundId]);
  expect((await list()).map(({ name, clientCount }) => [name, clientCount])).toEqual([['gold', 2]]);
});

test('rename moves row, baseline and members; taken names are refused', async () => {
  await add('a', 'old');
  await add('b', 'taken');
  await panel.setState('a', { upBytes: 10 });
  await post('/resetTraffic', { name: 'old' });
  await panel.setState('a', { upBytes: 14 });
  expect(await refusal('/rename', { newName: 'x' })).toBe('old group name is required');
  expect(await refusal('/rename', { oldName: 'x' })).toBe('new group name is required');
  expect(await refusal('/rename', { oldName: 'old', newName: 'taken' })).toBe('group already exists');
  expect(await post('/rename', { oldName: 'old', newName: 'old' })).toEqual({ affected: 0 });
  expect(await post('/rename', { oldName: 'old', newName: 'fresh' })).toEqual({ affected: 1 });
  expect(await used('fresh')).toBe(4);
  expect(await used('old')).toBeUndefined();
  expect(panel.runtime.applied).toHaveLength(2);
});

test('delete keeps the clients', async () => {
  await add('a', 'g');
  expect(await post('/delete', { name: 'g' })).toEqual({ affected: 1 });
  expect(await panel.stored('a')).toMatchObject({ groupName: '' });
  expect(await list()).toEqual([]);
  expect(await post('/delete', { name: 'g' })).toEqual({ affected: 0 });
  expect(await refusal('/delete', {})).toBe('group name is required');
});

test('bulkAdd creates the group and counts who changed; bulkRemove counts who had a label', async () => {
  await add('a');
  await add('b', 'other');
  expect(await post('/bulkAdd', { emails: ['A', 'b', 'nobody', ' '], group: 'g' })).toEqual({ affected: 2 });
  expect(await post('/bulkAdd', { emails: ['a'], group: 'g' })).toEqual({ affected: 0 });
  expect(await post('/bulkAdd', { emails: [], group: 'empty' })).toEqual({ affected: 0 });
  expect((await list()).map(({ name, clientCount }) => [name, clientCount])).toEqual([
    ['empty', 0],
    ['g', 2],
  ]);
  expect(await refusal('/bulkAdd', { emails: ['a'], group: ' ' })).toBe('group name is required');
  await add('c');
  expect(await post('/bulkRemove', { emails: ['a', 'c', 'nobody'] })).toEqual({ affected: 1 });
  expect(await panel.stored('a')).toMatchObject({ groupName: '' });
});

test('a change of labels returns the previous ones on request', async () => {
  await add('a', 'old');
  await add('b');
  await add('c', 'g');
  const before = [
    { group: 'old', emails: ['a'] },
    { group: '', emails: ['b'] },
  ];
  expect(await post('/bulkAdd?remember=1', { emails: ['A', 'b', 'c', 'nobody'], group: 'g' })).toEqual({
    affected: 2,
    before,
  });
  expect(await post('/bulkRemove?remember=1', { emails: ['c'] })).toEqual({
    affected: 1,
    before: [{ group: 'g', emails: ['c'] }],
  });
});

test('a group reset shows 0 and keeps counters; resetting or deleting a member never lowers the total', async () => {
  await add('a', 'g');
  await add('b', 'g');
  await panel.setState('a', { upBytes: 10, downBytes: 10 });
  await panel.setState('b', { upBytes: 5, downBytes: 5 });
  expect(await post('/resetTraffic', { name: 'g' })).toEqual({ name: 'g' });
  expect(await used('g')).toBe(0);
  expect(await panel.stored('a')).toMatchObject({ upBytes: 10 });
  await panel.setState('a', { upBytes: 17 });
  expect(await used('g')).toBe(7);
  await panel.ok(panel.post('/resetTraffic/a'));
  expect(await used('g')).toBe(7);
  await panel.ok(panel.post('/del/b'));
  expect(await used('g')).toBe(7);
  await panel.ok(panel.post('/resetAllTraffics'));
  expect(await used('g')).toBe(7);
  expect(await refusal('/resetTraffic', { name: '' })).toBe('group name is required');
});

test('a client that comes back to its kept counters does not add them to the total once more', async () => {
  await add('a', 'vip');
  await panel.setState('a', { upBytes: 10, downBytes: 20 });
  await panel.ok(panel.post('/del/a?keepTraffic=1'));
  expect(await used('vip')).toBe(30);
  await add('a', 'vip');
  expect(await panel.stored('a')).toMatchObject({ upBytes: 10, downBytes: 20 });
  expect(await used('vip')).toBe(30);
  await panel.setState('a', { upBytes: 15 });
  expect(await used('vip')).toBe(35);
  await panel.ok(panel.post('/del/a'));
  expect(await used('vip')).toBe(35);
});
