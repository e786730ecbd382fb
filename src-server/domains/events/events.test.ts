import { eventText } from './event-text.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';
import { PermanentFailure, type Channel, type StoredEvent } from './channel.ts';
import type { FailedDelivery, ShownEvent, Subscriber } from './contract.ts';

const panel = forEachTest(openPanel);

const HOUR = 3_600_000;
const events = () => panel.parts.notifying.events;

/** A channel that records deliveries; `handle` may fail or hang. */
function peer(
  name: string,
  kinds: readonly string[],
  handle: (event: StoredEvent, signal: AbortSignal) => Promise<void> = async () => {},
) {
  const delivered: StoredEvent[] = [];
  const channel: Channel = {
    name,
    wants: ({ kind }) => kinds.includes(kind),
    async deliver(event, signal) {
      await handle(event, signal);
      delivered.push(event);
    },
  };
  return { channel, delivered };
}

const down = (name: string) => events().take('node.down', { nodeId: 1, name, error: 'refused' });
const list = (query = '') =>
  panel.read<{ events: ShownEvent[]; unread: number; readUpTo: number }>(`/events/list${query}`);

describe('an event', () => {
  it('reaches each channel that chose its kind once, and no other', async () => {
    const one = peer('one', ['node.down', 'core.crash']);
    const two = peer('two', ['node.down']);
    const none = peer('none', ['node.up']);
    for (const { channel } of [one, two, none]) events().register(channel);
    down('de-1');
    events().take('core.crash', { error: 'panic' });
    await panel.advance(10_000);
    await panel.advance(HOUR);
    expect(one.delivered.map(({ kind }) => kind)).toEqual(['node.down', 'core.crash']);
    expect(two.delivered).toEqual([
      {
        id: expect.any(Number),
        kind: 'node.down',
        atMs: expect.any(Number),
        facts: { nodeId: 1, name: 'de-1', error: 'refused' },
      },
    ]);
    expect(none.delivered).toEqual([]);
  });

  it('reaches the others when one channel fails to filter it', async () => {
    const one = peer('one', ['node.down']);
    const broken = peer('broken', []);
    const wants = () => {
      throw new Error('broken');
    };
    events().register({ ...broken.channel, wants });
    events().register(one.channel);
    down('de-1');
    await panel.advance(5_000);
    expect(one.delivered).toHaveLength(1);
  });

  it('comes from the bus: a refused sign-in is reported with its facts', async () => {
    const one = peer('one', ['login.attempt']);
    events().register(one.channel);
    await panel
      .browser()
      .signIn('mallory<b>', 'wrong')
      .catch(() => {});
    await panel.advance(5_000);
    expect(one.delivered).toMatchObject([{ kind: 'login.attempt', facts: { ok: false, username: 'mallory<b>' } }]);
  });

  it('is still delivered after the next start when the panel ended before', async () => {
    const dead = peer('one', ['node.down'], async () => {
      throw new Error('away');
    });
    events().register(dead.channel);
    down('de-1');
    await panel.advance(5_000);
    await panel.app.close();
    const again = await openPanel({ startMs: panel.clock() + HOUR, dataDir: panel.dataDir });
    const alive = peer('one', ['node.down']);
    again.parts.notifying.events.register(alive.channel);
    await again.advance(1_000);
    expect(alive.delivered).toMatchObject([{ facts: { name: 'de-1' } }]);
    await again.close();
  });
});

it.each([
  ['Asia/Tehran', '3:30'],
  ['UTC', '12:00'],
])("times are shown in the panel's time zone: %s", (zone, hour) => {
  const event = { kind: 'client.expired', facts: { email: 'a', expiresAtMs: Date.UTC(2026, 5, 1) } } as const;
  expect(eventText(event, 'en', zone).body).toMatch(new RegExp(`${hour}\\sAM`));
});

it('is told without the lines whose facts are missing', () => {
  const facts = { name: 'de-1', error: '', expiresAtMs: 0, nextTryAtMs: null };
  const told = eventText({ kind: 'certificate.failed', facts }, 'en', 'UTC');
  expect(told).toEqual({ title: 'Certificate de-1 could not be renewed', body: '' });
  expect(eventText({ kind: 'node.down', facts: { name: 'de-1' } }, 'en', 'UTC').body).toBe('');
});

