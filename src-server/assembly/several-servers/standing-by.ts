import type { Resource } from '../../contract/events.ts';
import type { Foundation } from '../foundation.ts';

/** Longest time until open pages show the active panel's changes, in ms. */
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

/** This panel learns only that the active panel committed something, so open pages refetch everything they show. */
export function tellCommits({ store, edgeSchedule, hasListeners, publish }: Foundation): void {
  let seen = store.turnReader.version();
  edgeSchedule.every(TELL_MS, () => {
    const version = store.turnReader.version();
    if (version === seen || !hasListeners()) return;
    seen = version;
    for (const resource of SHOWN) publish({ type: 'invalidate', resource });
  });
}
