import { afterEach, expect, it, vi } from 'vitest';
import type { Retry } from '../stores/connection.ts';
import { createBrowserTransport } from './browser-transport.ts';

/** Sockets that were opened, oldest first. */
let sockets: EventTarget[] = [];

class Socket extends EventTarget {
  constructor() {
    super();
    sockets.push(this);
  }
  close() {}
}

afterEach(() => {
  sockets = [];
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('opens one stream, however often an attempt at once is asked for', () => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Socket);
  const retries: (Retry | undefined)[] = [];
  const end = createBrowserTransport('/').listen(
    () => undefined,
    (_isUp, retry) => retries.push(retry),
  );
  sockets[0]?.dispatchEvent(new Event('close'));
  const retry = retries.at(-1)!;
  retry.now();
  retry.now();
  vi.advanceTimersByTime(20_000);
  expect(sockets).toHaveLength(2);
  sockets[1]?.dispatchEvent(new Event('open'));
  retry.now();
  expect(sockets).toHaveLength(2);
  end();
});

it('gives up a stream over which nothing comes any more: a lost network leaves it open', () => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Socket);
  const states: boolean[] = [];
  const end = createBrowserTransport('/').listen(
    () => undefined,
    (isUp) => states.push(isUp),
  );
  sockets[0]?.dispatchEvent(new Event('open'));
  for (let reading = 0; reading < 30; reading += 1) {
    vi.advanceTimersByTime(2_000);
    sockets[0]?.dispatchEvent(new MessageEvent('message', { data: '{}' }));
  }
  expect(states).toEqual([true]);
  vi.advanceTimersByTime(30_000);
  expect(states).toEqual([true, false]);
  vi.advanceTimersByTime(1_000);
  sockets[1]?.dispatchEvent(new Event('open'));
  // The end of the dead one is no news by then.
  sockets[0]?.dispatchEvent(new Event('close'));
  expect(states).toEqual([true, false, true]);
  end();
});
