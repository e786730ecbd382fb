import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app, nativeTheme, session } from 'electron';
import { LOCAL } from '../connections/connection.ts';
import { localLink } from '../connections/link.ts';
import { createSwitchboard } from '../connections/switchboard.ts';
import { unreachableWords } from '../connections/unreachable-words.ts';
import { registerCalls } from '../ipc/register-calls.ts';
import { registerLockCalls, registerMaintenanceCalls } from '../ipc/maintenance-calls.ts';
import { createRelay } from '../live/relay.ts';
import { lockedForward } from '../lock/lock-calls.ts';
import { createNotifier } from '../notifications/notifier.ts';
import { answerPage } from '../protocol/answer-page.ts';
import { bundleFiles } from '../protocol/bundle-files.ts';
import { serveScheme } from '../protocol/serve-scheme.ts';
import { createLocalPanel } from '../supervisor/local-panel.ts';
import type { ServerState } from '../supervisor/state.ts';
import { followPower } from '../system/power.ts';
import { askSystem } from '../system/ask-system.ts';
import { createLoginItem } from '../system/login-item.ts';
import { createQuitting } from '../system/quitting.ts';
import { textsFor } from '../texts/texts.ts';
import { createTray } from '../tray/tray.ts';
import { showMenu } from '../tray/menu.ts';
import { createUpdates } from '../updates/updates.ts';
import { guardContents, guardPermissions } from '../windows/guard-contents.ts';
import { createPanelWindow } from '../windows/panel-window.ts';
import { createAllPanels } from './all-panels.ts';
import { appFiles } from './app-files.ts';
import { openKeptFiles } from './kept-files.ts';
import { createPanelCalls } from './panel-calls.ts';
import { createMaintenance } from './maintenance.ts';
import { createNavigation } from './navigation.ts';
import type { StartOptions } from './start-options.ts';
import { createWindowLock } from './window-lock.ts';

const STOPPED_PAGE = '/desktop/stopped';

/** The composition root of the desktop application: builds and wires every part. */
export async function startShell(options: StartOptions) {
  const files = appFiles(app.getAppPath());
  const { preferences, store, tellDamaged } = openKeptFiles(join(options.dataDir, 'window'));
  nativeTheme.themeSource = preferences.read().theme;
  const texts = textsFor(app.getLocale());
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
    state: (state) => panelWindow.send('live.state', state),
  });
  const calls = createPanelCalls(() => switchboard.current());

  await app.whenReady();
  guardContents(() => texts);
  guardPermissions(session.defaultSession);
  const windowLock = createWindowLock({
    folder: join(options.dataDir, 'window'),
    texts,
    window: () => panelWindow,
    onChange(isLocked) {
      if (isLocked) allPanels.hidden();
      tray.refresh();
    },
  });
  const { lock } = windowLock;
  const answer = answerPage({
    files: bundleFiles(files.renderer),
    forward: lockedForward(lock, (request) => switchboard.current().forward(request)),
    words: (error) => unreachableWords(error, texts),
  });
  serveScheme(session.defaultSession, answer);

  const panelWindow = createPanelWindow({
    preload: files.preload,
    icon: join(files.icons, 'icon-256.png'),
    preferences,
    pageFor: (path) => windowLock.pageFor(path),
    mayTell: (channel) => windowLock.mayTell(channel),
    mayClose: () => quitting.mayClose(),
    onClosed() {
      allPanels.hidden();
      quitting.windowClosed();
    },
    onPageLost: () => panelWindow.reload(STOPPED_PAGE),
    onLogOff: () => void quitting.now(),
  });
  const quitting = createQuitting({
    texts,
    preferences,
    closeWindow: () => panelWindow.destroy(),
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
    open: (path, panelId) => void navigation.openAt(panelId, path),
  });
  const allPanels = createAllPanels({
    folder: join(options.dataDir, 'window'),
    entry: files.panelsEntry,
    store,
    texts,
    local: () => supervisor.state(),
    hasLocal: () => preferences.read().runsLocalPanel,
    notifier: () => notifier,
    send: (cards) => panelWindow.send('panels.cards', cards),
    onStates: () => tray.panelsChanged(),
    show: (path) => panelWindow.show(path),
    openPanel: (id, path) => navigation.use(id, path),
    backUp: (id) => maintenance.backUp(id),
    maintenance: (id) => maintenance.factsOf(id),
  });
  const maintenance = createMaintenance({
    folder: join(options.dataDir, 'window'),
    dataDir: options.dataDir,
    resourcesDir: files.resources,
    core: options.core,
    entry: files.maintenanceEntry,
    targets: allPanels.targets,
    dataKey: allPanels.dataKey,
    nameOf: (id) => (id === LOCAL ? texts.localPanel : (store.find(id)?.name ?? '')),
    send: (tasks) => panelWindow.send('maintenance.tasks', tasks),
    onFacts: () => allPanels.maintenanceChanged(),
  });
  const navigation = createNavigation({
    store,
    preferences,
    switchboard,
    panel,
    window: panelWindow,
    allPanels,
    lock,
  });
  const tray = createTray({
    texts,
    icons: files.icons,
    server: () => supervisor.state().kind,
    connections: () => switchboard.views(texts.localPanel, ''),
    areNotificationsOn: () => preferences.read().notifications,
    panels: () => allPanels.states(),
    lock: () => (lock.isLocked() ? 'locked' : lock.isSet() ? 'open' : 'none'),
    verbs: {
      open: () => panelWindow.show(),
      openPath: (path) => panelWindow.show(path),
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
  registerCalls({
    store,
    switchboard,
    texts,
    panel,
    use: navigation.use,
    liveState: () => relay.state(),
    useThisComputer: () => navigation.useThisComputer(),
    preferences,
    loginItem: createLoginItem(app.getPath('exe')),
    hasUpdater,
    allPanels,
  });
  registerMaintenanceCalls(maintenance);
  registerLockCalls(lock);
  const updates = createUpdates({ texts, ask: askSystem, hasUpdater, channel: () => preferences.read().updates });
  showMenu({
    texts,
    dataDir: options.dataDir,
    openPath: (path) => panelWindow.show(path),
    updates,
    lock: () => navigation.lock(),
  });
  endWithSystem(() => quitting.now());
  followPower({
    sleep: () => supervisor.tell('suspend'),
    wake() {
      supervisor.tell('resume');
      relay.again();
      allPanels.wake();
    },
    shutdown: () => quitting.now(),
  });
  updates.start();
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

/** Sent when the user's session ends: nobody can answer the question about running jobs. */
function endWithSystem(quit: () => Promise<void>): void {
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) {
    // The settings writer would end the process at once, with the panel still running.
    process.removeAllListeners(signal);
    process.on(signal, () => void quit());
  }
}
