import { actingAlone } from '../../../acting.ts';
import type { Basics } from '../../basics.ts';
import { isDatabaseAway } from '../../../contract/database-away.ts';
import type { Core, CounterReading } from '../../../core/core.ts';
import { failpoint } from '../../../failpoints/failpoint.ts';
import { COUNTER_KINDS, type BaselineTable, type CounterKind } from './baselines.ts';
import { createReadingCommit, type CommitReadingDeps } from './commit-reading.ts';
import { createCurrentBook } from './current-book.ts';
import type { KeptReadings } from './kept-readings.ts';
import type { Changed, Implausible } from './measure.ts';
import { createReadingMeasure, type Moved } from './measure-reading.ts';
import { createLine } from '../../../concurrency.ts';
import type { Committed } from './repository-commit.ts';
import { storedBootOf } from './repository-counters.ts';

/** A committed reading. */
export interface Accounted extends Omit<Committed, 'nearQuota' | 'leftover'> {
  bootId: string;
  sourceId: number;
  moved: Record<CounterKind, Moved>;
  /** Users that will soon reach their quota at this speed. */
  nearQuota: string[];
  /** Users that the loop disabled but that still moved bytes. */
  leftover: string[];
}

export interface AccountingDeps
  extends Pick<Basics, 'store' | 'clock' | 'publish' | 'log'>, Pick<CommitReadingDeps, 'runtime' | 'wallClock'> {
  core: Pick<Core, 'readCounters' | 'status'>;
  /** The ledger source under which the core counts. */
  coreSource: string;
  /** Monotonic time in ms, unaffected by the wall clock. */
  monotonic: () => number;
  kept: KeptReadings;
}

export interface ReadOptions {
  /** Only these users, without inbounds and outbounds; absent = everything. */
  only?: ReadonlySet<string>;
  /** Users with an open connection whose last-seen time should be raised. */
  connected?: string[];
  /**
   * Work on the traffic that needs no commit; runs during the commit, while this thread would only wait. Never rejects.
   */
  whileCommitting?: (moved: Accounted['moved']) => Promise<void>;
}

/**
 * Reads the core's counters and commits the differences, one reading at a time, in call order. Nothing here calls a
 * method that changes the core: the final read runs while the core's own lock is held.
 */
export function createAccounting(deps: AccountingDeps) {
  const { store, core, monotonic, kept, log } = deps;
  const inLine = createLine();
  const book = createCurrentBook(deps);
  const measuring = createReadingMeasure(deps);
  const commit = createReadingCommit(deps);
  let lastReadMs: number | null = null;

  /** Cores that ended while the database was unreachable come first: the next core's baselines replace theirs. */
  async function bookKept(bootId: string | null): Promise<void> {
    if (kept.before(bootId).length === 0) return;
    kept.settle(await storedBootOf(store, deps.coreSource));
    for (const reading of kept.before(bootId)) {
      try {
        await account(reading, {});
        log.info('traffic.keptBooked', { bootId: reading.bootId });
      } catch (error) {
        // A reading that cannot be booked must not block all later ones.
        if (isDatabaseAway(error)) throw error;
        log.error('traffic.keptNotBooked', { bootId: reading.bootId, error });
        book.discard();
      }
      kept.drop(reading.bootId);
    }
  }

  async function account(reading: CounterReading, options: ReadOptions): Promise<Accounted> {
    const only = options.only ?? null;
    const opened = await book.open(reading.bootId);
    const found = await measuring.differences(opened, reading, only);
    const nowMono = monotonic();
    const since = only === null ? opened.lastFullReadMs : lastReadMs;
    const committed = await commit(opened, found, {
      connected: options.connected ?? [],
      intervalMs: () => (since === null ? measuring.coveredMs(opened) : nowMono - since),
      whileCommitting: options.whileCommitting,
    });
    for (const kind of COUNTER_KINDS) adopt(opened.tables[kind], found.changed[kind]);
    opened.lastReadAtMs = Math.max(opened.lastReadAtMs ?? -Infinity, reading.readAtMs);
    lastReadMs = nowMono;
    if (only === null) opened.lastFullReadMs = nowMono;
    for (const delta of found.implausible) report(delta);
    return {
      bootId: reading.bootId,
      sourceId: opened.sourceId,
      moved: found.moved,
      activatedIds: committed.activatedIds,
      leftover: committed.leftover.map((position) => opened.tables.user.subjects[position]!),
      nearQuota: committed.nearQuota.map((position) => opened.tables.user.subjects[position]!),
    };
  }

  function report({ kind, subject, upDelta, downDelta }: Implausible & { kind: CounterKind }): void {
    log.warn('traffic.quarantined', { kind, subject, upDelta, downDelta });
    deps.publish({
      type: 'notification',
      title: 'Implausible traffic set aside',
      body: `The core reported ${upDelta + downDelta} bytes for ${kind} "${subject}" at once, more than the line can carry. They are not counted.`,
      severity: 'warning',
    });
  }

  async function readOnce(options: ReadOptions): Promise<Accounted | null> {
    const reading = await core.readCounters();
    failpoint('tick.read');
    const isOld = reading !== null && book.isFromEndedBoot(reading.bootId);
    try {
      await bookKept(reading?.bootId ?? null);
      if (reading === null || isOld) return null;
      const accounted = await account(reading, options);
      // A reading of some users leaves the traffic of all others to the next one.
      if (options.only === undefined) kept.drop(reading.bootId);
      return accounted;
    } catch (error) {
      book.discard();
      if (reading !== null && !isOld && isDatabaseAway(error)) kept.keep(reading, book.bootId());
      throw error;
    }
  }

  return {
    /**
     * Reads and commits. Null when there is nothing to read or the reading is from an ended core. After a failed commit
     * the next reading starts from the state in the database. What is counted is no request's change, also where a
     * request waits for it.
     */
    read: (options: ReadOptions = {}): Promise<Accounted | null> => inLine(() => actingAlone(() => readOnce(options))),
    /** Whether the core may already count under this name: always true before the first reading of its process. */
    isCounted: (subject: string): boolean => book.isCounted(subject),
    /** Resolves when no reading is in progress. */
    idle: (): Promise<void> => inLine(async () => undefined),
  };
}
export type Accounting = ReturnType<typeof createAccounting>;

/** Takes over what was committed. */
function adopt(table: BaselineTable, { positions, up, down }: Changed): void {
  for (let i = 0; i < positions.length; i++) {
    const position = positions[i]!;
    table.up[position] = up[i]!;
    table.down[position] = down[i]!;
  }
}
