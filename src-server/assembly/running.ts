import { panelZone } from '../domains/traffic/enforcement/month-day.ts';
import { startResetSchedule } from '../domains/inbounds/verbs/reset-schedule.ts';
import { startDailyBackup } from '../schedule/daily-backup.ts';
import { confirmImport, isImportWaiting } from '../store/waiting-import.ts';
import type { Engine } from './engine.ts';
import type { Foundation } from './foundation.ts';
import type { Records } from './records.ts';

/**
 * Starts everything that runs by itself.
 * @returns when the core's first start has ended, successfully or not
 */
export async function run(
  base: Foundation,
  engine: Engine,
  { clients, inbounds }: Records,
): Promise<{ coreBooted: Promise<void> }> {
  const { dataDir, clock, log, store, schedule, settings, publish } = base;
  const startResets = () =>
    startResetSchedule({
      schedule,
      timeZone: panelZone(settings.current()),
      begin: (period) => inbounds.scheduledResets(period),
    });
  let resets = startResets();
  settings.onChange(({ changed }) => {
    if (!changed.has('timeLocation')) return;
    resets.close();
    resets = startResets();
  });
  schedule.every(60_000, () => clients.peers.expire());
  schedule.every(60_000, () => clients.rest());
  schedule.every(60_000, () => base.servers?.noteSeen());
  startDailyBackup({
    store,
    schedule,
    clock,
    log,
    onTaken: () => publish({ type: 'invalidate', resource: 'settings' }),
    onFailed: (error) => {
      const text = error instanceof Error ? error.message : String(error);
      publish({ type: 'happened', kind: 'backup.failed', facts: { error: text } });
    },
  });
  const coreBooted = startCounting(base, engine);
  await confirmImport(dataDir, clock());
  // A command run by this machine's owner may have put one there.
  schedule.every(2_000, () => void (isImportWaiting(dataDir) && settings.restartPanel()));
  return { coreBooted };
}

/** A client that expired while the panel was off must not get in, so enforcement runs before the core starts. */
async function startCounting({ log }: Foundation, { traffic, core, clientIps, nodes }: Engine): Promise<void> {
  try {
    await traffic.takeOver();
    // When it fails, as on a full disk, the others get in all the same: the next tick enforces.
    await traffic.enforce().catch((error: unknown) => log.error('app.notEnforced', { error }));
    await core.boot();
  } catch (error) {
    log.error('app.coreBoot', { error });
  }
  traffic.start();
  clientIps.start({ expires: true });
  nodes.start();
}
