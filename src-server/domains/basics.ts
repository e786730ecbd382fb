import type { Publish } from '../contract/events.ts';
import type { Logger } from '../contract/logger.ts';
import type { Schedule } from '../contract/schedule.ts';
import type { Store } from '../store/open-store.ts';

/** What most services need; each picks the parts it uses. */
export interface Basics {
  store: Store;
  /** Ms since 1970. */
  clock: () => number;
  /** Monotonic ms, unaffected by changes of the wall clock. */
  monotonic: () => number;
  schedule: Schedule;
  publish: Publish;
  log: Logger;
}
