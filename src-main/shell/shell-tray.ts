import { app } from 'electron';
import { LOCAL } from '../connections/connection.ts';
import type { Switchboard } from '../connections/switchboard.ts';
import type { Lock } from '../lock/lock.ts';
import type { JsonFile } from '../preferences/json-file.ts';
import type { Preferences } from '../preferences/preferences.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import type { Texts } from '../texts/en.ts';
import { createTray } from '../tray/tray.ts';
import type { PanelWindow } from '../windows/panel-window.ts';
import type { AllPanels } from './all-panels.ts';
import type { Navigation } from './navigation.ts';
import type { PanelCalls } from './panel-calls.ts';

interface ShellTrayDeps {
  texts: Texts;
  /** Folder of the icons. */
  icons: string;
  preferences: JsonFile<Preferences>;
  supervisor: Supervisor;
  switchboard: Switchboard;
  calls: PanelCalls;
  allPanels: AllPanels;
  lock: Lock;
  window: PanelWindow;
  navigation: Navigation;
}

/** The tray: what it shows of the application, and what its entries do. */
export function createShellTray(deps: ShellTrayDeps) {
  const { texts, icons, preferences, supervisor, switchboard, calls, allPanels, lock, window, navigation } = deps;
  return createTray({
    texts,
    icons,
    server: () => supervisor.state().kind,
    connections: () => switchboard.views(texts.localPanel, ''),
    areNotificationsOn: () => preferences.read().notifications,
    panels: () => allPanels.states(),
    lock: () => (lock.isLocked() ? 'locked' : lock.isSet() ? 'open' : 'none'),
    verbs: {
      open: () => window.show(),
      openPath: (path) => window.show(path),
      use: (id) => void navigation.use(id),
      restartCore: () => void calls.post('/panel/api/server/restartCoreService'),
      stopCore: () => void calls.post('/panel/api/server/stopCoreService'),
      address: () => switchboard.current().address(),
      signInLink: async () => (switchboard.currentId === LOCAL ? supervisor.signInLink() : null),
      setNotifications: (notifications) => void preferences.write({ ...preferences.read(), notifications }),
      quit: () => app.quit(),
      lock: () => lock.lock(),
    },
  });
}