describe('a channel that fails', () => {
  it('goes on when the database could not be read meanwhile', async () => {
    let isAway = true;
    const one = peer('one', ['node.down'], async () => {
      if (isAway) throw new Error('away');
    });
    events().register(one.channel);
    down('de-1');
    await panel.advance(5_000);
    isAway = false;
    const { reader } = panel.store;
    const unreadable = new Proxy(reader, {
      get() {
        throw new Error('unreadable');
      },
    });
    Object.assign(panel.store, { reader: unreadable });
    await panel.advance(60_000);
    Object.assign(panel.store, { reader });
    await panel.advance(HOUR);
    expect(one.delivered).toHaveLength(1);
  });

  it('is retried with growing pauses, and given up after the ninth attempt', async () => {
    const triedAtMs: number[] = [];
    const startMs = panel.clock();
    const failing = peer('one', ['node.down'], async () => {
      triedAtMs.push(panel.clock() - startMs);
      throw new Error('421 <busy>');
    });
    events().register(failing.channel);
    await panel.advance(10_000);
    // Half a day of new events, without reading the counters meanwhile.
    panel.dropTimers();
    down('de-1');
    await panel.advance(11 * HOUR);
    const gaps = triedAtMs.slice(1).map((ms, i) => Math.round((ms - triedAtMs[i]!) / 1_000));
    expect(gaps).toEqual([10, 30, 120, 600, 1_800, 3_600, 10_800, 21_600]);
    const failed = await panel.read<FailedDelivery[]>('/events/failed?language=en');
    expect(failed).toMatchObject([
      { channel: 'one', attempts: 9, error: '421 <busy>', title: 'Node de-1 is not reached' },
    ]);
    expect(await panel.read<Subscriber[]>('/events/subscribers')).toContainEqual(
      expect.objectContaining({ name: 'one', waiting: 0, dead: 1, lastError: '421 <busy>' }),
    );
  });

  it('is retried soon when the clock was set back', async () => {
    let isFailing = true;
    const failing = peer('one', ['node.down'], async () => {
      if (isFailing) throw new Error('421 <busy>');
    });
    panel.jumpClock(20 * 24 * HOUR);
    events().register(failing.channel);
    await panel.advance(10_000);
    panel.dropTimers();
    down('de-1');
    await panel.advance(15_000);
    isFailing = false;
    panel.jumpClock(-20 * 24 * HOUR);
    await panel.advance(6 * 60_000);
    expect(failing.delivered).toHaveLength(1);
  });

  it('is not retried when that is useless, except by hand', async () => {
    let isRefusing = true;
    const refusing = peer('one', ['node.down'], async () => {
      if (isRefusing) throw new PermanentFailure('550 no such mailbox');
    });
    events().register(refusing.channel);
    down('de-1');
    down('de-2');
    await panel.advance(HOUR);
    const [failed] = await panel.read<FailedDelivery[]>('/events/failed');
    expect(failed).toMatchObject({ attempts: 1, error: '550 no such mailbox' });
    isRefusing = false;
    await panel.done('/events/retry', { channel: 'one', eventId: failed!.eventId });
    await panel.advance(1_000);
    expect(refusing.delivered).toMatchObject([{ facts: { name: 'de-2' } }]);
    expect(await panel.read('/events/failed')).toHaveLength(1);
    const again = (channel: string, eventId: number) => panel.post('/events/retry', { channel, eventId });
    const unknown = { success: false, error: { code: 'events.unknownDelivery' } };
    expect(await again('other', 1)).toMatchObject(unknown);
    // One that was delivered is not delivered twice.
    expect(await again('one', failed!.eventId)).toMatchObject(unknown);
    await panel.advance(1_000);
    expect(refusing.delivered).toHaveLength(1);
  });

  it('keeps what was given up while it does not take it, and says so', async () => {
    const kinds = ['node.down'];
    const refusing = peer('one', kinds, async () => {
      throw new PermanentFailure('gone');
    });
    const close = events().register(refusing.channel);
    down('de-1');
    await panel.advance(10_000);
    const [failed] = await panel.read<FailedDelivery[]>('/events/failed');
    const again = () => panel.post('/events/retry', { channel: 'one', eventId: failed!.eventId });
    const unwanted = { success: false, error: { code: 'events.notTaken' } };
    kinds.pop();
    expect(await again()).toMatchObject(unwanted);
    kinds.push('node.down');
    close();
    expect(await again()).toMatchObject(unwanted);
    await panel.advance(10_000);
    expect(await panel.read('/events/failed')).toEqual([failed]);
  });

  it('costs one attempt at a time, however many wait, and all are delivered once it is back', async () => {
    let isAway = true;
    let attempts = 0;
    const away = peer('one', ['login.attempt'], async () => {
      attempts += 1;
      if (isAway) throw new Error('away');
    });
    events().register(away.channel);
    for (let i = 0; i < 5; i++) events().take('login.attempt', { ok: false, username: `u${i}` });
    await panel.advance(60_000);
    expect(attempts).toBeLessThanOrEqual(3);
    isAway = false;
    await panel.advance(HOUR);
    expect(new Set(away.delivered.map(({ facts }) => facts['username']))).toEqual(
      new Set(['u0', 'u1', 'u2', 'u3', 'u4']),
    );
    expect(away.delivered).toHaveLength(5);
  });

  it('blocks nothing when it hangs: not another channel, not a request, not the stop', async () => {
    let attempts = 0;
    const hanging = peer('one', ['node.down'], () => {
      attempts += 1;
      return new Promise(() => {});
    });
    const prompt = peer('two', ['node.down']);
    events().register(hanging.channel);
    events().register(prompt.channel);
    down('de-1');
    await panel.advance(250);
    await expect
      .poll(() => events().subscribers())
      .toContainEqual(expect.objectContaining({ name: 'one', waiting: 1 }));
    await panel.advance(5_000, { settle: false });
    await expect.poll(() => prompt.delivered).toHaveLength(1);
    expect((await list()).events).toHaveLength(1);
    // It has a deadline, after which it is retried.
    await panel.advance(46_000, { settle: false });
    await expect
      .poll(() => panel.read<Subscriber[]>('/events/subscribers'))
      .toEqual(
        expect.arrayContaining([
          expect.objectContaining({ name: 'one', waiting: 1, lastError: 'no answer within 45 s' }),
          expect.objectContaining({ name: 'two', waiting: 0 }),
        ]),
      );
    await panel.advance(15_000, { settle: false });
    await expect.poll(() => attempts).toBe(2);
    await panel.app.close();
  });
});

