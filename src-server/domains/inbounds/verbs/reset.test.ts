import { describe, expect, it } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startInboundPanel, vlessBody } from '../../../testing/panels/inbound-panel.ts';
import { manualSchedule } from '../../../testing/manual-schedule.ts';
import type { TrafficReset } from '../contract.ts';
import { startResetSchedule } from './reset-schedule.ts';

const DAY_MS = 86_400_000;
const panel = forEachTest(startInboundPanel);

const counters = () =>
  panel.store.reader
    .selectFrom('inbounds')
    .select(['upBytes', 'downBytes', 'lastTrafficResetAtMs'])
    .orderBy('id')
    .execute();

describe('manual resets', () => {
  it("reset one inbound's counters and nothing else", async () => {
    await panel.added(vlessBody(443, { up: 1, down: 2 }));
    await panel.added(vlessBody(444, { up: 3, down: 4 }));
    panel.events.length = 0;
    const response = await panel.post('/1/resetTraffic');
    expect(response).toEqual({ success: true, msg: 'Inbound traffic has been reset.', obj: null });
    expect(await counters()).toEqual([
      { upBytes: 0, downBytes: 0, lastTrafficResetAtMs: panel.clock() },
      { upBytes: 3, downBytes: 4, lastTrafficResetAtMs: 0 },
    ]);
    expect(panel.events).toEqual([{ type: 'invalidate', resource: 'inbounds' }]);
    expect((await panel.post('/9/resetTraffic')).msg).toBe('record not found');
  });

  it('reset every inbound', async () => {
    await panel.added(vlessBody(443, { up: 1, down: 2 }));
    await panel.added(vlessBody(444, { up: 3, down: 4, enable: false }));
    expect((await panel.post('/resetAllTraffics')).success).toBe(true);
    const zeroed = { upBytes: 0, downBytes: 0, lastTrafficResetAtMs: panel.clock() };
    expect(await counters()).toEqual([zeroed, zeroed]);
  });
});

describe('scheduled resets', () => {
  it('enable clients that were disabled by their quota, not those disabled by an admin', async () => {
    const clients = [
      { email: 'full', totalGB: 100, enable: false },
      { email: 'off', totalGB: 100, enable: false },
    ];
    const settings = { decryption: 'none', clients };
    await panel.added(vlessBody(443, { up: 9, trafficReset: 'daily', enable: false, settings }));
    await panel.added(vlessBody(444, { up: 9, trafficReset: 'weekly' }));
    await panel.store.write((trx) =>
      trx.updateTable('clientStates').set({ upBytes: 100, disabledBy: 'loop' }).where('clientId', '=', 1).execute(),
    );
    panel.runtime.applied.length = 0;
    await panel.service.scheduledResets('daily')();
    expect(
      await panel.store.reader.selectFrom('clientStates').select(['enable', 'upBytes']).orderBy('clientId').execute(),
    ).toEqual([
      { enable: 1, upBytes: 0 },
      { enable: 0, upBytes: 0 },
    ]);
    expect((await counters()).map(({ upBytes }) => upBytes)).toEqual([0, 9]);
    expect(panel.runtime.applied).toEqual([{ inboundIds: [], users: [{ inboundId: 1, emails: ['full'] }] }]);
  });

  it('continue after a failure, and make up for it within minutes', async () => {
    const resetInbound = panel.traffic.resetInbound.bind(panel.traffic);
    let isFull = true;
    panel.traffic.resetInbound = async (trx, id, nowMs) => {
      await resetInbound(trx, id, nowMs);
      if (id === 1 && isFull) throw new Error('disk full');
    };
    await panel.added(vlessBody(443, { up: 9, trafficReset: 'daily' }));
    await panel.added(vlessBody(444, { up: 9, trafficReset: 'daily' }));
    await panel.set({ timeLocation: 'UTC' });
    panel.jumpClock(DAY_MS - (panel.clock() % DAY_MS) - 30_000);
    await panel.advance(60_000);
    expect((await counters()).map(({ upBytes }) => upBytes)).toEqual([9, 0]);
    const failures = panel.log.lines.filter(({ level }) => level === 'error');
    expect(failures).toMatchObject([
      { event: 'inbound.scheduledResetFailed', fields: { inboundId: 1, period: 'daily' } },
    ]);

    const [, second] = await counters();
    isFull = false;
    await panel.advance(120_000);
    expect(await counters()).toMatchObject([{ upBytes: 0 }, second!]);
  });

  it('are not made up for where they were switched off since', async () => {
    panel.traffic.resetInbound = async () => {
      throw new Error('disk full');
    };
    await panel.added(vlessBody(443, { up: 9, trafficReset: 'daily' }));
    const resets = panel.service.scheduledResets('daily');
    expect(await resets()).toBe(false);
    await panel.store.write((trx) => trx.updateTable('inbounds').set({ trafficReset: 'never' }).execute());
    expect(await resets()).toBe(true);
  });

  it('that could not be looked up are made up for', async () => {
    const time = manualSchedule(DAY_MS - 30_000);
    let runs = 0;
    const started = startResetSchedule({
      schedule: time.schedule,
      timeZone: 'UTC',
      begin: (period) => async () => {
        if (period !== 'daily') return true;
        runs += 1;
        if (runs < 3) throw new Error('away');
        return true;
      },
    });
    await time.advance(3_600_000);
    expect(runs).toBe(3);
    started.close();
  });

  it('follow a change of the time zone', async () => {
    await panel.added(vlessBody(443, { up: 9, trafficReset: 'daily' }));
    await panel.set({ timeLocation: 'Asia/Tehran' });
    // 23:59:30 in Tehran.
    panel.jumpClock(Date.UTC(2023, 10, 14, 20, 29, 30) - panel.clock());
    await panel.advance(60_000);
    expect((await counters()).map(({ upBytes }) => upBytes)).toEqual([0]);
  });

  it('run at the start of each period in the time zone, and end with the schedule', async () => {
    // Friday 2024-05-31 22:30 in Berlin.
    const time = manualSchedule(Date.UTC(2024, 4, 31, 20, 30));
    const runs: [string, TrafficReset][] = [];
    const berlin = () => new Date(time.clock()).toLocaleString('sv', { timeZone: 'Europe/Berlin' });
    const started = startResetSchedule({
      schedule: time.schedule,
      timeZone: 'Europe/Berlin',
      begin: (period) => async () => runs.push([berlin(), period]) > 0,
    });
    await time.advance(26 * 3_600_000);
    const others = runs.filter(([, period]) => period !== 'hourly').sort((a, b) => a.join().localeCompare(b.join()));
    expect(others).toEqual([
      ['2024-06-01 00:00:00', 'daily'],
      ['2024-06-01 00:00:00', 'monthly'],
      ['2024-06-02 00:00:00', 'daily'],
      ['2024-06-02 00:00:00', 'weekly'],
    ]);
    expect(runs).toHaveLength(30);
    started.close();
    await time.advance(48 * 3_600_000);
    expect(runs).toHaveLength(30);
  });
});
