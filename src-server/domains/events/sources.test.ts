import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';
import { makeSelfSigned } from '../../testing/peers/self-signed.ts';
import type { ShownEvent } from './contract.ts';
import { watchClients } from './sources/watch-clients.ts';
import { createCpuWatch, cpuTimes, watchCertificates, watchUpdate } from './sources/watch-machine.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const panel = forEachTest(openPanel);

const listed = async (kinds = '') =>
  (await panel.read<{ events: ShownEvent[] }>(`/events/list?limit=100&kinds=${kinds}`)).events;
const reported = async (kinds = '') =>
  (await listed(kinds)).map(({ kind, facts }) => [kind, facts['email'] ?? facts['subject'] ?? facts['name']]);

describe('clients', () => {
  it('near their end are reported once per end, except those that renew or are off', async () => {
    const inboundId = await panel.inbound(10_443);
    const expiryTime = panel.clock() + 2 * DAY;
    await panel.add({ email: 'soon', expiryTime }, [inboundId]);
    await panel.add({ email: 'renews', expiryTime, reset: 30 }, [inboundId]);
    await panel.add({ email: 'renews-by-day', expiryTime, resetDay: 1 }, [inboundId]);
    await panel.add({ email: 'off', expiryTime, enable: false }, [inboundId]);
    await panel.add({ email: 'later', expiryTime: panel.clock() + 30 * DAY }, [inboundId]);
    await panel.advance(20 * MINUTE);
    expect(await reported()).toEqual([['client.expiring', 'soon']]);
    panel.write('UPDATE clientStates SET expiresAtMs = expiresAtMs + 3600000 WHERE clientId = 1');
    await panel.advance(20 * MINUTE);
    expect(await reported()).toEqual([
      ['client.expiring', 'soon'],
      ['client.expiring', 'soon'],
    ]);
  });

  it('that pass a percent of their quota are reported once for each, and again after a reset', async () => {
    await panel.add({ email: 'alice', totalGB: 1_000 }, [await panel.inbound(10_443)]);
    const use = async (bytes: number): Promise<unknown[]> => {
      panel.write('UPDATE clientStates SET upBytes = ?, downBytes = 0', bytes);
      await panel.advance(6 * MINUTE);
      return (await listed('client.quota')).map(({ facts }) => facts['percent']);
    };
    expect(await use(790)).toEqual([]);
    expect(await use(800)).toEqual([80]);
    expect(await use(900)).toEqual([80]);
    expect(await use(960)).toEqual([95, 80]);
    expect(await use(0)).toEqual([95, 80]);
    expect(await use(850)).toEqual([80, 95, 80]);
    // The end is an event of its own.
    expect(await use(1_000)).toEqual([80, 95, 80]);
  });

  it('that are disabled are reported with the reason: data or time', async () => {
    const inboundId = await panel.inbound(10_443);
    await panel.add({ email: 'spent', totalGB: 1_000 }, [inboundId]);
    await panel.add({ email: 'over', expiryTime: panel.clock() + 3 * MINUTE }, [inboundId]);
    panel.core.move('users', 'spent', 600, 600);
    await panel.tick();
    await panel.advance(4 * MINUTE);
    await panel.tick();
    await panel.advance(1_000);
    expect(await reported('client.depleted,client.expired')).toEqual([
      ['client.expired', 'over'],
      ['client.depleted', 'spent'],
    ]);
  });
});

it('impossible readings are reported, but not those from before the first look', async () => {
  const entry = `INSERT INTO quarantinedDeltas (atMs, sourceId, kind, subject, upBytes, downBytes, intervalMs, ownerId)
    VALUES (1, 1, 'user', ?, 9, 9, 1, NULL)`;
  panel.write(entry, 'old');
  await panel.advance(MINUTE + 1_000);
  panel.write(entry, 'new');
  await panel.advance(MINUTE + 1_000);
  expect(await reported()).toEqual([['traffic.quarantined', 'new']]);
});