describe('a storm', () => {
  it('is one summary that names the first; clients concerned are notified individually', async () => {
    const one = peer('one', ['node.down', 'client.expired']);
    const each = peer('each', ['client.expired']);
    events().register(one.channel);
    events().register(each.channel, { isEach: true });
    for (let i = 0; i < 1_000; i++) {
      down(`node-${i}`);
      if (i === 300) await panel.advance(5_000, { settle: true });
    }
    for (let i = 0; i < 20; i++) events().take('client.expired', { clientId: i, email: `c${i}@example.com` });
    await panel.advance(60_000);
    expect(one.delivered).toHaveLength(2);
    expect(one.delivered).toContainEqual(
      expect.objectContaining({
        kind: 'node.down',
        facts: { count: 1_000, named: 10, names: expect.stringContaining('node-0, node-1, ') },
      }),
    );
    expect(each.delivered.map(({ facts }) => facts['email'])).toEqual(
      Array.from({ length: 20 }, (_, i) => `c${i}@example.com`),
    );
    const shown = await list('?language=fa');
    expect(shown.events).toHaveLength(2);
    expect((await list()).events.map(({ title }) => title).sort()).toEqual([
      'Clients that have expired: 20',
      'Nodes that are not reached: 1,000',
    ]);
  });

  it('names long names whole, and counts those for which there is no room', async () => {
    const one = peer('one', ['client.expired']);
    events().register(one.channel);
    for (let i = 0; i < 12; i++)
      events().take('client.expired', { clientId: i, email: `${i}-${'x'.repeat(60)}@example.com` });
    await panel.advance(60_000);
    const { body } = eventText(one.delivered[0]!, 'en', 'UTC');
    expect(body).toMatch(/^0-x+@example\.com, 1-x+@example\.com, 2-x+@example\.com\nand 9 more$/);
  });

  it('of one flapping node ends with its true state', async () => {
    const one = peer('one', ['node.down', 'node.up']);
    events().register(one.channel);
    const up = () => events().take('node.up', { nodeId: 1, name: 'de-1', latencyMs: 3 });
    for (let i = 0; i < 4; i++) {
      down('de-1');
      await panel.advance(5_000);
      up();
      await panel.advance(5_000);
    }
    down('de-1');
    await panel.advance(120_000);
    expect(one.delivered.map(({ kind }) => kind)).toEqual(['node.down', 'node.up', 'node.down']);
  });
});

describe('the desktop window', () => {
  it('gets each event once, in each language, with the page to open', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
    const own = await openPanel({ app: { windowSocket: join(folder, 'window.sock') } });
    own.parts.notifying.events.take('node.down', { nodeId: 7, name: 'de-1' });
    own.parts.notifying.events.take('client.expired', { clientId: 1, email: 'alice' });
    await own.advance(10_000);
    const notified = own.events.filter(({ type }) => type === 'told');
    expect(notified).toMatchObject([
      {
        kind: 'node.down',
        path: '/panel/nodes?show=7',
        words: { en: { title: 'Node de-1 is not reached' }, zh: { title: '节点 de-1 无法连接' } },
      },
    ]);
    await own.close();
    await rm(folder, { recursive: true });
  });
});

describe('the list', () => {
  it('counts unread events, in pages, and forgets after a month', async () => {
    for (let i = 0; i < 3; i++) {
      events().take('backup.failed', { error: `disk full ${i}` });
      await panel.advance(61_000);
    }
    events().take('login.attempt', { ok: true, username: 'admin', address: '::1' });
    await panel.advance(1_000);
    const first = await list('?limit=2');
    expect(first).toMatchObject({
      unread: 3,
      readUpTo: 0,
      events: [{ body: 'Error: disk full 2' }, { body: 'Error: disk full 1' }],
    });
    const [, last] = first.events;
    expect((await list(`?limit=2&before=${last!.id}`)).events).toMatchObject([{ body: 'Error: disk full 0' }]);
    expect((await list('?kinds=login.attempt')).events).toMatchObject([{ title: 'admin signed in' }]);
    expect(await panel.done('/events/read', { upTo: last!.id })).toEqual({ unread: 1 });
    expect(await panel.done('/events/read', { upTo: 1_000_000 })).toEqual({ unread: 0 });
    panel.jumpClock(31 * 24 * HOUR);
    await panel.advance(HOUR);
    expect((await list()).events).toEqual([]);
  });
});
