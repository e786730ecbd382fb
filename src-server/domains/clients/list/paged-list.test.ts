import { beforeEach, describe, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { DAY_MS, GIB, startClientPanel } from '../../../testing/panels/client-panel.ts';
import type { ClientPage } from './contract.ts';

let inboundId: number;
const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  inboundId = await panel.inbound();
});

const page = (query = '') => panel.ok<ClientPage>(panel.get(`/list/paged${query}`));
const emails = async (query: string) => (await page(query)).items.map(({ email }) => email);

test('a page of slim rows, summary and groups', async () => {
  await panel.add({ email: 'a', subId: 's', group: 'VIP', comment: 'c', totalGB: 5 }, [inboundId]);
  await panel.setState('a', { upBytes: 1, downBytes: 2, lastOnlineAtMs: 7 });
  await panel.store.write(async (trx) => {
    const times = { createdAtMs: 0, updatedAtMs: 0 };
    await trx
      .insertInto('clientGroups')
      .values({ name: 'empty', upBaselineBytes: 0, downBaselineBytes: 0, ...times })
      .execute();
  });
  expect(await page()).toEqual({
    items: [
      {
        email: 'a',
        subId: 's',
        enable: true,
        totalGB: 5,
        expiryTime: 0,
        limitIp: 0,
        reset: 0,
        resetDay: 0,
        group: 'VIP',
        planId: 0,
        comment: 'c',
        inboundIds: [inboundId],
        traffic: { up: 1, down: 2, enable: true },
        lastOnline: 7,
        createdAt: panel.time.nowMs,
        updatedAt: panel.time.nowMs,
      },
    ],
    total: 1,
    filtered: 1,
    page: 1,
    pageSize: 25,
    summary: {
      total: 1,
      active: 1,
      online: [],
      depleted: [],
      expiring: [],
      deactive: [],
      onlineCount: 0,
      depletedCount: 0,
      exhaustedCount: 0,
      expiredCount: 0,
      expiringCount: 0,
      deactiveCount: 0,
    },
    groups: ['empty', 'VIP'],
  });
});

test('page and pageSize accept any input', async () => {
  for (const email of ['a', 'b', 'c']) await panel.add({ email }, [inboundId]);
  expect(await page('?page=2&pageSize=2')).toMatchObject({
    page: 2,
    pageSize: 2,
    filtered: 3,
    items: [{ email: 'c' }],
  });
  expect(await page('?page=9')).toMatchObject({ page: 9, items: [], total: 3, filtered: 3 });
  expect(await page('?page=9&sort=traffic')).toMatchObject({ page: 9, items: [], filtered: 3 });
  expect(await page('?page=-1&pageSize=0')).toMatchObject({ page: 1, pageSize: 25 });
  expect(await page('?page=x&pageSize=9999')).toMatchObject({ page: 1, pageSize: 200 });
  expect(await page('?page=1&page=2&sort=__proto__&filter=constructor')).toMatchObject({ page: 1, filtered: 3 });
});

test('search is literal and case-insensitive in any alphabet, in e-mail, subId and comment', async () => {
  await panel.add({ email: 'a_b', subId: 's1' }, [inboundId]);
  await panel.add({ email: 'axb', subId: 's2', comment: 'ПРИВЕТ 100%' }, [inboundId]);
  await panel.add({ email: 'c\u0301d', subId: 'back', comment: 'sla\\sh' }, [inboundId]);
  const search = (text: string) => emails(`?search=${encodeURIComponent(text)}`);
  expect(await search('A_B')).toEqual(['a_b']);
  expect(await search(' привет ')).toEqual(['axb']);
  expect(await search('0%')).toEqual(['axb']);
  expect(await search('%')).toEqual(['axb']);
  expect(await search('\\')).toEqual(['c\u0301d']);
  expect(await search('Ć')).toEqual(['c\u0301d']);
  expect(await search('BACK')).toEqual(['c\u0301d']);
  expect(await search('bs1')).toEqual([]);
  expect(await search("' OR 1=1 --")).toEqual([]);
  expect((await panel.get(`/list/paged?search=${'x'.repeat(300)}`)).success).toBe(false);
});

