import { notifyManager, type QueryClient } from '@tanstack/react-query';
import type { ServerStatus } from '#contract/server';
import type { Job } from '#contract/jobs';
import type { Resource } from '#wire/events';
import { useConnection } from '../stores/connection.ts';
import { useLiveStatus } from '../stores/live-status.ts';
import { noteServerTime } from '../stores/server-clock.ts';
import { keys, STALE_AFTER } from './keys.ts';
import { patchCounters, patchOnline, type ClientStats } from './live-rows.ts';
import type { Transport } from './transport.ts';

interface LiveMessage {
  type: string;
  data?: unknown;
  resource?: Resource;
  requestId?: string;
  time: number;
}

/** Writes the live stream into the cache and the live stores. The only place that knows its messages. @returns what ends it. */
export function bridgeEvents(transport: Transport, cache: QueryClient): () => void {
  let wasUp = false;
  return transport.listen(
    (raw) => take(raw as LiveMessage, transport, cache),
    (isUp, retry) => {
      useConnection.getState().setSocket(isUp, retry ?? null);
      // A stream may fail alone, behind a proxy that knows none: changes still go through then.
      if (isUp) useConnection.getState().setReachable(true);
      else void answers(transport).then((isReachable) => useConnection.getState().setReachable(isReachable));
      // What happened while the stream was down is not told again.
      if (isUp && wasUp) void cache.invalidateQueries();
      wasUp ||= isUp;
    },
  );
}

/** Whether the panel answers a plain request. */
async function answers(transport: Transport): Promise<boolean> {
  try {
    const { status } = await transport.send({ method: 'GET', path: '/csrf-token' });
    return status < 500;
  } catch {
    return false;
  }
}

function take(message: LiveMessage, transport: Transport, cache: QueryClient): void {
  noteServerTime(message.time);
  switch (message.type) {
    case 'status':
      // The cache tells its readers a turn later; with the ring told in the same turn a reading is painted once.
      notifyManager.batch(() => {
        cache.setQueryData([...keys.status], message.data);
        notifyManager.schedule(() => useLiveStatus.getState().push(message.data as ServerStatus, message.time));
      });
      break;
    case 'jobs':
      cache.setQueryData<Job[]>([...keys.jobs], message.data as Job[]);
      break;
    case 'coreState':
      void cache.invalidateQueries({ queryKey: keys.status });
      break;
    case 'invalidate':
      if (message.resource === undefined) break;
      if (message.requestId !== undefined && transport.isOwnRequest(message.requestId)) break;
      for (const queryKey of STALE_AFTER[message.resource]) void cache.invalidateQueries({ queryKey });
      break;
    case 'client_stats':
      patchCounters(cache, message.data as ClientStats);
      break;
    case 'nodes':
      cache.setQueryData([...keys.nodes, 'list'], message.data);
      break;
    case 'outbounds':
      cache.setQueryData([...keys.outbounds, 'traffic'], message.data);
      break;
    case 'traffic':
      patchOnline(cache, (message.data as { onlineClients: string[] }).onlineClients);
      break;
    default:
  }
}
