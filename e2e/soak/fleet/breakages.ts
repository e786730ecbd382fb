import type { Breakage } from '../../harness/peers/breaking-relay.ts';
import type { PanelProcess } from '../../harness/panel-process.ts';
import { pause } from '../../harness/wait-for.ts';
import type { Act } from './edits.ts';
import { moveClock, statusOf, type Member } from './members.ts';

const BREAKAGES: readonly Breakage[] = ['cut', 'page', 'empty', 'noNumbers', 'older'];
const HOUR_MS = 3_600_000;
/** Clock jumps, too short to reach the deadline that an edit gives a client. */
const JUMPS_MS = [-26 * HOUR_MS, -HOUR_MS, -40_000, 0, 40_000, HOUR_MS, 26 * HOUR_MS];

/** Kills, cuts, lost and false responses, and clocks that jump. */
export function createBreakages(panels: readonly PanelProcess[], members: readonly Member[]): Record<string, Act> {
  return {
    killPanel: async (pick) => process.kill((await statusOf(pick(panels))).appStats.pid, 'SIGKILL'),
    killCore: async (pick) => process.kill((await statusOf(pick(panels))).core.pid, 'SIGKILL'),
    killBoth: async (pick) => {
      const { core, appStats } = await statusOf(pick(panels));
      process.kill(appStats.pid, 'SIGKILL');
      process.kill(core.pid, 'SIGKILL');
    },
    cut: async (pick) => {
      const { relay } = pick(members);
      relay.cut(true);
      await pause(pick([500, 6_000, 12_000]));
      relay.cut(false);
    },
    loseResponses: async (pick) => pick(members).relay.loseNext(pick([1, 2, 3])),
    jumpClock: (pick) => moveClock(pick(panels), pick(JUMPS_MS)),
    breakLists: async (pick) => pick(members).relay.breakNext([pick(BREAKAGES), pick(BREAKAGES)]),
  };
}
