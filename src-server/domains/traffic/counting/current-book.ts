import type { Basics } from '../../basics.ts';
import type { Core } from '../../../core/core.ts';
import { createBook, type BaselineBook } from './baselines.ts';
import { enterBoot, loadNewBaselines, sourceIdOf } from './repository-counters.ts';

export interface CurrentBookDeps extends Pick<Basics, 'store' | 'log'> {
  core: Pick<Core, 'status'>;
  /** The ledger source under which the core counts. */
  coreSource: string;
}

/** The baselines of the boot that is read now, and which boots have ended. */
export function createCurrentBook({ store, core, coreSource, log }: CurrentBookDeps) {
  /** Ended boots: anything that still arrives from them is outdated. */
  const endedBoots = new Set<string>();
  let book: BaselineBook | null = null;
  let currentBoot = '';

  return {
    /** The boot opened last; empty = none yet. */
    bootId: (): string => currentBoot,

    /** A late response of an older process would look like a new one and be counted twice. */
    isFromEndedBoot(bootId: string): boolean {
      const running = core.status().bootId;
      if (bootId === running || bootId === currentBoot) return false;
      return running !== null || endedBoots.has(bootId);
    },

    /** The baselines of a boot, read from the database unless they are in memory. The boot opened before has ended. */
    async open(bootId: string): Promise<BaselineBook> {
      if (book?.bootId === bootId) return book;
      const sourceId = await store.write(async (trx) => {
        const id = await sourceIdOf(trx, 'core', coreSource);
        await enterBoot(trx, id, bootId);
        return id;
      });
      if (currentBoot !== '' && currentBoot !== bootId) {
        endedBoots.add(currentBoot);
        log.info('traffic.newBoot', { bootId });
      }
      currentBoot = bootId;
      const opened = createBook(sourceId, bootId);
      await loadNewBaselines(store, opened);
      book = opened;
      return opened;
    },

    /** After a failed commit: the next reading starts from the state in the database. */
    discard(): void {
      book = null;
    },

    /** Whether the core may already count under this name: always true before the first reading of its process. */
    isCounted(subject: string): boolean {
      const { bootId } = core.status();
      if (bootId === null) return false;
      return book?.bootId !== bootId || book.tables.user.positions.has(subject);
    },
  };
}
