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
