import { join } from 'node:path';
import type { Basics } from '../basics.ts';
import type { Timer } from '../../contract/schedule.ts';
import type { Core } from '../../core/core.ts';
import { ALONE, type ServingPlace } from '../../runtime/serving-place.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { storeBesideActive } from '../../store/beside-active.ts';
import { createAccountingLoop } from './accounting-loop.ts';
import { createAccounting } from './counting/accounting.ts';
import type { CommitReadingDeps } from './counting/commit-reading.ts';
import { createKeptReadings } from './counting/kept-readings.ts';
import { giveToBearers, hasOtherBearers, sourceOfCore } from './counting/repository-bookkeeping.ts';
import { createCounterPort, type OnReset } from './counter-port.ts';
import { createEnforcement } from './enforcement/enforcement.ts';
import { createActivity } from './live/activity.ts';
import { nextMonthDay, panelZone } from './enforcement/month-day.ts';
import { createOnlineElsewhere } from './live/online-elsewhere.ts';
import type { RemoteOnline } from './live/online.ts';
import { createRollUp } from './ledger/roll-up.ts';
import { createSessionEnder, type SessionCore } from './sessions/end-sessions.ts';

const ROLL_UP_MS = 60_000;

export interface TrafficServiceDeps extends Basics, Pick<CommitReadingDeps, 'wallClock'> {
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

/** Counting, enforcement, online status and live figures of this panel's core. */
export function createTrafficService(deps: TrafficServiceDeps) {
  const { core, schedule, log, coreSource = deps.panelGuid, place = ALONE } = deps;
  const { isStandby } = place;
  const store = isStandby ? storeBesideActive(deps.store) : deps.store;
  const elsewhere = createOnlineElsewhere({ ...deps, place });
  const activity = createActivity({ ...deps, coreSource, onlineElsewhere: elsewhere.names });
  const { names } = activity;
  const kept = createKeptReadings(join(deps.dataDir, 'unbooked-counters.json'), log);
  const accounting = createAccounting({ ...deps, store, coreSource, kept });
  // Addresses that its core sees are stored under its own name, beside those of the active panel.
  const sessions = createSessionEnder({ ...deps, panelGuid: isStandby ? coreSource : deps.panelGuid });
  const enforcement = createEnforcement({
    ...deps,
    coreSource,
    place,
    sessions,
    settle: () => loop.readNow(),
  });
  const rollUp = createRollUp({ ...deps, timeZone: () => panelZone(deps.settings.current()) });
  const loop = createAccountingLoop({ ...deps, accounting, enforcement, activity, elsewhere });
  let rollUpTimer: Timer | null = null;
  core.onBeforeStop(loop.finalRead);

  const port = createCounterPort({
    coreSource,
    forgetNames: (subjects) => names.forget(subjects),
    onlineEmails: activity.everywhere,
    nextRenewalMs: (day, nowMs) => nextMonthDay(nowMs, day, panelZone(deps.settings.current())),
    onReset: deps.onReset,
    settle: loop.settle,
  });

  return {
    /** Starts the loop, and the ledger's roll-up. */
    start(): void {
      loop.start();
      if (!isStandby) rollUpTimer = schedule.every(ROLL_UP_MS, () => rollUp.run());
    },
    /** Loads what the previous panel had counted and could not book. Call it before the core is first started. */
    takeOver: (): Promise<void> => kept.load(),
    tick: loop.tick,
    /**
     * Renews, and disables clients and inbounds as due, without a reading. Call it before the core is first started.
     */
    enforce: async (): Promise<void> => void (await enforcement.run()),
    finalRead: loop.finalRead,
    /**
     * For a standby panel, before its core follows a change: books the traffic of these names to their previous owners;
     * from here on it counts for the current ones.
     * @param subjects null = every name
     */
    async handOver(subjects: readonly string[] | null): Promise<void> {
      if (subjects === null) names.clear();
      else names.forget(subjects);
      const source = await sourceOfCore(store.reader, coreSource);
      if (source === undefined || !(await hasOtherBearers(store.heavyReader, source.id, subjects))) return;
      await accounting.read(subjects === null ? {} : { only: new Set(subjects) });
      await store.write((trx) => giveToBearers(trx, source.id, subjects));
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
      loop.stop();
      rollUpTimer?.cancel();
      rollUp.stop();
      await loop.idle();
      await accounting.idle();
      await kept.save();
      await enforcement.idle();
      await rollUp.idle();
    },
  };
}
export type TrafficService = ReturnType<typeof createTrafficService>;
