import type { Publish, Resource } from './events.ts';

/** Tells open pages what to reload. @param requestId id of the page's request that caused it, empty otherwise. */
export function announce(publish: Publish, resources: readonly Resource[], requestId: string): void {
  for (const resource of resources)
    publish(requestId === '' ? { type: 'invalidate', resource } : { type: 'invalidate', resource, requestId });
}
