import type { Resource } from '../contract/events.ts';
import type { Schedule } from '../contract/schedule.ts';
import type { WireMessage } from './wire.ts';

/** Long enough for the events of one bulk change, too short to be noticed. */
const GATHER_MS = 20;

/**
 * Gathers invalidations so that many of one resource leave as one message. The message names a request only when all of
 * them came from it: a page may ignore the echo of its own change, but not another change beside it.
 */
export function createInvalidations(options: {
  schedule: Schedule;
  emit: (message: WireMessage) => void;
}): (resource: Resource, requestId: string) => void {
  const { schedule, emit } = options;
  let gathered = new Map<Resource, Set<string>>();

  function flush(): void {
    const due = gathered;
    gathered = new Map();
    for (const [resource, requestIds] of due) {
      const [only = ''] = requestIds;
      emit(
        requestIds.size === 1 && only !== ''
          ? { type: 'invalidate', resource, requestId: only }
          : { type: 'invalidate', resource },
      );
    }
  }

  return (resource, requestId) => {
    if (gathered.size === 0) schedule.after(GATHER_MS, flush);
    const requestIds = gathered.get(resource);
    if (requestIds === undefined) gathered.set(resource, new Set([requestId]));
    else requestIds.add(requestId);
  };
}
