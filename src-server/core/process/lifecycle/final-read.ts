import type { Logger } from '../../../contract/logger.ts';
import type { CoreApi } from '../../api/core-api.ts';
import { settlesWithin } from '../core-process.ts';
import type { Session } from '../session.ts';

const FINAL_READ_MS = 10_000;

/** Source of counters. `bootId` says which run of the core they belong to. */
interface Readable {
  api: CoreApi;
  bootId: string;
}

/** Counts a core to its end: what moves between the last tick and the end of the process is traffic too. */
export class FinalRead {
  /** The running core, or an orphan during its final read. */
  readable: Readable | null = null;
  /**
   * True from the final read of a core until it is gone: a caller that waits for the lock then would wait for itself.
   */
  isEnding = false;
  readonly #log: Logger;
  readonly #running: () => Session | null;
  readonly #beforeStop: (() => Promise<void>)[] = [];

  constructor(log: Logger, running: () => Session | null) {
    this.#log = log;
    this.#running = running;
  }

  onBeforeStop(listener: () => Promise<void>): void {
    this.#beforeStop.push(listener);
  }

  /** Counters come from the running core, if there is one. */
  followRunning(): void {
    const process = this.#running()?.process;
    this.readable = process === undefined ? null : { api: process.api, bootId: process.bootId };
  }

  /**
   * Ends a core so that next to nothing it moved stays uncounted. Committing takes time and bytes keep moving
   * meanwhile, so the counters are read once more right before the end and committed when the process is gone.
   */
  async countToTheEnd(api: CoreApi, bootId: string, end: () => Promise<void>): Promise<void> {
    this.readable = { api, bootId };
    this.isEnding = true;
    try {
      const hasSettled = await this.#runBeforeStop();
      const last = hasSettled ? await api.rawCounters().catch(() => null) : null;
      await end();
      if (last === null) return;
      this.readable = { api: { ...api, rawCounters: async () => last }, bootId };
      await this.#runBeforeStop();
    } finally {
      this.isEnding = false;
      this.followRunning();
    }
  }

  /** A listener that fails or hangs must not keep alive a core that has to go. False when one hangs. */
  async #runBeforeStop(): Promise<boolean> {
    const all = Promise.allSettled(this.#beforeStop.map((listener) => listener())).then((results) => {
      for (const result of results) {
        if (result.status === 'rejected') this.#log.error('core.finalRead', { error: String(result.reason) });
      }
    });
    const hasSettled = await settlesWithin(all, FINAL_READ_MS);
    if (!hasSettled) this.#log.error('core.finalRead', { error: 'timed out' });
    return hasSettled;
  }
}
