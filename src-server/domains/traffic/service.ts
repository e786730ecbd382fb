import { join } from 'node:path';
import type { Basics } from '../basics.ts';
import { isDatabaseAway } from '../../contract/database-away.ts';
import type { Timer } from '../../contract/schedule.ts';
import type { Core } from '../../core/core.ts';
import { ALONE, type ServingPlace } from '../../runtime/serving-place.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { storeBesideActive } from '../../store/beside-active.ts';
import { createAccounting, type Accounted } from './counting/accounting.ts';
import { createKeptReadings } from './counting/kept-readings.ts';
import { giveToBearers, hasOtherBearers, sourceOfCore } from './counting/repository-bookkeeping.ts';
import { createReadPace } from './counting/read-pace.ts';
import { createCounterPort, type OnReset } from './counter-port.ts';
import { createEnforcement } from './enforcement/enforcement.ts';
import { createActivity } from './live/activity.ts';
import { nextMonthDay, panelZone } from './enforcement/month-day.ts';
import { createOnlineElsewhere } from './live/online-elsewhere.ts';
import { SEEN_EVERY_MS, type RemoteOnline } from './live/online.ts';
import { createRollUp } from './ledger/roll-up.ts';
import { createSessionLadder, type SessionCore } from './sessions/session-ladder.ts';

const TICK_MS = 5_000;
const HEARTBEAT_MS = 1_000;
const ROLL_UP_MS = 60_000;

export interface TrafficServiceDeps extends Basics {
  /** Storage for counters that could not be booked at the end of this panel, for the next one. */
  dataDir: string;
  core: Pick<Core, 'onState' | 'onBeforeStop' | 'readCounters'> & SessionCore;
  runtime: Pick<Runtime, 'stage' | 'apply' | 'restartCore'>;
  settings: { current(): { restartCoreOnClientDisable: boolean; timeLocation: string } };
  /** Addresses these clients were seen at within the last half hour. */
  recentAddresses: (emails: readonly string[]) => ReadonlyMap<string, readonly string[]>;
  /** GUID of this panel, which names its core among the ledger's sources. */
  panelGuid: string;
  /** The source under which its core counts; absent = that GUID. */
  coreSource?: string;
  /** The role of this panel on its database: a standby counts, and leaves limits to the active one. */
  place?: ServingPlace;
  /** Nodes that count these clients too. */
  onReset?: OnReset;
  /** Online clients on nodes. */
  remoteOnline?: RemoteOnline;
  /** Whether a page with live figures is open. */
  hasListeners: () => boolean;
}

/**
 * The accounting loop. Two things never wait for each other: counting (reading and committing, also while a core is
 * ending and locked) and enforcement (which waits for that lock when it changes or restarts the core).
 *
 * The wall clock decides expiries, because an expiry is a moment of the calendar: setting the clock forward expires
 * clients at once, and setting it back does not restore them. Everything else (intervals, online status, time between
 * restarts) uses monotonic time, so no clock change harms the counting. After a suspend the missed ticks are one tick,
 * and all clients that expired meanwhile are disabled together with one restart.
 */
export function createTrafficService(deps: TrafficServiceDeps) {
  const { core, schedule, log, coreSource = deps.panelGuid, place = ALONE } = deps;
  const { isStandby } = place;
  const store = isStandby ? storeBesideActive(deps.store) : deps.store;
  const elsewhere = createOnlineElsewhere({ ...deps, place });
  const activity = createActivity({ ...deps, coreSource, onlineElsewhere: elsewhere.names });
  const { names } = activity;
  const pace = createReadPace(deps.monotonic);
  const kept = createKeptReadings(join(deps.dataDir, 'unbooked-counters.json'), log);
  const accounting = createAccounting({ ...deps, store, coreSource, kept });
  // Addresses that its core sees are stored under its own name, beside those of the active panel.
  const sessions = createSessionLadder({ ...deps, panelGuid: isStandby ? coreSource : deps.panelGuid });
  const enforcement = createEnforcement({
    ...deps,
    coreSource,
    place,
    sessions,
    settle: async () => void (await attempt('traffic.notCounted', () => read({}))),
  });
  const rollUp = createRollUp({ ...deps, timeZone: () => panelZone(deps.settings.current()) });
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
    firstRead = schedule.after(0, async () => void (await attempt('traffic.notCounted', () => read({}))));
  });
  async function finalRead(): Promise<void> {
    const accounted = await accounting.read();
    if (accounted !== null) await attempt('traffic.notShown', () => activity.show(accounted));
  }
  core.onBeforeStop(finalRead);

  const port = createCounterPort({
    coreSource,
    forgetNames: (asked) => names.forget(asked),
    onlineEmails: activity.everywhere,
    nextRenewalMs: (day, nowMs) => nextMonthDay(nowMs, day, panelZone(deps.settings.current())),
    onReset: deps.onReset,
    async settle(asked) {
      const counted = asked.filter((name) => accounting.isCounted(name) || names.isInMotion(name));
      if (counted.length > 0) await attempt('traffic.notCounted', () => accounting.read({ only: new Set(counted) }));
    },
  });

  return {
    /**
     * Starts the loop: a tick every 5 s, and every second a check of quotas and expiries, with a reading if that is
     * cheap.
     */
    start(): void {
      timers.push(schedule.every(TICK_MS, tick), schedule.every(HEARTBEAT_MS, heartbeat));
      if (!isStandby) timers.push(schedule.every(ROLL_UP_MS, () => rollUp.run()));
    },
    /** Loads what the previous panel had counted and could not book. Call it before the core is first started. */
    takeOver: (): Promise<void> => kept.load(),
    /** Reads, counts, enforces and updates open pages. One at a time: a call during a run joins it. */
    tick,
    /**
     * Renews, and disables clients and inbounds as due, without a reading. Call it before the core is first started.
     */
    enforce: async (): Promise<void> => void (await enforcement.run()),
    /** Reads and commits the counters, nothing else; safe while the core's own lock is held. */
    finalRead,
    /**
     * For a standby panel, before its core follows a change: books the traffic of these names to their previous owners;
     * from here on it counts for the current ones.
     * @param asked null = every name
     */
    async handOver(asked: readonly string[] | null): Promise<void> {
      if (asked === null) names.clear();
      else names.forget(asked);
      const source = await sourceOfCore(store.reader, coreSource);
      if (source === undefined || !(await hasOtherBearers(store.heavyReader, source.id, asked))) return;
      await accounting.read(asked === null ? {} : { only: new Set(asked) });
      await store.write((trx) => giveToBearers(trx, source.id, asked));
    },
    /** For a standby panel: ends open connections of clients that were removed from its core. */
    endOff: enforcement.endOff,
    /** E-mails of this panel's core that were active within 20 s. */
    onlineEmails: activity.clients,
    /** The same plus clients that are online on other servers and nodes. */
    onlineEverywhere: activity.everywhere,
    /** Tags of this panel's inbounds with traffic within 20 s. */
    activeTags: activity.inbounds,
    /** What the domains of clients and inbounds need. */
    port,
    /** Ends open sessions. */
    sessions,
    /** Stops the timers and waits for running work. The final read still works until the store closes. */
    async close(): Promise<void> {
      isClosed = true;
      unsubscribe();
      for (const timer of timers) timer.cancel();
      deadline?.cancel();
      betweenBeats?.cancel();
      firstRead?.cancel();
      rollUp.stop();
      await ticking;
      await accounting.idle();
      await kept.save();
      await enforcement.idle();
      await rollUp.idle();
    },
  };
}
export type TrafficService = ReturnType<typeof createTrafficService>;
