import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app, nativeTheme } from 'electron';
import { LOCAL } from '../connections/connection.ts';
import { localLink } from '../connections/link.ts';
import { createSwitchboard } from '../connections/switchboard.ts';
import { registerCalls } from '../ipc/register-calls.ts';
import { registerLockCalls, registerMaintenanceCalls } from '../ipc/maintenance-calls.ts';
import { createRelay } from '../live/relay.ts';
import { createNotifier } from '../notifications/notifier.ts';
import { createLocalPanel } from '../supervisor/local-panel.ts';
import type { ServerState } from '../supervisor/state.ts';
import { createLoginItem } from '../system/login-item.ts';
import { showDialog } from '../system/show-dialog.ts';
import { createQuitting } from '../system/quitting.ts';
import { textsFor } from '../texts/texts.ts';
import { createUpdates } from '../updates/updates.ts';
import { appFiles } from './app-files.ts';
import { followSystem } from './follow-system.ts';
import { createGuardedWindow, STOPPED_PAGE } from './guarded-window.ts';
import { openKeptFiles } from './kept-files.ts';
import { createPanelCalls } from './panel-calls.ts';
import { createNavigation } from './navigation.ts';
import { createPanelProcesses } from './panel-processes.ts';
import { createShellTray } from './shell-tray.ts';
import type { StartOptions } from './start-options.ts';

/** The composition root of the desktop application: builds and wires every part. */
export async function startShell(options: StartOptions) {
  const files = appFiles(app.getAppPath());
  const folder = join(options.dataDir, 'window');
  const { preferences, store, tellDamaged } = openKeptFiles(folder);
  nativeTheme.themeSource = preferences.read().theme;
  // One object for all parts: another language replaces its texts.
  const texts = { ...textsFor(preferences.read().language ?? app.getLocale()) };
  const panel = createLocalPanel({
    entry: files.serverEntry,
    options,
    onState: panelChanged,
    onEvent: (event) => notifier.take(event),
  });
  const { supervisor } = panel;
  const switchboard = createSwitchboard({
    store,
    local: localLink(() => supervisor.place()),
    clock: Date.now,
    onChange(link, id) {
      void preferences.write({ ...preferences.read(), home: id });
      relay.follow(link);
      tray.refresh();
    },
    onSession: () => relay.again(),
    onStored: () => allPanels.changed(),
  });
  const relay = createRelay({
    message(message, text) {
      panelWindow.send('live.message', text);
      notifier.takeLive(message);
      tray.takeLive(message);
    },
    state(state) {
      panelWindow.send('live.state', state);
      if (state === 'down') tray.forgetFigures();
    },
  });
  const calls = createPanelCalls(() => switchboard.current());

  await app.whenReady();
  const { panelWindow, windowLock } = createGuardedWindow({
    files,
    folder,
    texts,
    preferences,
    switchboard,
    quitting: () => quitting,
    firstPage: () => navigation.firstPage(),
    onHidden: () => allPanels.hidden(),
    onLockChange: () => tray.refresh(),
  });
  const { lock } = windowLock;
  const quitting = createQuitting({
    texts,
    preferences,
    closeWindow: () => panelWindow.destroy(),
    mayLeave: () => panelWindow.mayLeave(),
    async runningJobs() {
      const jobs = panel.isRunning() ? await calls.local(supervisor.place()) : [];
      const isBusy = allPanels.isBusy() || maintenance.running().length > 0;
      return isBusy ? [...jobs, { title: texts.workOnPanels, state: 'running' }] : jobs;
    },
    async stop() {
      panelWindow.showStopping(texts.stopping);
      relay.close();
      allPanels.close();
      maintenance.close();
      switchboard.close();
      await supervisor.stop();
    },
  });
  const notifier = createNotifier({
    texts,
    isEnabled: () => preferences.read().notifications,
    isWatched: () => panelWindow.isWatched(),
    connectedId: () => switchboard.currentId,
    open: (path, panelId) => void navigation.openAt(panelId, path),
  });
  const { allPanels, maintenance } = createPanelProcesses({
    options,
    files,
    folder,
    store,
    preferences,
    texts,
    supervisor,
    notifier,
    window: panelWindow,
    onStates: () => tray.panelsChanged(),
    openPanel: (id, path) => navigation.use(id, path),
  });
  const navigation = createNavigation({ store, preferences, switchboard, panel, window: panelWindow, allPanels, lock });
  const tray = createShellTray({
    texts,
    icons: files.icons,
    preferences,
    supervisor,
    switchboard,
    calls,
    allPanels,
    lock,
    window: panelWindow,
    navigation,
  });

  function panelChanged(state: ServerState): void {
    panelWindow.send('server.changed', panel.view());
    tray.refresh();
    if (state.kind !== 'starting') allPanels.changed();
    if (state.kind === 'running' && switchboard.currentId === LOCAL) relay.again();
    if (state.kind !== 'failed') return;
    notifier.say(texts.panelLost, '', STOPPED_PAGE);
    if (switchboard.currentId === LOCAL && panelWindow.isOpen()) panelWindow.reload(STOPPED_PAGE);
  }

  // The packager writes this file when the build was given an update address.
  const hasUpdater = app.isPackaged && existsSync(join(process.resourcesPath, 'app-update.yml'));
  const updates = createUpdates({
    texts,
    showDialog,
    hasUpdater,
    channel: () => preferences.read().updates,
    onDownload: (download) => panelWindow.send('shell.updateDownload', download),
    showDownload: () => panelWindow.show('/desktop/connections'),
  });
  const loginItem = createLoginItem(app.getPath('exe'), options.dataDir);
  void loginItem.follow().catch(() => undefined);
  registerCalls({
    store,
    switchboard,
    texts,
    panel,
    use: navigation.use,
    liveState: () => relay.state(),
    useThisComputer: () => navigation.useThisComputer(),
    takeWaiting: () => panelWindow.takeWaiting(),
    reconnect: () => navigation.reconnect(),
    leaveRemoved: () => navigation.leaveRemoved(),
    preferences,
    loginItem,
    hasUpdater,
    updates,
    allPanels,
    showLanguage(language) {
      Object.assign(texts, textsFor(language));
      system.refreshMenu();
      tray.refresh();
    },
  });
  registerMaintenanceCalls(maintenance);
  registerLockCalls(lock);
  const system = followSystem({
    texts,
    dataDir: options.dataDir,
    updates,
    supervisor,
    relay,
    allPanels,
    window: panelWindow,
    navigation,
    quitting,
  });
  if (preferences.read().runsLocalPanel) supervisor.start();

  const isNew = preferences.read().home === null;
  const firstPage = await navigation.first();
  allPanels.start();
  windowLock.start();
  void maintenance.start();
  if (!options.isHidden || isNew || !tray.isShown()) panelWindow.show(firstPage);
  tellDamaged(texts);
  return { open: navigation.open };
}
/** The running application. */
export type Shell = Awaited<ReturnType<typeof startShell>>;
