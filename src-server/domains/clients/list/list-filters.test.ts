import { beforeAll, expect, test } from 'vitest';
import { forAllTests } from '../../../testing/for-each-test.ts';
import { DAY_MS, startClientPanel } from '../../../testing/panels/client-panel.ts';
import type { ClientPage } from './contract.ts';

let first: number;
let second: number;

const panel = forAllTests(startClientPanel);
beforeAll(async () => {
  first = await panel.inbound();
  second = await panel.inbound('trojan');
  const now = panel.time.nowMs;
  await panel.add({ email: 'plain' }, [first]);
  panel.time.nowMs += 1_000;
  await panel.add({ email: 'soon', expiryTime: now + DAY_MS, group: 'vip', comment: 'a note' }, [first, second]);
  panel.time.nowMs += 1_000;
  await panel.add({ email: 'later', expiryTime: now + 9 * DAY_MS, reset: 30, tgId: 7, group: 'a, b' }, [second]);
  panel.time.nowMs += 1_000;
  await panel.add({ email: 'waiting', expiryTime: -DAY_MS, group: 'vip2' }, [second]);
  await panel.setState('plain', { upBytes: 10, downBytes: 5, lastOnlineAtMs: 3 });
  await panel.setState('later', { upBytes: 100, lastOnlineAtMs: 9 });
  await panel.ok(panel.post('/bulkAdjust', { emails: ['soon'], addDays: 1 }));
});

const found = async (query: string): Promise<string[]> => {
  const { items, filtered } = await panel.ok<ClientPage>(panel.get(`/list/paged?${query}`));
  expect(filtered).toBe(items.length);
  return items.map(({ email }) => email);
};
const now = 1_700_000_000_000;

test.each<[string, string[]]>([
  ['autoRenew=on', ['later']],
  ['autoRenew=off', ['plain', 'soon', 'waiting']],
  ['autoRenew=maybe', ['plain', 'soon', 'later', 'waiting']],
  ['hasTgId=yes', ['later']],
  ['hasTgId=no', ['plain', 'soon', 'waiting']],
  ['hasComment=yes', ['soon']],
  ['hasComment=no', ['plain', 'later', 'waiting']],
  ['group=vip', ['soon']],
  ['group=vip,vip2', ['soon', 'waiting']],
  ['group=a, b', ['later']],
  ['group=unknown', []],
  [`expiryFrom=${now}`, ['soon', 'later']],
  [`expiryFrom=${now}&expiryTo=${now + 3 * DAY_MS}`, ['soon']],
  [`expiryTo=${now + 99 * DAY_MS}`, ['soon', 'later']],
  ['expiryTo=nonsense', ['plain', 'soon', 'later', 'waiting']],
  ['usageFrom=15', ['plain', 'later']],
  ['usageFrom=1&usageTo=99', ['plain']],
  ['usageTo=0', ['soon', 'waiting']],
  ['sort=createdAt&order=descend', ['waiting', 'later', 'soon', 'plain']],
  ['sort=updatedAt', ['plain', 'later', 'soon', 'waiting']],
  ['sort=lastOnline&order=descend', ['later', 'plain', 'soon', 'waiting']],
  ['sort=inboundIds&order=descend', ['soon', 'plain', 'later', 'waiting']],
  ['sort=createdAt&order=descend&usageTo=0', ['waiting', 'soon']],
])('%s', async (query, emails) => {
  expect(await found(query)).toEqual(emails);
});

test('inbounds filter by attachment, whatever their protocol', async () => {
  expect(await found(`inbound=${first}`)).toEqual(['plain', 'soon']);
  expect(await found(`inbound=${first},${second}`)).toEqual(['plain', 'soon', 'later', 'waiting']);
  expect(await found(`inbound=${second}&hasComment=yes`)).toEqual(['soon']);
});

test('the number of attachments follows detaching, deleting an inbound and deleting a client', async () => {
  const third = await panel.inbound();
  await panel.add({ email: 'many' }, [first, second, third]);
  const count = async () =>
    (
      await panel.store.reader
        .selectFrom('clientStates')
        .innerJoin('clients', 'id', 'clientId')
        .select('inboundCount')
        .where('email', '=', 'many')
        .executeTakeFirst()
    )?.inboundCount;
  expect(await count()).toBe(3);
  await panel.ok(panel.post('/many/detach', { inboundIds: [first] }));
  expect(await count()).toBe(2);
  await panel.store.write((trx) => trx.deleteFrom('inbounds').where('id', '=', third).execute());
  expect(await count()).toBe(1);
  await panel.ok(panel.post('/del/many'));
  expect(await count()).toBeUndefined();
});

test('`_` and `%` are literal in a search, and a renamed client is found only by its new name', async () => {
  for (const email of ['a_bc', 'axbc', 'a%bc']) await panel.add({ email }, [first]);
  expect(await found('search=a_bc')).toEqual(['a_bc']);
  expect(await found('search=_b')).toEqual(['a_bc']);
  expect(await found(`search=${encodeURIComponent('%')}`)).toEqual(['a%bc']);
  expect(await found(`search=${encodeURIComponent('A%B')}`)).toEqual(['a%bc']);
  await panel.ok(panel.post('/update/axbc', { email: 'Ärger-ß' }));
  expect(await found('search=axbc')).toEqual([]);
  expect(await found(`search=${encodeURIComponent('äRGER')}`)).toEqual(['Ärger-ß']);
  await panel.ok(panel.post('/del/a_bc'));
  expect(await found('search=a_bc')).toEqual([]);
});

test('a text with commas is one group if one has that name, and several groups otherwise', async () => {
  await panel.add({ email: 'both', group: 'vip,vip2' }, [first]);
  expect(await found('group=vip,vip2')).toEqual(['both']);
  expect(await found('group=vip2,vip')).toEqual(['soon', 'waiting']);
  await panel.ok(panel.post('/del/both'));
  expect(await found('group=vip,vip2')).toEqual(['soon', 'waiting']);
});
