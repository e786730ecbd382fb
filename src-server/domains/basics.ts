import type { Publish } from '../contract/events.ts';
import type { Logger } from '../contract/logger.ts';
import type { Schedule } from '../contract/schedule.ts';
import type { Store } from '../store/open-store.ts';

/** What most services need; each names its part of it. */
export interface Basics {
  store: Store;
  /** Ms since 1970. */
  clock: () => number;
  /** Ms that only ever grow, whatever happens to the wall clock. */
  monotonic: () => number;
  schedule: Schedule;
  publish: Publish;
  log: Logger;
}
