import { shell as system } from 'electron';
import { isCoreRunning } from '../../src-server/core/process/recorded-core.ts';
import type { ServerView } from '../bridge/contract.ts';
import { listBackups } from './backups.ts';
import { chooseRuntime } from './choose-runtime.ts';
import type { FirstAdmin } from './server-runtime.ts';
import type { ServerState } from './state.ts';
import { createSupervisor, type SupervisorDeps } from './supervisor.ts';
import { privateSocketFor } from './private-socket.ts';

interface LocalPanelDeps extends Pick<SupervisorDeps, 'onState' | 'onEvent'> {
  /** The built panel server. */
  entry: string;
  options: { dataDir: string; panelFlags: readonly string[] };
}

export type LocalPanel = ReturnType<typeof createLocalPanel>;

/** This computer's panel: its process, its state for the window, and the actions of the page shown when it stopped. */
export function createLocalPanel({ entry, options: { dataDir, panelFlags }, onState, onEvent }: LocalPanelDeps) {
  /** For the next run only. */
  const restoreFlag: string[] = [];
  let firstAdmin: FirstAdmin | null = null;
  const socket = privateSocketFor(dataDir);
  const supervisor = createSupervisor({
    runtime: chooseRuntime(entry),
    argsFor: () => [`--data-dir=${dataDir}`, `--window-socket=${socket}`, ...panelFlags, ...restoreFlag.splice(0)],
    clock: Date.now,
    random: Math.random,
    isCoreLeft: () => isCoreRunning(dataDir),
    onState,
    onEvent,
    onFirstAdmin: (admin) => (firstAdmin = admin),
    onLine: () => undefined,
  });
  const viewOf = (state: ServerState): ServerView => ({
    kind: state.kind,
    why: state.kind === 'failed' ? state.why : '',
    lines: [...supervisor.lines()],
  });
  return {
    supervisor,
    view: () => viewOf(supervisor.state()),
    isRunning: () => supervisor.state().kind === 'running',
    /** Empty while it does not run. */
    address(): string {
      const state = supervisor.state();
      return state.kind === 'running' ? state.place.panel : '';
    },
    /** The credentials of a first start, once. */
    takeFirstAdmin(): FirstAdmin | null {
      const taken = firstAdmin;
      firstAdmin = null;
      return taken;
    },
    openDataFolder: () => system.openPath(dataDir),
    backups: () => listBackups(dataDir),
    retry: () => supervisor.start(),
    /** @throws {Error} unless it has failed */
    restore(name: string): void {
      if (supervisor.state().kind !== 'failed') throw new Error('the panel of this computer has not failed');
      restoreFlag.push(`--restore-backup=${name}`);
      supervisor.start();
    },
  };
}
