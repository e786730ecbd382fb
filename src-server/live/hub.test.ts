import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createEventBus, type Publish } from '../contract/events.ts';
import { manualSchedule, type ManualSchedule } from '../testing/manual-schedule.ts';
import { createLiveHub, type LiveHub } from './hub.ts';
import { listening, portOf } from '../testing/peers/local-server.ts';

const START = 1_700_000_000_000;
const MEGABYTE = 1024 * 1024;

let time: ManualSchedule;
let hub: LiveHub;
let publish: Publish;
let server: Server;
let isSessionValid: boolean;
const errors: unknown[] = [];
const open: WebSocket[] = [];

beforeEach(async () => {
  time = manualSchedule(START);
  isSessionValid = true;
  errors.length = 0;
  const bus = createEventBus((error) => errors.push(error));
  ({ publish } = bus);
  hub = createLiveHub({ subscribe: bus.subscribe, clock: time.clock, schedule: time.schedule, log: time.log });
  server = createServer();
  server.on('upgrade', (request, socket, head) =>
    hub.handleUpgrade(request, socket, head, { idHash: 'abc', isStillValid: async () => isSessionValid }),
  );
  await listening(server);
});

afterEach(async () => {
  for (const socket of open.splice(0)) socket.terminate();
  await hub.close();
  server.close();
  expect(errors).toEqual([]);
});

/** A page: everything it received, and a way to wait for the next message. */
async function page(options: { compressed: boolean } = { compressed: true }) {
  const socket = new WebSocket(`ws://127.0.0.1:${portOf(server)}/ws`, {
    perMessageDeflate: options.compressed,
  });
  open.push(socket);
  const received: Record<string, unknown>[] = [];
  let onMessage = (): void => {};
  socket.on('message', (data: Buffer) => {
    received.push(JSON.parse(data.toString()) as Record<string, unknown>);
    onMessage();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() })),
  );
  socket.on('error', () => {});
  await once(socket, 'open');
  return {
    socket,
    received,
    closed,
    until: async (count: number): Promise<Record<string, unknown>[]> => {
      while (received.length < count) await new Promise<void>((resolve) => (onMessage = resolve));
      return received;
    },
  };
}

const traffic = (up: number, producer: 'core' | 'nodes' = 'core') =>
  publish({ type: 'live', message: 'traffic', producer, data: { up } });
const marker = () => publish({ type: 'notification', title: 'marker', body: '', severity: 'info' });

describe('messages', () => {
  it('carries each kind in its own shape with the time, and keeps internal events inside', async () => {
    const { until } = await page();
    publish({ type: 'live', message: 'status', data: { cpu: 1 } });
    publish({ type: 'coreState', state: 'running' });
    publish({ type: 'coreState', state: 'error', errorText: 'bind: address already in use' });
    publish({ type: 'loginAttempt', ok: false, username: 'admin', address: '192.0.2.1', reason: 'wrong password' });
    publish({ type: 'coreCrash', text: 'panic' });
    publish({ type: 'notification', title: 'Core restarted', body: '', severity: 'success' });
    expect(await until(4)).toEqual([
      { type: 'status', data: { cpu: 1 }, time: START },
      { type: 'coreState', data: 'running', time: START },
      { type: 'coreState', data: 'error', errorMsg: 'bind: address already in use', time: START },
      { type: 'notification', title: 'Core restarted', body: '', severity: 'success', time: START },
    ]);
  });

  it('reaches every page, compressed where the page allows it', async () => {
    const pages = [await page(), await page()];
    publish({ type: 'notification', title: 'x'.repeat(5_000), body: '', severity: 'info' });
    for (const { until, socket } of pages) {
      expect((await until(1))[0]!['title']).toHaveLength(5_000);
      expect(socket.extensions).toContain('permessage-deflate');
    }
  });

  it('knows whether anyone listens', async () => {
    expect(hub.hasListeners()).toBe(false);
    const { socket, closed } = await page();
    expect(hub.hasListeners()).toBe(true);
    socket.close();
    await closed;
    await expect.poll(() => hub.hasListeners()).toBe(false);
  });
});

describe('invalidate', () => {
  it('sends many of one resource as one message', async () => {
    const { received, until } = await page();
    for (let change = 0; change < 500; change++) publish({ type: 'invalidate', resource: 'clients' });
    publish({ type: 'invalidate', resource: 'inbounds' });
    await time.advance(20);
    marker();
    await until(3);
    expect(received.map(({ type, resource }) => [type, resource])).toEqual([
      ['invalidate', 'clients'],
      ['invalidate', 'inbounds'],
      ['notification', undefined],
    ]);
  });

  it('names the request only when it is the only cause', async () => {
    const { until } = await page();
    publish({ type: 'invalidate', resource: 'clients', requestId: 'r1' });
    publish({ type: 'invalidate', resource: 'clients', requestId: 'r1' });
    publish({ type: 'invalidate', resource: 'inbounds', requestId: 'r1' });
    publish({ type: 'invalidate', resource: 'inbounds', requestId: 'r2' });
    publish({ type: 'invalidate', resource: 'hosts', requestId: 'r1' });
    publish({ type: 'invalidate', resource: 'hosts' });
    await time.advance(20);
    expect((await until(3)).map(({ resource, requestId }) => [resource, requestId])).toEqual([
      ['clients', 'r1'],
      ['inbounds', undefined],
      ['hosts', undefined],
    ]);
  });
});

