import type { Schedule } from '../contract/schedule.ts';
import type { ActivePanel } from '../domains/server/contract.ts';
import type { Servers } from '../domains/servers/service.ts';

const LOOK_MS = 2_000;
const UNKNOWN: ActivePanel = { name: '', address: '' };

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
