import { notifyManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { useLiveStatus } from '../stores/live-status.ts';
import { bridgeEvents } from './event-bridge.ts';
import { keys } from './keys.ts';
import type { Transport } from './transport.ts';

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
