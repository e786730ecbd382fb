import type { Schedule } from '../contract/schedule.ts';
import type { ActivePanel } from '../domains/server/contract.ts';
import type { Servers } from '../domains/servers/service.ts';

const LOOK_MS = 2_000;
const UNKNOWN: ActivePanel = { name: '', address: '' };

export interface Standby {
  /** The active panel, as far as it is known. */
  active(): ActivePanel;
}

/** Remembers which panel is active, so that every refusal can name it. */
export async function followActive(servers: Servers, schedule: Schedule): Promise<Standby> {
  let active = (await servers.active()) ?? UNKNOWN;
  schedule.every(LOOK_MS, async () => {
    active = (await servers.active()) ?? UNKNOWN;
  });
  return { active: () => active };
}
