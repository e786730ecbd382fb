import { net } from 'electron';
import { LOCAL } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/store.ts';
import type { Notifier } from '../notifications/notifier.ts';
import type { JsonFile } from '../preferences/json-file.ts';
import type { Preferences } from '../preferences/preferences.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import type { Texts } from '../texts/en.ts';
import type { PanelWindow } from '../windows/panel-window.ts';
import { createAllPanels } from './all-panels.ts';
import type { AppFiles } from './app-files.ts';
import { createMaintenance } from './maintenance/maintenance.ts';
import type { StartOptions } from './start-options.ts';

interface PanelProcessesDeps {
  options: StartOptions;
  files: AppFiles;
  /** Folder of the window's files. */
  folder: string;
  store: ConnectionStore;
  preferences: JsonFile<Preferences>;
  texts: Texts;
  supervisor: Supervisor;
  notifier: Notifier;
  window: PanelWindow;
  /** The tray shows the states of panels. */
  onStates: () => void;
  /** Connects the window to a panel and shows a page of it. */
  openPanel: (id: string, path: string) => Promise<void>;
}

/** The processes beside the window: one reads all panels, one does long jobs on them. Each shows in, or asks, the other. */
export function createPanelProcesses(deps: PanelProcessesDeps) {
  const { options, files, folder, store, texts, supervisor, window } = deps;
  const allPanels = createAllPanels({
    folder,
    entry: files.panelsEntry,
    store,
    texts,
    local: () => supervisor.state(),
    hasLocal: () => deps.preferences.read().runsLocalPanel,
    notifier: () => deps.notifier,
    send: (cards) => window.send('panels.cards', cards),
    onStates: deps.onStates,
    show: (path) => window.show(path),
    openPanel: deps.openPanel,
    backUp: (id) => maintenance.backUp(id),
    maintenance: (id) => maintenance.factsOf(id),
  });
  const maintenance = createMaintenance({
    folder,
    dataDir: options.dataDir,
    resourcesDir: files.resources,
    core: options.core,
    entry: files.maintenanceEntry,
    targets: allPanels.targets,
    isOnline: () => net.isOnline(),
    dataKey: allPanels.dataKey,
    nameOf: (id) => (id === LOCAL ? texts.localPanel : (store.find(id)?.name ?? '')),
    send: (tasks) => window.send('maintenance.tasks', tasks),
    onFacts: () => allPanels.maintenanceChanged(),
  });
  return { allPanels, maintenance };
}
