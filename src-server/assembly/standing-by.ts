import type { Resource } from '../contract/events.ts';
import type { Schedule } from '../contract/schedule.ts';
import type { ActivePanel } from '../domains/server/contract.ts';
import type { Servers } from '../domains/servers/service.ts';
import { besideActive } from '../store/beside-active.ts';
import type { Engine } from './engine.ts';
import type { Foundation } from './foundation.ts';

const LOOK_MS = 2_000;
/** Open pages show what the active panel changed after this time at the latest. */
const TELL_MS = 3_000;
const UNKNOWN: ActivePanel = { name: '', address: '' };
const SHOWN: readonly Resource[] = [
  'inbounds',
  'clients',
  'outbounds',
  'nodes',
  'hosts',
  'groups',
  'settings',
  'events',
  'journal',
];

export interface Standby {
  /** Who is active, as far as is known. */
  active(): ActivePanel;
}

/** Keeps in mind which panel is active, for every refusal. */
export async function followActive(servers: Servers, schedule: Schedule): Promise<Standby> {
  let active = (await servers.active()) ?? UNKNOWN;
  schedule.every(LOOK_MS, async () => {
    active = (await servers.active()) ?? UNKNOWN;
  });
  return { active: () => active };
}

/** Changes of the active panel are told to this one as commits alone: pages that are open read what they show anew. */
export function tellCommits({ store, edgeSchedule, hasListeners, publish }: Foundation): void {
  let seen = store.turnReader.version();
  edgeSchedule.every(TELL_MS, () => {
    const version = store.turnReader.version();
    if (version === seen || !hasListeners()) return;
    seen = version;
    for (const resource of SHOWN) publish({ type: 'invalidate', resource });
  });
}

/**
 * What the core of this machine had counted when this panel was not active any more is booked now, beside the active panel; a core
 * that is left is read to its end and stopped.
 */
export async function settleOwnCore({ log }: Foundation, { traffic, core }: Engine): Promise<void> {
  try {
    await besideActive(async () => {
      await traffic.takeOver();
      await core.close();
      await traffic.finalRead();
    });
  } catch (error) {
    log.error('standby.notSettled', { error });
  }
}
