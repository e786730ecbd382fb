import { unwatched, type Watch } from '../list/watch.ts';

/** Items per round of bulk work: a message between threads takes a few ms, and the event loop runs in between. */
export const CHUNK_SIZE = 400;

/** Consecutive pieces of at most {@link CHUNK_SIZE} items. */
export function* chunked<T>(items: readonly T[], watch: Watch = unwatched): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += CHUNK_SIZE) {
    watch(at);
    yield items.slice(at, at + CHUNK_SIZE);
  }
}
