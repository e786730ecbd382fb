import { isDatabaseAway } from '../../contract/database-away.ts';
import type { Timer } from '../../contract/schedule.ts';
import type { Core } from '../../core/core.ts';
import type { Basics } from '../basics.ts';
import type { Accounted, Accounting } from './counting/accounting.ts';
import { createReadPace } from './counting/read-pace.ts';
import type { Enforcement } from './enforcement/enforcement.ts';
import type { Activity } from './live/activity.ts';
import type { OnlineElsewhere } from './live/online-elsewhere.ts';
import { SEEN_EVERY_MS } from './live/online.ts';

const TICK_MS = 5_000;
const HEARTBEAT_MS = 1_000;

export interface AccountingLoopDeps extends Pick<Basics, 'schedule' | 'clock' | 'monotonic' | 'log'> {
  core: Pick<Core, 'onState'>;
  accounting: Accounting;
  enforcement: Enforcement;
  activity: Activity;
  elsewhere: OnlineElsewhere;
}

/**
 * The accounting loop. Two things never wait for each other: counting (reading and committing, also while a core is
 * ending and locked) and enforcement (which waits for that lock when it changes or restarts the core).
 *
 * The wall clock decides expiries, because an expiry is a moment of the calendar: setting the clock forward expires
 * clients at once, and setting it back enables those again whose expiry has not come. Everything else (intervals,
 * online status, time between restarts) uses monotonic time, so no clock change harms the counting. After a suspend the
 * missed ticks are one tick, and all clients that expired meanwhile are disabled together with one restart.
 */
export function createAccountingLoop(deps: AccountingLoopDeps) {
  const { core, schedule, log, accounting, enforcement, activity, elsewhere } = deps;
  const { names } = activity;
  const pace = createReadPace(deps.monotonic);
  const timers: Timer[] = [];
  let deadline: Timer | null = null;
  let betweenBeats: Timer | null = null;
  let firstRead: Timer | null = null;
  let nearQuota: ReadonlySet<string> = new Set();
  let ticking: Promise<void> | null = null;
  let lastSeenMs = -Infinity;
  let isClosed = false;

  /** A failing part of the loop does not stop the others; the next tick retries it. */
  async function attempt<T>(event: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      // It would be reported every second; the store has reported it once.
      if (!isDatabaseAway(error)) log.error(event, { error });
      return null;
    }
  }

  async function read(options: Parameters<typeof accounting.read>[0]): Promise<Accounted | null> {
    const accounted = await pace.measure(options?.only === undefined, () => accounting.read(options));
    if (accounted === null) return null;
    nearQuota = new Set(accounted.nearQuota);
    if (accounted.leftover.length > 0) enforcement.noteLeftover(accounted.bootId, accounted.leftover);
    return accounted;
  }

  const note = async (moved: Accounted['moved']): Promise<void> =>
    void (await attempt('traffic.notShown', () => activity.note(moved)));

  async function runTick(): Promise<void> {
    names.turn();
    const connected = (await attempt('traffic.onlineUnknown', () => activity.connected())) ?? [];
    const isSeenDue = deps.monotonic() - lastSeenMs >= SEEN_EVERY_MS;
    const accounted = await attempt('traffic.notCounted', () =>
      read({ connected: isSeenDue ? connected : [], whileCommitting: note }),
    );
    if (isSeenDue && accounted !== null) lastSeenMs = deps.monotonic();
    await attempt('traffic.notEnforced', () => enforcement.run());
    await attempt('traffic.onlineUnknown', () => elsewhere.look());
    await attempt('traffic.notShown', () => activity.send(accounted, connected));
  }

  function tick(): Promise<void> {
    ticking ??= runTick().finally(() => {
      ticking = null;
    });
    return ticking;
  }

  /**
   * Reads between two ticks: all users where that is cheap, so that a killed core loses no more than a second,
   * otherwise those about to reach their quota or just disabled.
   */
  async function readBetween(mayReadAll: boolean): Promise<void> {
    if (ticking !== null) return;
    if (mayReadAll && pace.mayReadAll()) {
      await showIf(await attempt('traffic.notCounted', () => read({ whileCommitting: note })));
      return;
    }
    const only = new Set([...nearQuota, ...enforcement.watched()]);
    if (only.size > 0 && pace.mayReadSome()) await showIf(await attempt('traffic.notCounted', () => read({ only })));
  }

  async function showIf(accounted: Accounted | null): Promise<void> {
    if (accounted !== null) await attempt('traffic.notShown', () => activity.show(accounted));
  }

  async function heartbeat(): Promise<void> {
    await readBetween(true);
    await enforceSoon();
    betweenBeats?.cancel();
    betweenBeats = null;
    // At full speed, one second between readings would exceed a quota by too much.
    if (nearQuota.size > 0 && !isClosed)
      betweenBeats = schedule.after(HEARTBEAT_MS / 2, async () => {
        await readBetween(false);
        await enforceSoon();
      });
  }

  async function enforceSoon(): Promise<void> {
    const dueMs = await attempt('traffic.notEnforced', () => enforcement.run());
    const aheadMs = dueMs === null ? Infinity : dueMs - deps.clock();
    if (isClosed || aheadMs > HEARTBEAT_MS) return;
    deadline?.cancel();
    deadline = schedule.after(Math.max(1, aheadMs), async () => void (await enforcement.run()));
  }

  const unsubscribe = core.onState(({ state }) => {
    // From the first reading of a process on, it is known which boot a counter belongs to.
    if (state !== 'running' || isClosed) return;
    names.clear();
    firstRead?.cancel();
    firstRead = schedule.after(0, readNow);
  });

  async function readNow(): Promise<void> {
    await attempt('traffic.notCounted', () => read({}));
  }

  return {
    /** A tick every 5 s, and every second a check of quotas and expiries, with a reading if that is cheap. */
    start(): void {
      timers.push(schedule.every(TICK_MS, tick), schedule.every(HEARTBEAT_MS, heartbeat));
    },
    /** Reads, counts, enforces and updates open pages. One at a time: a call during a run joins it. */
    tick,
    /** Reads and counts; what fails is retried by the next tick. */
    readNow,
    /** The same for those of these names that have moved since the last reading. */
    settle: async (subjects: readonly string[]): Promise<void> => {
      const counted = subjects.filter((name) => accounting.isCounted(name) || names.isInMotion(name));
      if (counted.length > 0) await attempt('traffic.notCounted', () => accounting.read({ only: new Set(counted) }));
    },
    /** Reads and commits the counters, nothing else; safe while the core's own lock is held. */
    finalRead: async (): Promise<void> => showIf(await accounting.read()),
    /** Stops the timers; a tick in progress goes on. */
    stop(): void {
      isClosed = true;
      unsubscribe();
      for (const timer of [...timers, deadline, betweenBeats, firstRead]) timer?.cancel();
    },
    /** Waits for the tick in progress. */
    async idle(): Promise<void> {
      await ticking;
    },
  };
}
