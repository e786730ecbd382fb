import type { Basics } from '../../basics.ts';
import { isDatabaseAway } from '../../../contract/database-away.ts';
import type { Core, CounterReading } from '../../../core/core.ts';
import type { Runtime } from '../../../runtime/runtime.ts';
import { failpoint } from '../../../failpoints/failpoint.ts';
import { COUNTER_KINDS, createBook, type BaselineBook, type BaselineTable, type CounterKind } from './baselines.ts';
import { creditsOf } from '../ledger/credits.ts';
import type { KeptReadings } from './kept-readings.ts';
import { measure, NOTHING, plausibleBytes, type Changed, type Implausible, type Measured } from './measure.ts';
import { createLine } from '../../../concurrency.ts';
import { usersOf } from './repository-bookkeeping.ts';
import { commitCounters, type Committed } from './repository-commit.ts';
import {
  enterBoot,
  storedBootOf,
  loadNewBaselines,
  registerSubjects,
  sourceIdOf,
  takeChangedOwners,
} from './repository-counters.ts';

/** Names per registration, so that a first reading with 50,000 names does not block the writer. */
const NAMES_PER_WRITE = 2_000;
/** Assumed interval when the start of a core's counting is unknown. */
const DAY_MS = 86_400_000;
const TABLE_OF = { user: 'users', inbound: 'inbounds', outbound: 'outbounds' } as const;

/** Traffic of one reading, per kind: names[i] moved upDelta[i] and downDelta[i]. */
export interface Moved {
  names: string[];
  upDelta: Float64Array;
  downDelta: Float64Array;
}

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

export interface AccountingDeps extends Pick<Basics, 'store' | 'clock' | 'publish' | 'log'> {
  core: Pick<Core, 'readCounters' | 'status'>;
  runtime: Pick<Runtime, 'stage'>;
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
  const { store, core, clock, monotonic, kept, log } = deps;
  const inLine = createLine();
  /** Ended boots: anything that still arrives from them is outdated. */
  const endedBoots = new Set<string>();
  let book: BaselineBook | null = null;
  let currentBoot = '';
  let lastReadMs: number | null = null;

  /** A late response of an older process would look like a new one and be counted twice. */
  function isFromEndedBoot(bootId: string): boolean {
    const running = core.status().bootId;
    if (bootId === running || bootId === currentBoot) return false;
    return running !== null || endedBoots.has(bootId);
  }