describe('live figures', () => {
  it('sends the first at once, and of the rest only the latest', async () => {
    const { received, until } = await page();
    for (let up = 1; up <= 50; up++) traffic(up);
    await until(1);
    await time.advance(249);
    marker();
    await until(2);
    expect(received[0]).toMatchObject({ data: { up: 1 } });
    await time.advance(1);
    expect((await until(3))[2]).toMatchObject({ type: 'traffic', data: { up: 50 } });
    await time.advance(1_000);
    traffic(51);
    expect((await until(4))[3]).toMatchObject({ data: { up: 51 } });
  });

  it('does not let one producer or kind starve another', async () => {
    const { until } = await page();
    traffic(1, 'core');
    traffic(2, 'nodes');
    publish({ type: 'live', message: 'outbounds', data: [] });
    expect((await until(3)).map(({ type, data }) => [type, data])).toEqual([
      ['traffic', { up: 1 }],
      ['traffic', { up: 2 }],
      ['outbounds', []],
    ]);
  });

  it('asks for a refetch when a message is too large', async () => {
    const { received, until } = await page();
    publish({ type: 'live', message: 'client_stats', data: 'x'.repeat(10 * MEGABYTE) });
    await time.advance(20);
    marker();
    await until(2);
    expect(received.map(({ type, resource }) => [type, resource])).toEqual([
      ['invalidate', 'clients'],
      ['notification', undefined],
    ]);
  });
});

describe('slow readers', () => {
  /** Publishes until the paused page is dropped; a healthy page beside it must receive everything. */
  async function floodUntilDropped(bytes: number) {
    const slow = await page({ compressed: false });
    const healthy = await page({ compressed: false });
    slow.socket.pause();
    const body = 'x'.repeat(bytes);
    const dropped = () => time.log.lines.find(({ event }) => event === 'live.dropped');
    let sent = 0;
    while (dropped() === undefined && sent < 5_000) {
      publish({ type: 'notification', title: '', body, severity: 'info' });
      await healthy.until(++sent);
    }
    slow.socket.resume();
    await slow.closed;
    marker();
    await healthy.until(sent + 1);
    expect(healthy.socket.readyState).toBe(WebSocket.OPEN);
    return dropped()!.fields;
  }

  it('drops a reader with too many unread bytes', async () => {
    const { reason, queued, queuedBytes } = await floodUntilDropped(2 * MEGABYTE);
    expect(reason).toBe('the reader is too slow');
    expect(queued).toBeLessThan(512);
    expect(queuedBytes).toBeGreaterThan(32 * MEGABYTE);
    expect(queuedBytes).toBeLessThan(36 * MEGABYTE);
  });

  it('drops a reader with too many unread messages', async () => {
    const { reason, queued } = await floodUntilDropped(32 * 1024);
    expect(reason).toBe('the reader is too slow');
    expect(queued).toBe(512);
  });

  it('drops a reader that takes nothing for longer than the write deadline', async () => {
    const slow = await page({ compressed: false });
    slow.socket.pause();
    for (let sent = 0; sent < 10; sent++)
      publish({ type: 'notification', title: '', body: 'x'.repeat(2 * MEGABYTE), severity: 'info' });
    await time.advance(10_000);
    expect(hub.hasListeners()).toBe(true);
    await time.advance(10_000);
    await expect.poll(() => hub.hasListeners()).toBe(false);
    expect(time.log.lines.at(-1)?.fields['reason']).toBe('a message was not taken in time');
  });
});

describe('the life of a socket', () => {
  it('is pinged and stays while it answers', async () => {
    const { socket } = await page();
    for (let round = 0; round < 3; round++) {
      const pinged = once(socket, 'ping');
      await time.advance(54_000);
      await pinged;
      // The server reads in order: once it answers our ping, it has seen the answer to its own.
      const pong = once(socket, 'pong');
      socket.ping();
      await pong;
    }
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  it('ends without an answer to a ping', async () => {
    const { socket, closed } = await page();
    socket.pause();
    await time.advance(60_000);
    socket.resume();
    expect((await closed).code).toBe(1006);
    expect(time.log.lines.at(-1)?.fields['reason']).toBe('no answer to a ping');
  });

  it('ends with code 4401 at the first ping after its session ended', async () => {
    const { closed } = await page();
    isSessionValid = false;
    await time.advance(54_000);
    expect(await closed).toEqual({ code: 4401, reason: 'the session has ended' });
  });

  it('ends at once when sessions are checked again', async () => {
    const { socket, closed } = await page();
    await hub.recheckSessions();
    expect(socket.readyState).toBe(WebSocket.OPEN);
    isSessionValid = false;
    await hub.recheckSessions();
    expect((await closed).code).toBe(4401);
  });

  it('ignores what a page sends and ends when it sends too much', async () => {
    const { socket, closed, until } = await page();
    socket.send('x'.repeat(512));
    marker();
    await until(1);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    socket.send('x'.repeat(513));
    expect((await closed).code).toBe(1009);
  });

  it('closes every page with the hub and refuses new ones', async () => {
    const pages = [await page(), await page()];
    await hub.close();
    for (const { closed } of pages) expect((await closed).code).toBe(1001);
    publish({ type: 'coreState', state: 'stop' });
    await expect(page()).rejects.toThrow();
  });
});