test('sorts with unlimited last ascending and first descending, ties by id', async () => {
  const second = await panel.inbound();
  await panel.add({ email: 'b', totalGB: 10, expiryTime: 500 }, [inboundId]);
  await panel.add({ email: 'A', totalGB: 0, expiryTime: 0 }, [inboundId, second]);
  await panel.add({ email: 'c', totalGB: 5, expiryTime: -5, enable: false }, [inboundId]);
  await panel.setState('b', { upBytes: 8 });
  await panel.setState('A', { upBytes: 3, downBytes: 3 });
  const sorted = async (sort: string) => [
    (await emails(`?sort=${sort}&order=ascend`)).join(''),
    (await emails(`?sort=${sort}&order=descend`)).join(''),
  ];
  expect(await sorted('email')).toEqual(['Abc', 'cbA']);
  expect(await sorted('enable')).toEqual(['cbA', 'bAc']);
  expect(await sorted('inboundIds')).toEqual(['bcA', 'Abc']);
  expect(await sorted('traffic')).toEqual(['cAb', 'bAc']);
  expect(await sorted('remaining')).toEqual(['bcA', 'Acb']);
  expect(await sorted('expiryTime')).toEqual(['bAc', 'Acb']);
  expect(await sorted('nonsense')).toEqual(['bAc', 'bAc']);
});

test('protocol and the other parameters are combined with AND', async () => {
  const trojan = await panel.inbound('trojan');
  const vmess = await panel.inbound('vmess');
  await panel.add({ email: 'a', subId: '1' }, [inboundId, trojan]);
  await panel.add({ email: 'b', subId: '2', enable: false }, [trojan]);
  await panel.add({ email: 'c' }, [vmess]);
  expect(await emails('?protocol=trojan')).toEqual(['a', 'b']);
  expect(await emails('?protocol=vmess,vless')).toEqual(['a', 'c']);
  expect(await emails('?protocol=nothing')).toEqual([]);
  expect(await emails('?protocol=trojan&filter=deactive')).toEqual(['b']);
  expect(await emails('?protocol=trojan&search=A&filter=active,deactive')).toEqual(['a']);
});

