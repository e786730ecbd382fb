import type { Publish, Resource } from '../../contract/events.ts';

/** Tells open pages what to fetch again. @param requestId sent by the page that caused it, empty otherwise. */
export function announce(publish: Publish, resources: readonly Resource[], requestId: string): void {
  for (const resource of resources)
    publish(requestId === '' ? { type: 'invalidate', resource } : { type: 'invalidate', resource, requestId });
}
