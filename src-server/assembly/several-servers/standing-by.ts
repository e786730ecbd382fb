import type { Resource } from '../../contract/events.ts';
import type { Foundation } from '../foundation.ts';

/** Open pages show what the active panel changed after this time at the latest. */
const TELL_MS = 3_000;
const SHOWN: readonly Resource[] = [
  'inbounds',
  'clients',
  'outbounds',
  'nodes',
  'hosts',
  'groups',
  'settings',
  'events',
  'journal',
];

/** Changes of the active panel are told to this one as commits alone: pages that are open read what they show anew. */
export function tellCommits({ store, edgeSchedule, hasListeners, publish }: Foundation): void {
  let seen = store.turnReader.version();
  edgeSchedule.every(TELL_MS, () => {
    const version = store.turnReader.version();
    if (version === seen || !hasListeners()) return;
    seen = version;
    for (const resource of SHOWN) publish({ type: 'invalidate', resource });
  });
}
