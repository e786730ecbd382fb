import type { Relay } from '../live/relay.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { followPower } from '../system/power.ts';
import type { Quitting } from '../system/quitting.ts';
import type { Texts } from '../texts/en.ts';
import { showMenu } from '../tray/menu.ts';
import type { Updates } from '../updates/updates.ts';
import type { PanelWindow } from '../windows/panel-window.ts';
import type { AllPanels } from './all-panels.ts';
import type { Navigation } from './navigation.ts';

interface FollowSystemDeps {
  texts: Texts;
  dataDir: string;
  updates: Updates;
  supervisor: Supervisor;
  relay: Relay;
  allPanels: AllPanels;
  window: PanelWindow;
  navigation: Navigation;
  quitting: Quitting;
}

/** Shows the menu, checks for new versions, and follows sleep, network, shutdown and end signals of the system. */
export function followSystem(deps: FollowSystemDeps) {
  const { texts, dataDir, updates, supervisor, relay, allPanels, window, navigation, quitting } = deps;
  const refreshMenu = (): void =>
    showMenu({
      texts,
      dataDir,
      openPath: (path) => window.show(path),
      reload: () => void window.refresh(),
      updates,
      lock: () => navigation.lock(),
    });
  refreshMenu();
  endWithSystem(() => quitting.now());
  followPower({
    sleep: () => supervisor.tell('suspend'),
    wake() {
      supervisor.tell('resume');
      relay.wake();
      allPanels.wake();
    },
    shutdown: () => quitting.now(),
  });
  updates.start();
  return { refreshMenu };
}

/** Sent when the user's session ends: nobody can answer the question about running jobs. */
function endWithSystem(quit: () => Promise<void>): void {
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) {
    // The settings writer would end the process at once, with the panel still running.
    process.removeAllListeners(signal);
    process.on(signal, () => void quit());
  }
}
