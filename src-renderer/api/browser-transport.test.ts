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
  vi.advanceTimersByTime(60_000);
  expect(sockets).toHaveLength(2);
  sockets[1]?.dispatchEvent(new Event('open'));
  retry.now();
  expect(sockets).toHaveLength(2);
  end();
});
