import { join } from 'node:path';
import { createEventBus } from '../contract/events.ts';
import { defaultTemplate } from '../core/config/template/default-template.ts';
import { openJobJournal } from '../domains/jobs/journal.ts';
import { createJobService } from '../domains/jobs/service.ts';
import { createLogRing } from '../domains/logs/log-ring.ts';
import { lastSampleMs } from '../domains/metrics/repository.ts';
import { createServers } from '../domains/servers/service.ts';
import { createSessionService } from '../domains/session/service.ts';
import { verifyTotp } from '../domains/session/sign-in/totp.ts';
import { createSettingsService } from '../domains/settings/service.ts';
import { createTokenService } from '../domains/tokens/service.ts';
import { createSay } from '../http/texts.ts';
import { quietSchedule } from '../schedule/quiet-schedule.ts';
import { createScheduler } from '../schedule/scheduler.ts';
import { createSteadyClock } from '../schedule/steady-clock.ts';
import { followActive } from './active-panel.ts';
import type { ServingPlace } from '../runtime/serving-place.ts';
import { createLiveHub } from '../live/hub.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { openSecrets } from '../store/secrets/secret-key.ts';
import { ENGLISH } from '../texts.ts';
import type { AppOptions, Closers } from './options.ts';

/** Services that are referred to before they exist. */
interface Late {
  isIpLimitUsable: () => boolean;
  requireFreePort: (listen: string, port: number) => Promise<void>;
  isRightElsewhere: (username: string, password: string) => Promise<boolean>;
}

/** Settings whose change ends sessions: all of them, or those that are older than the new length. */
const ENDS_SESSIONS = ['twoFactorEnable', 'twoFactorToken', 'sessionMaxAge'] as const;

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** After a database shared by several panels was moved into a file, every inbound belongs to this panel. */
async function dropServers(store: Store): Promise<void> {
  const isNamed = store.reader.selectFrom('inbounds').select('id').where('serverId', 'is not', null);
  if ((await isNamed.executeTakeFirst()) === undefined) return;
  await store.write(async (trx) => void (await trx.updateTable('inbounds').set({ serverId: null }).execute()));
}

/** What everything else builds on: database, secrets, clock and schedule, events, jobs, settings, sign-in. */
export async function openFoundation(options: AppOptions, closers: Closers, late: Late) {
  const { dataDir, clock, monotonic = () => performance.now() } = options;
  const ring = createLogRing(options.log, clock);
  const { log } = ring;
  const store = await (options.store ?? openStore({ dataDir, clock, log, isPanel: true }));
  closers.push(() => store.close({ backup: true }));
  const steadyClock = createSteadyClock({
    clock,
    monotonic,
    lastSeenMs: await lastSampleMs(store.reader),
    onLeap: ({ shownMs, expectedMs }) =>
      log.warn('clock.leapt', { shown: new Date(shownMs).toISOString(), expected: new Date(expectedMs).toISOString() }),
  });
  const secrets = await openSecrets({ dataDir, log, clock });
  const { isStandby = false, server } = options;
  const servers = server === undefined ? null : createServers({ store, secrets, dataDir, own: server, clock });
  // Before anything regenerates a value that only the other key opens.
  await servers?.requireSameKey();
  /** Keeps connections, pages and figures up to date, on a standby panel too. */
  const edgeSchedule = options.schedule ?? createScheduler({ clock: steadyClock, log });
  closers.push(() => edgeSchedule.close());
  const schedule = isStandby ? quietSchedule : edgeSchedule;
  const { publish, subscribe } = createEventBus((error) => log.error('events.listenerFailed', { error }));

  if (options.onEvent !== undefined) subscribe(options.onEvent);

  const english = createSay(ENGLISH);
  const jobs = createJobService({
    clock,
    publish,
    log,
    textOf: ({ code, params }) => english(code, params),
    journal: await openJobJournal(join(dataDir, 'running-jobs.json'), log),
  });

  const hub = createLiveHub({ subscribe, clock, schedule: edgeSchedule, log });
  closers.push(() => hub.close());
  // Settings need the admin's proof, and sessions read settings: the two meet here.
  const settings = await createSettingsService({
    store,
    secrets,
    clock,
    log,
    publish,
    schedule,
    verifyTotp,
    stepUp: {
      verify: (caller, proof) => session.verifyStepUp(caller, proof, caller.address),
      beginGuess: (caller) => session.beginGuess(caller, caller.address ?? ''),
    },
    requestRestart: options.onRestart,
    hasApiToken: () => tokens.hasEnabled(),
    isIpLimitUsable: late.isIpLimitUsable,
    requireFreePort: late.requireFreePort,
    defaultTemplate: defaultTemplate(),
    isDevBuild: false,
    startOptions: options.overrides,
  });
  settings.override(options.overrides);
  const session = createSessionService({
    store,
    settings: { current: () => settings.current(), secret: () => settings.hidden('secret') },
    clock,
    monotonic,
    publish,
    log,
    isRightElsewhere: late.isRightElsewhere,
    onSessionsEnded: () => void hub.recheckSessions(),
  });
  settings.onChange(({ changed }) => {
    if (ENDS_SESSIONS.some((key) => changed.has(key))) void hub.recheckSessions();
  });
  const tokens = createTokenService({
    store,
    clock,
    publish,
    prove: (change) => session.proveUnlessRecent(change),
  });
  const panelGuid = await settings.hidden('panelGuid');
  const coreSource = (await servers?.sourceGuid(panelGuid)) ?? panelGuid;
  if (servers === null) await dropServers(store);
  if (isStandby) await servers?.standBy(coreSource);
  else await servers?.becomeActive(coreSource);
  const place: ServingPlace = { serverId: server?.id ?? null, isStandby };
  const standby = isStandby && servers !== null ? await followActive(servers, edgeSchedule) : null;

  return {
    options,
    closers,
    dataDir,
    clock,
    /** {@link clock} for what cannot be taken back. */
    steadyClock,
    monotonic,
    ring,
    log,
    store,
    secrets,
    schedule,
    edgeSchedule,
    servers,
    standby,
    place,
    publish,
    subscribe,
    english,
    jobs,
    hub,
    hasListeners: () => hub.hasListeners(),
    settings,
    session,
    tokens,
    panelGuid,
    /** The GUID under which this machine's core counts. */
    coreSource,
  };
}
