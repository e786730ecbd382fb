import { notifyManager, type QueryClient } from '@tanstack/react-query';
import type { OutboundTraffic } from '#contract/coreSettings';
import type { ServerStatus } from '#contract/server';
import type { Job } from '#contract/jobs';
import type { Resource } from '#wire/events';
import { useConnection } from '../stores/connection.ts';
import { useLiveStatus } from '../stores/live-status.ts';
import { noteServerTime } from '../stores/server-clock.ts';
import { keys, STALE_AFTER } from './keys.ts';
import { patchCounters, patchOutbounds, patchTraffic, type ClientStats, type LiveTraffic } from './live-rows.ts';
import type { Transport } from './transport.ts';

interface LiveMessage {
  type: string;
  data?: unknown;
  resource?: Resource;
  requestId?: string;
  time: number;
}

/** Delay before an unreachable panel is probed again. */
const PROBE_AGAIN_MS = 3_000;
/** A panel that takes longer to answer the probe counts as unreachable. */
const PROBE_TIMEOUT_MS = 5_000;

/** Writes the live stream, which nothing else parses, into the cache and the stores. @returns a function to stop it. */
export function bridgeEvents(transport: Transport, cache: QueryClient): () => void {
  let wasUp = false;
  const { probe, believe, end } = watchReach(transport);
  useConnection.setState({ doubt: () => void probe() });
  const close = transport.listen(
    (raw) => take(raw as LiveMessage, transport, cache),
    (isUp, retry) => {
      useConnection.getState().setSocket(isUp, retry ?? null);
      // The stream may fail alone, behind a proxy without WebSockets: changes still go through then.
      if (isUp) believe();
      else
        void probe().then(() => {
          // A refused stream does not say why. A call does, when the session has ended; every page reads the jobs.
          if (useConnection.getState().isReachable) void cache.invalidateQueries({ queryKey: keys.jobs });
        });
      // The stream takes only who is signed in: another tab has done that.
      const { isSignedOut, setSignedOut } = useConnection.getState();
      if (isUp && isSignedOut) setSignedOut(false);
      // Events from while the stream was down are not replayed.
      if (isUp && (wasUp || isSignedOut)) void cache.invalidateQueries();
      wasUp ||= isUp;
    },
  );
  return () => {
    close();
    end();
  };
}

/** Tracks whether the panel answers: probes it when that is in doubt, and again until it answers. */
function watchReach(transport: Transport) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isProbing = false;
  let isEnded = false;
  const believe = (): void => {
    clearTimeout(timer);
    useConnection.getState().setReachable(true);
  };
  const probe = async (): Promise<void> => {
    if (isProbing || isEnded) return;
    isProbing = true;
    clearTimeout(timer);
    const isReachable = await responds(transport);
    isProbing = false;
    if (isEnded) return;
    useConnection.getState().setReachable(isReachable);
    if (!isReachable) timer = setTimeout(() => void probe(), PROBE_AGAIN_MS);
  };
  return {
    probe,
    believe,
    end: () => {
      isEnded = true;
      clearTimeout(timer);
    },
  };
}

/** Whether the panel answers a plain request. */
async function responds(transport: Transport): Promise<boolean> {
  try {
    const { status } = await transport.send({
      method: 'GET',
      path: '/csrf-token',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return status < 500;
  } catch {
    return false;
  }
}

function take(message: LiveMessage, transport: Transport, cache: QueryClient): void {
  noteServerTime(message.time);
  switch (message.type) {
    case 'status':
      // The cache notifies its readers a turn later; writing the ring in the same turn paints a reading once.
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
    case 'invalidate': {
      if (message.resource === undefined) break;
      const isOwn = message.requestId !== undefined && transport.isOwnRequest(message.requestId);
      // Of an own change, what is shown has been fetched again; other pages do so when they are opened.
      const refetchType = isOwn ? 'none' : 'active';
      for (const queryKey of STALE_AFTER[message.resource]) void cache.invalidateQueries({ queryKey, refetchType });
      break;
    }
    case 'client_stats':
      patchCounters(cache, message.data as ClientStats);
      break;
    case 'nodes':
      cache.setQueryData([...keys.nodes, 'list'], message.data);
      break;
    case 'outbounds':
      patchOutbounds(cache, message.data as OutboundTraffic[]);
      break;
    case 'traffic':
      patchTraffic(cache, message.data as LiveTraffic);
      break;
    default:
  }
}
