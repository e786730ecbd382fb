import { notifyManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { useLiveStatus } from '../stores/live-status.ts';
import { useConnection } from '../stores/connection.ts';
import { bridgeEvents } from './event-bridge.ts';
import { keys } from './keys.ts';
import { createQueryClient } from './query-client.ts';
import { CallError, type Transport } from './transport.ts';

const amount = { current: 1, total: 4 };
const reading = { cpu: 7, mem: amount, swap: amount, disk: amount, load: {}, netIO: {} };

it('writes a reading to the cache and the ring in one turn, so that it is painted once', async () => {
  const cache = new QueryClient();
  let tell = (_message: unknown): void => undefined;
  const transport = {
    listen(onMessage: (message: unknown) => void) {
      tell = onMessage;
      return () => undefined;
    },
  };
  bridgeEvents(transport as unknown as Transport, cache);
  const points = (): number => useLiveStatus.getState().points.length;
  const pointsInTurn = new Promise<number>((resolve) => {
    // A reader, as a page would be.
    const heard = notifyManager.batchCalls(() => queueMicrotask(() => resolve(points())));
    new QueryObserver(cache, { queryKey: keys.status, enabled: false }).subscribe(heard);
  });
  tell({ type: 'status', data: reading, time: 2_000 });
  expect(points()).toBe(0);
  expect(await pointsInTurn).toBe(1);
  expect(cache.getQueryData(keys.status)).toEqual(reading);
});

it('a stream that is lost because the session has ended leads to the sign-in', async () => {
  const cache = createQueryClient();
  const read = new QueryObserver(cache, {
    queryKey: [...keys.jobs],
    initialData: [],
    staleTime: Infinity,
    queryFn: () => Promise.reject(new CallError('signedOut', '')),
  });
  const stop = read.subscribe(() => undefined);
  const transport = {
    listen(_onMessage: unknown, onState: (isUp: boolean) => void) {
      onState(false);
      return () => undefined;
    },
    send: () => Promise.resolve({ status: 200, errorCode: '', body: null }),
  };
  const end = bridgeEvents(transport as unknown as Transport, cache);
  await expect.poll(() => useConnection.getState().isSignedOut).toBe(true);
  end();
  stop();
  useConnection.setState({ isSignedOut: false, isSocketUp: null });
});

it('a sign-in in another tab ends the question for one: the stream takes only who is signed in', () => {
  let say = (_isUp: boolean): void => undefined;
  const transport = {
    listen(_onMessage: unknown, onState: (isUp: boolean) => void) {
      say = onState;
      return () => undefined;
    },
  };
  const cache = createQueryClient();
  cache.setQueryData(keys.groups, []);
  const end = bridgeEvents(transport as unknown as Transport, cache);
  useConnection.setState({ isSignedOut: true });
  say(true);
  expect(useConnection.getState().isSignedOut).toBe(false);
  expect(cache.getQueryState(keys.groups)?.isInvalidated).toBe(true);
  end();
  useConnection.setState({ isSocketUp: null });
});

/** A page's cache that follows a stream. */
function follow(isOwnRequest: boolean) {
  const cache = createQueryClient();
  let tell = (_message: unknown): void => undefined;
  const transport = {
    listen(onMessage: (message: unknown) => void) {
      tell = onMessage;
      return () => undefined;
    },
    isOwnRequest: () => isOwnRequest,
  };
  const end = bridgeEvents(transport as unknown as Transport, cache);
  return { cache, end, tell: (message: object) => tell({ time: 2_000, ...message }) };
}

it.each([
  ['inbounds', [...keys.hosts, 'page']],
  ['inbounds', [...keys.settings, 'checklist']],
  ['hosts', [...keys.clients, 'links', 'bob']],
  ['hosts', [...keys.clients, 'codes', 'bob']],
  ['hosts', [...keys.inbounds, 'links', 1]],
  ['settings', [...keys.clients, 'codes', 'bob']],
  ['nodes', [...keys.clients, 'links', 'bob']],
  ['clients', [...keys.inbounds, 'links', 1]],
  ['clients', [...keys.inbounds, 'one', 1]],
])('another admin changes %s: what shows them is read again, %s', (resource, queryKey) => {
  const { cache, tell, end } = follow(false);
  cache.setQueryData(queryKey, []);
  tell({ type: 'invalidate', resource });
  expect(cache.getQueryState(queryKey)?.isInvalidated).toBe(true);
  end();
});

it("the echo of this page's own change fetches nothing, and the next page reads again what it shows", async () => {
  const { cache, tell, end } = follow(true);
  let reads = 0;
  const plans = { queryKey: [...keys.plans], queryFn: () => (reads += 1) };
  const shown = new QueryObserver(cache, { ...plans, initialData: 0 });
  const close = shown.subscribe(() => undefined);
  tell({ type: 'invalidate', resource: 'clients', requestId: 'ours' });
  expect(shown.getCurrentResult().isFetching).toBe(false);
  close();
  const next = new QueryObserver<number>(cache, plans);
  const leave = next.subscribe(() => undefined);
  await expect.poll(() => next.getCurrentResult().data).toBe(1);
  leave();
  end();
});