  async function bookOf(bootId: string): Promise<BaselineBook> {
    if (book?.bootId === bootId) return book;
    const sourceId = await store.write(async (trx) => {
      const id = await sourceIdOf(trx, 'core', deps.coreSource);
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
  }

  async function register(opened: BaselineBook, kind: CounterKind, subjects: readonly string[]): Promise<void> {
    for (let at = 0; at < subjects.length; at += NAMES_PER_WRITE) {
      const names = subjects.slice(at, at + NAMES_PER_WRITE);
      await store.write((trx) => registerSubjects(trx, opened.sourceId, kind, names));
    }
  }

  /** Upper limit of the time in which the differences arose. */
  function coveredMs(opened: BaselineBook): number {
    if (opened.lastFullReadMs !== null) return monotonic() - opened.lastFullReadMs;
    const { bootId, startedAtMs } = core.status();
    const age = bootId === opened.bootId && startedAtMs !== null ? clock() - startedAtMs : DAY_MS;
    return age < 0 ? DAY_MS : age;
  }

  async function measureAll(opened: BaselineBook, reading: CounterReading, only: ReadonlySet<string> | null) {
    // Inbounds and outbounds are skipped when only some users are wanted: their next full reading covers them.
    const kinds = only === null ? COUNTER_KINDS : (['user'] as const);
    // Also names released before any reading saw them: the next client with such a name has to know that it may count.
    if (only === null) await loadNewBaselines(store, opened);
    const limitBytes = plausibleBytes(coveredMs(opened));
    const isFresh = opened.lastReadAtMs !== null && reading.readAtMs > opened.lastReadAtMs;
    const measured: Partial<Record<CounterKind, Measured>> = {};
    for (const kind of kinds) {
      const measureKind = () => measure(reading[TABLE_OF[kind]], opened.tables[kind], { isFresh, limitBytes, only });
      let found = await measureKind();
      if (found.unseen.length > 0) {
        await register(opened, kind, found.unseen);
        await loadNewBaselines(store, opened);
        found = await measureKind();
      }
      measured[kind] = found;
    }
    return measured;
  }

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
        book = null;
      }
      kept.drop(reading.bootId);
    }
  }

  async function account(reading: CounterReading, options: ReadOptions): Promise<Accounted> {
    const only = options.only ?? null;
    const opened = await bookOf(reading.bootId);
    const measured = await measureAll(opened, reading, only);
    const changed = {
      user: changesOf(measured.user),
      inbound: changesOf(measured.inbound),
      outbound: changesOf(measured.outbound),
    };
    const implausible = COUNTER_KINDS.flatMap((kind) =>
      (measured[kind]?.implausible ?? []).map((delta) => ({ ...delta, kind })),
    );
    const moved = {
      user: movedOf(opened, 'user', changed.user),
      inbound: movedOf(opened, 'inbound', changed.inbound),
      outbound: movedOf(opened, 'outbound', changed.outbound),
    };
    const connected = options.connected ?? [];
    const nowMono = monotonic();
    const since = only === null ? opened.lastFullReadMs : lastReadMs;
    let credits = creditsOf(changed.user, opened.tables.user.owners);
    let committed: Committed = { activatedIds: [], nearQuota: [], leftover: [] };
    if (connected.length > 0 || COUNTER_KINDS.some((kind) => changed[kind].ids.length > 0)) {
      let beside: Promise<void> | undefined;
      committed = await store.write(async (trx) => {
        if (await takeChangedOwners(trx, opened)) credits = creditsOf(changed.user, opened.tables.user.owners);
        const writing = commitCounters(trx, {
          sourceId: opened.sourceId,
          nowMs: clock(),
          intervalMs: since === null ? coveredMs(opened) : nowMono - since,
          credits,
          users: changed.user,
          inbounds: changed.inbound,
          outbounds: { tags: moved.outbound.names, ...changed.outbound },
          implausible,
          connected,
        });
        // Started once the writer has its work, so that it never waits for this thread.
        beside = options.whileCommitting?.(moved);
        const outcome = await writing;
        // A deadline that begins now must reach every place that serves the client; the local core keeps no deadlines.
        if (outcome.activatedIds.length > 0) {
          const users = await usersOf(trx, JSON.stringify(outcome.activatedIds));
          await deps.runtime.stage(trx, { users: users.map(({ inboundId, emails }) => ({ inboundId, emails })) });
        }
        failpoint('tick.committing');
        return outcome;
      });
      failpoint('tick.committed');
      await beside;
    }
    for (const kind of COUNTER_KINDS) adopt(opened.tables[kind], changed[kind]);
    opened.lastReadAtMs = Math.max(opened.lastReadAtMs ?? -Infinity, reading.readAtMs);
    lastReadMs = nowMono;
    if (only === null) opened.lastFullReadMs = nowMono;
    for (const delta of implausible) report(delta);
    return {
      bootId: reading.bootId,
      sourceId: opened.sourceId,
      moved,
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

  return {
    /**
     * Reads and commits. Null when there is nothing to read or the reading is from an ended core. After a failed commit
     * the next reading starts from the state in the database.
     */
    read: (options: ReadOptions = {}): Promise<Accounted | null> =>
      inLine(async () => {
        const reading = await core.readCounters();
        failpoint('tick.read');
        const isOld = reading !== null && isFromEndedBoot(reading.bootId);
        try {
          await bookKept(reading?.bootId ?? null);
          if (reading === null || isOld) return null;
          const accounted = await account(reading, options);
          // A reading of some users leaves the traffic of all others to the next one.
          if (options.only === undefined) kept.drop(reading.bootId);
          return accounted;
        } catch (error) {
          book = null;
          if (reading !== null && !isOld && isDatabaseAway(error)) kept.keep(reading, currentBoot);
          throw error;
        }
      }),
    /** Whether the core may already count under this name: always true before the first reading of its process. */
    isCounted(subject: string): boolean {
      const { bootId } = core.status();
      if (bootId === null) return false;
      return book?.bootId !== bootId || book.tables.user.positions.has(subject);
    },
    /** Resolves when no reading is in progress. */
    idle: (): Promise<void> => inLine(async () => undefined),
  };
}

function changesOf(measured: Measured | undefined): Changed {
  return measured?.changed ?? NOTHING;
}

/** Takes over what was committed. */
function adopt(table: BaselineTable, { positions, up, down }: Changed): void {
  for (let i = 0; i < positions.length; i++) {
    const position = positions[i]!;
    table.up[position] = up[i]!;
    table.down[position] = down[i]!;
  }
}

function movedOf(book: BaselineBook, kind: CounterKind, changed: Changed): Moved {
  const { subjects } = book.tables[kind];
  const names = Array.from(changed.positions, (position) => subjects[position]!);
  return { names, upDelta: changed.upDelta, downDelta: changed.downDelta };
}