it('an expiring certificate is reported 14, 7 and 1 days before', async () => {
  const { certPem, keyPem } = makeSelfSigned(12);
  const [cert, key] = [join(panel.dataDir, 'c.pem'), join(panel.dataDir, 'k.pem')];
  await writeFile(cert, certPem);
  await writeFile(key, keyPem);
  panel.jumpClock(Date.now() - panel.clock());
  await panel.set({ subCertFile: cert, subKeyFile: key });
  const { events } = panel.parts.notifying;
  const served = () => panel.parts.machine.server.certificates();
  const daysAfter = async (ms: number): Promise<unknown[]> => {
    panel.jumpClock(ms);
    for (let i = 0; i < 2; i++) await watchCertificates({ store: panel.store, events, served, clock: panel.clock });
    await panel.advance(1_000);
    return (await listed('certificate.expiring')).map(({ facts }) => facts['days']);
  };
  expect(await daysAfter(0)).toEqual([12]);
  expect(await daysAfter(2 * DAY)).toEqual([12]);
  expect(await daysAfter(3 * DAY)).toEqual([7, 12]);
  expect(await daysAfter(6 * DAY)).toEqual([1, 7, 12]);
});

describe('news that is reported once is stored before that is noted, so that a panel killed in between loses none', () => {
  /** Refuses to note anything, as a panel that is killed would. */
  const killed = () => ({ ...panel.store, write: () => Promise.reject(new Error('killed')) });
  const stored = async () => (await listed()).map(({ kind }) => kind);

  it('a new version', async () => {
    await panel.set({ panelEnabledEvents: 'update.panel' });
    const { events } = panel.parts.notifying;
    const newer = async () => ({ version: '2.0.0', installed: '1.0.0' });
    await expect(watchUpdate({ store: killed(), events, kind: 'update.panel', newer })).rejects.toThrow('killed');
    expect(await stored()).toEqual(['update.panel']);
  });

  it('clients near their end', async () => {
    const inboundId = await panel.inbound(10_443);
    await panel.add({ email: 'soon', expiryTime: panel.clock() + DAY }, [inboundId]);
    await panel.add({ email: 'much', totalGB: 1_000 }, [inboundId]);
    panel.write('UPDATE clientStates SET upBytes = 900 WHERE clientId = 2');
    const { events } = panel.parts.notifying;
    const { settings, clock } = panel.parts.base;
    const look = () => watchClients({ store: killed(), events, settings, clock });
    await expect(look()).rejects.toThrow('killed');
    expect(await stored()).toEqual(['client.expiring']);
    await panel.set({ expireDiff: 0 });
    await expect(look()).rejects.toThrow('killed');
    expect(await stored()).toEqual(['client.quota', 'client.expiring']);
  });
});

it('a new version is looked for only while somebody subscribes, and reported once', async () => {
  let lookups = 0;
  const newer = async () => {
    lookups += 1;
    return { version: '2.0.0', installed: '1.0.0' };
  };
  const { events } = panel.parts.notifying;
  const look = () => watchUpdate({ store: panel.store, events, kind: 'update.panel', newer });
  await look();
  expect(lookups).toBe(0);
  await panel.set({ panelEnabledEvents: 'update.panel' });
  await look();
  await look();
  await panel.advance(1_000);
  expect(lookups).toBe(2);
  expect((await listed()).map(({ title }) => title)).toEqual(['Version 2.0.0 of the panel is there']);
});

it('CPU load is read while somebody subscribes, and reported when it passes a threshold, then every hour', async () => {
  const { events } = panel.parts.notifying;
  let reads = 0;
  let times = { busy: 0, total: 0 };
  const read = () => {
    reads += 1;
    return times;
  };
  let nowMs = 0;
  const percents: unknown[] = [];
  const look = createCpuWatch({
    events: {
      wantedBy: (kind, facts) => events.wantedBy(kind, facts),
      take: (_kind, facts) => percents.push(facts['percent']),
    },
    clock: () => nowMs,
    read,
  });
  const minute = (percent: number): void => {
    times = { busy: times.busy + percent, total: times.total + 100 };
    look();
    nowMs += MINUTE;
  };
  minute(99);
  expect(reads).toBe(0);
  await panel.set({ panelEnabledEvents: 'cpu.high', panelCpu: 80 });
  for (const percent of [50, 80, 81, 90, 20, 85.5]) minute(percent);
  for (let i = 0; i < 61; i++) minute(95);
  expect(percents).toEqual([81, 85.5, 95]);
  events.take('cpu.high', { percent: 80 });
  events.take('cpu.high', { percent: 80.5 });
  await panel.advance(1_000);
  expect((await listed()).map(({ facts }) => facts['percent'])).toEqual([80.5]);
  await panel.set({ panelCpu: 0 });
  expect(await listed()).toEqual([]);
  expect(cpuTimes().total).toBeGreaterThan(cpuTimes().busy);
});
