import { DomainError } from '../contract/domain-error.ts';
import { isAtLeast } from '../core/config/core-version.ts';
import { watchClients, watchQuarantine } from '../domains/events/sources/watch-clients.ts';
import { createCpuWatch, watchCertificates, watchUpdate } from '../domains/events/sources/watch-machine.ts';
import type { Parts } from './routes.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CLIENTS_EVERY_MS = 5 * MINUTE;
const CERTIFICATES_EVERY_MS = 6 * HOUR;
const UPDATES_EVERY_MS = 24 * HOUR;
/** Long enough not to disturb the start of the panel, in ms. */
const FIRST_LOOK_MS = 10 * MINUTE;

/** Polls for news that nothing announces, apart from the accounting loop. */
export function startWatching({ base, engine, machine, coreTools, serverTools, notifying }: Parts): void {
  const { store, settings, steadyClock: clock, schedule } = base;
  const { events } = notifying;
  const regularly = (everyMs: number, look: () => Promise<void>): void => {
    schedule.after(Math.min(everyMs, FIRST_LOOK_MS), look);
    schedule.every(everyMs, look);
  };
  schedule.every(MINUTE, createCpuWatch({ events, clock }));
  schedule.every(MINUTE, () => watchQuarantine({ store, events }));
  schedule.every(CLIENTS_EVERY_MS, () => watchClients({ store, events, settings, clock }));
  const served = () => machine.server.certificates();
  regularly(CERTIFICATES_EVERY_MS, () => watchCertificates({ store, events, served, clock }));
  regularly(UPDATES_EVERY_MS, () =>
    watchUpdate({ store, events, kind: 'update.panel', newer: () => unlessUnknown(() => newerPanel()) }),
  );
  regularly(UPDATES_EVERY_MS, () =>
    watchUpdate({ store, events, kind: 'update.core', newer: () => unlessUnknown(() => newerCore()) }),
  );

  async function newerPanel() {
    const { updateAvailable, latestVersion: version, currentVersion: installed } = await serverTools.updates.info();
    return updateAvailable ? { version, installed } : null;
  }

  async function newerCore() {
    const { version: installed } = engine.core.status();
    const version = await coreTools.coreFiles.latestVersion();
    return installed === '' || isAtLeast(installed, version) ? null : { version, installed };
  }
}

/** A list that cannot be fetched is no news; the next poll asks again. */
async function unlessUnknown<T>(read: () => Promise<T | null>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
