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
  /** Where counters wait for the next panel that could not be booked at the end of this one. */
  dataDir: string;
  core: Pick<Core, 'onState' | 'onBeforeStop' | 'readCounters'> & SessionCore;
  runtime: Pick<Runtime, 'stage' | 'apply' | 'restartCore'>;
  settings: { current(): { restartCoreOnClientDisable: boolean; timeLocation: string } };
  /** Addresses these clients were seen at within the last half hour. */
  recentAddresses: (emails: readonly string[]) => ReadonlyMap<string, readonly string[]>;
  /** GUID of this panel: its core is one of the ledger's sources under it. */
  panelGuid: string;
  /** The source under which its core counts; absent = that GUID. */
  coreSource?: string;
  /** This panel among those on its database: one that stands by counts, and leaves limits to the active one. */
  place?: ServingPlace;
  /** Nodes count these clients too. */
  onReset?: OnReset;
  /** Who is online on nodes. */
  remoteOnline?: RemoteOnline;
  /** Whether a page is open that shows live figures. */
  hasListeners: () => boolean;
}

/**
 * The accounting loop. Two things never wait for each other: counting (reading and committing, also during the end of a
 * core, while the core is locked) and enforcement (which waits for that lock when it changes or restarts the core).
 *
 * The wall clock decides about expiries, because an expiry is a moment of the calendar: a clock that is set forward
 * expires clients at once, and setting it back does not bring them back. Everything else (intervals, who is online,
 * distances between restarts) runs on time that only grows, so no clock change harms the counting. After a suspend the
 * missed ticks are one tick, and everybody who expired meanwhile is disabled in one go with one restart.
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
  // Addresses that its core sees stand under its own name beside those of the active panel.
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

  /** One part of the loop failing does not keep the others from running; the next tick tries it again. */
  async function attempt<T>(event: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      // It would be told every second; the store has told once.
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
   * Reads between two ticks: everybody where that costs little, so that a core that is killed takes no more than a second
   * along, else those who are about to reach their quota or were just switched off.
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
    // A second at full speed is more than a quota may be exceeded by.
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
    // The first reading of a process tells from then on which boot a counter belongs to.
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
    /** Starts the loop: a tick every 5 s, and every second a look at quotas and expiries, with a reading if that is cheap. */
    start(): void {
      timers.push(schedule.every(TICK_MS, tick), schedule.every(HEARTBEAT_MS, heartbeat));
      if (!isStandby) timers.push(schedule.every(ROLL_UP_MS, () => rollUp.run()));
    },
    /** Takes over what the panel before this one had counted and could not book. To be called before the core is first started. */
    takeOver: (): Promise<void> => kept.load(),
    /** Reads, counts, enforces and tells open pages. One at a time: a call while one runs joins it. */
    tick,
    /** Renews, disables clients and inbounds as due, without a reading. To be called before the core is first started. */
    enforce: async (): Promise<void> => void (await enforcement.run()),
    /** Reads and commits the counters, nothing else; safe while the core's own lock is held. */
    finalRead,
    /**
     * For a panel that stands by, before its core follows a change: what these names moved is booked to those who had them until
     * now, and counts for their present bearers from here on.
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
    /** For a panel that stands by: ends open connections of clients that were taken off its core. */
    endOff: enforcement.endOff,
    /** E-mails of this panel's core that were active within 20 s. */
    onlineEmails: activity.clients,
    /** Those, and clients that are online on other servers and nodes. */
    onlineEverywhere: activity.everywhere,
    /** Tags of this panel's inbounds that moved bytes within 20 s. */
    activeTags: activity.inbounds,
    /** What the domains of clients and inbounds need. */
    port,
    /** Ends open sessions. */
    sessions,
    /** Stops the timers and waits for what is under way. The final read still works until the store closes. */
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