describe('buckets and the partition of the summary', () => {
  beforeEach(async () => {
    await panel.set({ expireDiff: 3, trafficDiff: 1, trafficDiffPercent: 0 });
    const { nowMs } = panel.time;
    const quota = 10 * GIB;
    const client = (email: string, values: object = {}) => panel.add({ email, totalGB: quota, ...values }, [inboundId]);
    await client('fine', { totalGB: 0 });
    await client('usedUp');
    await client('expired', { expiryTime: nowMs - DAY_MS });
    await client('off', { enable: false, expiryTime: nowMs + 30 * DAY_MS });
    await client('offExpired', { enable: false, expiryTime: nowMs - DAY_MS });
    await client('soon', { expiryTime: nowMs + 2 * DAY_MS });
    await client('little');
    await client('waiting', { expiryTime: -5 * DAY_MS });
    await panel.setState('fine', { upBytes: 5 * GIB });
    await panel.setState('usedUp', { upBytes: 4 * GIB, downBytes: 6 * GIB });
    await panel.setState('off', { upBytes: GIB });
    await panel.setState('little', { downBytes: 9.5 * GIB });
  });

  test('match the worked example', async () => {
    expect(await emails('?filter=active')).toEqual(['fine', 'soon', 'little', 'waiting']);
    expect(await emails('?filter=depleted')).toEqual(['usedUp', 'expired', 'offExpired']);
    expect(await emails('?filter=exhausted')).toEqual(['usedUp']);
    expect(await emails('?filter=expired')).toEqual(['expired', 'offExpired']);
    expect(await emails('?filter=deactive')).toEqual(['off', 'offExpired']);
    expect(await emails('?filter=disabled')).toEqual(['off']);
    expect(await emails('?filter=expiring')).toEqual(['soon', 'little']);
    expect(await emails('?filter=deactive,expiring')).toEqual(['off', 'offExpired', 'soon', 'little']);
    expect(await emails('?filter=expiring,renamedBucket')).toHaveLength(8);
    expect((await page('?filter=expiring&search=soon')).summary).toMatchObject({
      total: 8,
      active: 2,
      depleted: ['usedUp', 'expired', 'offExpired'],
      deactive: ['off'],
      expiring: ['soon', 'little'],
      depletedCount: 3,
      exhaustedCount: 1,
      expiredCount: 2,
      deactiveCount: 1,
      expiringCount: 2,
    });
  });

  test('online contains the enabled clients of the online set', async () => {
    expect(await emails('?filter=online')).toEqual([]);
    panel.setOnline(new Set(['soon', 'off', 'fine', 'stranger']));
    expect(await emails('?filter=online')).toEqual(['fine', 'soon']);
    expect((await page()).summary).toMatchObject({ online: ['fine', 'soon'], onlineCount: 2 });
    await panel.ok(panel.post('/update/soon', { email: 'soon', enable: false }));
    expect((await page()).summary.online).toEqual(['fine']);
  });

  test('follow every change at once', async () => {
    const parts = async () => {
      const { active, depleted, deactive, expiring } = (await page()).summary;
      return { active, depleted, deactive, expiring };
    };
    const before = await parts();
    await panel.ok(panel.post('/resetTraffic/usedUp'));
    await panel.ok(panel.post('/del/offExpired'));
    await panel.ok(panel.post('/update/soon', { email: 'renamed', expiryTime: panel.time.nowMs + DAY_MS }));
    await panel.add({ email: 'new', enable: false }, [inboundId]);
    expect(await parts()).toEqual({
      active: before.active + 1,
      depleted: ['expired'],
      deactive: ['off', 'new'],
      expiring: ['renamed', 'little'],
    });
  });

  test('follow the clock: an expiry passes, and comes near', async () => {
    await page();
    panel.time.nowMs += 2 * DAY_MS;
    expect((await page()).summary).toMatchObject({
      depleted: ['usedUp', 'expired', 'offExpired', 'soon'],
      exhaustedCount: 1,
      expiredCount: 3,
    });
    await panel.add({ email: 'later', expiryTime: panel.time.nowMs + 4 * DAY_MS }, [inboundId]);
    expect((await page()).summary.expiring).toEqual(['little']);
    panel.time.nowMs += DAY_MS + 1;
    expect((await page()).summary.expiring).toEqual(['little', 'later']);
    panel.time.nowMs -= 3 * DAY_MS;
    expect((await page()).summary).toMatchObject({
      expiring: ['soon', 'little'],
      depleted: ['usedUp', 'expired', 'offExpired'],
    });
  });

  test('follow the settings', async () => {
    await page();
    await panel.set({ expireDiff: 0, trafficDiff: 0, trafficDiffPercent: 0 });
    expect((await page()).summary).toMatchObject({ expiring: [], active: 4 });
    await panel.set({ expireDiff: 0, trafficDiff: 0, trafficDiffPercent: 6 });
    expect((await page()).summary.expiring).toEqual(['little']);
    // The order of a filter is kept from its second request on.
    for (let request = 0; request < 2; request += 1) expect(await emails('?filter=expiring')).toEqual(['little']);
    await panel.set({ trafficDiffPercent: 0 });
    expect(await emails('?filter=expiring')).toEqual([]);
  });

  test('reflect changes announced by other domains at once', async () => {
    await page();
    await panel.store.write(async (trx) => {
      await trx.updateTable('clientStates').set({ enable: 0, disabledBy: 'loop' }).where('clientId', '=', 1).execute();
    });
    panel.publish({ type: 'invalidate', resource: 'clients' });
    expect((await page()).summary.deactive).toEqual(['fine', 'off']);
  });

  test('are the same after a storm of parallel changes as after a fresh read', async () => {
    const calls = Array.from({ length: 120 }, (_, i) => {
      const email = `storm${i % 20}`;
      if (i < 20) return panel.post('/add', { client: { email, enable: i % 3 > 0 }, inboundIds: [inboundId] });
      if (i % 7 === 0) return panel.post(`/del/${email}`);
      if (i % 5 === 0) return panel.post('/bulkDisable', { emails: [email, 'soon'] });
      if (i % 4 === 0) return panel.post('/bulkEnable', { emails: [email] });
      return page();
    });
    await Promise.all(calls);
    const { summary } = await page();
    panel.publish({ type: 'invalidate', resource: 'clients' });
    expect(summary).toEqual((await page()).summary);
  });

  test('reflect unannounced counters within seconds', async () => {
    await page();
    await panel.store.write(async (trx) => {
      await trx
        .updateTable('clientStates')
        .set({ upBytes: 99 * GIB })
        .where('clientId', '=', 7)
        .execute();
    });
    panel.time.nowMs += 5_000;
    await page();
    await expect.poll(async () => (await page()).summary.depleted).toContain('little');
    expect(panel.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
