import { join } from 'node:path';
import { app, nativeTheme, session, shell as system } from 'electron';
import * as z from 'zod';
import type { ServerView } from '../bridge/contract.ts';
import { LOCAL } from '../connections/connection.ts';
import { systemKeyStore } from '../connections/key-store.ts';
import { localLink } from '../connections/link.ts';
import { createSecretBox } from '../connections/secrets.ts';
import { carryOverConnections, createConnectionStore, SavedConnections } from '../connections/store.ts';
import { createSwitchboard } from '../connections/switchboard.ts';
import { unreachableWords } from '../connections/unreachable-words.ts';
import { readDeepLink } from '../guards/deep-link.ts';
import { registerCalls } from '../ipc/register-calls.ts';
import { createRelay } from '../live/relay.ts';
import { createNotifier } from '../notifications/notifier.ts';
import { openJsonFile } from '../preferences/json-file.ts';
import { FIRST_PREFERENCES, Preferences } from '../preferences/preferences.ts';
import { answerPage } from '../protocol/answer-page.ts';
import { bundleFiles } from '../protocol/bundle-files.ts';
import { serveScheme } from '../protocol/serve-scheme.ts';
import { listBackups } from '../supervisor/backups.ts';
import type { FirstAdmin } from '../supervisor/server-runtime.ts';
import { chooseRuntime } from '../supervisor/choose-runtime.ts';
import type { ServerState } from '../supervisor/state.ts';
import { createSupervisor } from '../supervisor/supervisor.ts';
import { followPower } from '../system/power.ts';
import { askSystem } from '../system/ask-system.ts';
import { createLoginItem } from '../system/login-item.ts';
import { createQuitting } from '../system/quitting.ts';
import { fill, textsFor } from '../texts/texts.ts';
import { createTray } from '../tray/tray.ts';
import { showMenu } from '../tray/menu.ts';
import { createUpdates } from '../updates/updates.ts';
import { guardContents, guardPermissions } from '../windows/guard-contents.ts';
import { createPanelWindow } from '../windows/panel-window.ts';
import { appFiles } from './app-files.ts';
import { createPanelCalls } from './panel-calls.ts';
import { privateSocketFor } from './private-socket.ts';
import type { StartOptions } from './start-options.ts';

const PANEL_PAGE = '/panel';
const WELCOME_PAGE = '/desktop/welcome';
const STOPPED_PAGE = '/desktop/stopped';

/** The running application. */
export interface Shell {
  /** A second start, or a link: shows the window, at the page the link names. */
  open(link: string | null): void;
}

/** The composition root of the desktop application: builds every part and wires them. */
export async function startShell(options: StartOptions): Promise<Shell> {
  const files = appFiles(app.getAppPath());
  const home = join(options.dataDir, 'window');
  const damaged: string[] = [];
  const remembered = { clock: Date.now, onDamaged: (keptAs: string) => damaged.push(keptAs) };
  const preferences = openJsonFile({
    path: join(home, 'preferences.json'),
    schema: Preferences,
    empty: FIRST_PREFERENCES,
    ...remembered,
  });
  nativeTheme.themeSource = preferences.read().theme;
  const texts = textsFor(app.getLocale());
  let firstAdmin: FirstAdmin | null = null;

  /** Of the next run alone. */
  const restoreFlag: string[] = [];
  const socket = privateSocketFor(options.dataDir);
  const supervisor = createSupervisor({
    runtime: chooseRuntime(files.serverEntry),
    argsFor: () => [
      `--data-dir=${options.dataDir}`,
      `--window-socket=${socket}`,
      ...options.panelFlags,
      ...restoreFlag.splice(0),
    ],
    clock: Date.now,
    random: Math.random,
    onState: serverChanged,
    onEvent: (event) => notifier.take(event),
    onFirstAdmin: (admin) => (firstAdmin = admin),
    onLine: () => undefined,
  });

  const store = createConnectionStore({
    file: openJsonFile({
      path: join(home, 'connections.json'),
      schema: SavedConnections,
      empty: { connections: [] },
      carryOver: carryOverConnections,
      ...remembered,
    }),
    secrets: createSecretBox(
      systemKeyStore,
      openJsonFile({
        path: join(home, 'secrets.json'),
        schema: z.record(z.string(), z.string()),
        empty: {},
        ...remembered,
      }),
    ),
    clock: Date.now,
  });
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
  });
  const relay = createRelay({
    message(message, text) {
      panelWindow.send('live.message', text);
      notifier.takeLive(message);
      tray.takeLive(message);
    },
    state: (state) => panelWindow.send('live.state', state),
  });

  await app.whenReady();
  guardContents(() => texts);
  guardPermissions(session.defaultSession);
  const answer = answerPage({
    files: bundleFiles(files.renderer),
    forward: (request) => switchboard.current().forward(request),
    words: (error) => unreachableWords(error, texts),
  });
  serveScheme(session.defaultSession, answer);

  const panelWindow = createPanelWindow({
    preload: files.preload,
    icon: join(files.icons, 'icon-256.png'),
    preferences,
    mayClose: () => quitting.mayClose(),
    onClosed: () => quitting.windowClosed(),
    onPageLost: () => panelWindow.reload(STOPPED_PAGE),
    onLogOff: () => void quitting.now(),
  });
  const calls = createPanelCalls(() => switchboard.current());
  const loginItem = createLoginItem(app.getPath('exe'));
  const updates = createUpdates({
    texts,
    ask: askSystem,
    isPackaged: app.isPackaged,
    channel: () => preferences.read().updates,
  });
  const quitting = createQuitting({
    texts,
    preferences,
    closeWindow: () => panelWindow.destroy(),
    runningJobs: () => (supervisor.state().kind === 'running' ? calls.local(supervisor.place()) : Promise.resolve([])),
    async stop() {
      panelWindow.showStopping(texts.stopping);
      relay.close();
      switchboard.close();
      await supervisor.stop();
    },
  });
  const notifier = createNotifier({
    texts,
    isEnabled: () => preferences.read().notifications,
    isWatched: () => panelWindow.isWatched(),
    open: (path) => panelWindow.show(path),
  });
  const tray = createTray({
    texts,
    icons: files.icons,
    server: () => supervisor.state().kind,
    connections: () => switchboard.views(texts.localPanel, ''),
    areNotificationsOn: () => preferences.read().notifications,
    verbs: {
      open: () => panelWindow.show(),
      openPath: (path) => panelWindow.show(path),
      use: (id) => void use(id),
      restartCore: () => void calls.post('/panel/api/server/restartCoreService'),
      stopCore: () => void calls.post('/panel/api/server/stopCoreService'),
      address: () => switchboard.current().address(),
      signInLink: async () => (switchboard.currentId === LOCAL ? supervisor.signInLink() : null),
      setNotifications: (notifications) => void preferences.write({ ...preferences.read(), notifications }),
      quit: () => app.quit(),
    },
  });

  function serverChanged(state: ServerState): void {
    const view = viewOf(state);
    panelWindow.send('server.changed', view);
    tray.refresh();
    if (state.kind === 'running' && switchboard.currentId === LOCAL) relay.again();
    if (state.kind !== 'failed') return;
    notifier.say(texts.panelLost, '', STOPPED_PAGE);
    if (switchboard.currentId === LOCAL && panelWindow.isOpen()) panelWindow.reload(STOPPED_PAGE);
  }
  const viewOf = (state: ServerState): ServerView => ({
    kind: state.kind,
    why: state.kind === 'failed' ? state.why : '',
    lines: [...supervisor.lines()],
  });

  /** Connects the window to another panel and loads it again. */
  async function use(id: string): Promise<void> {
    if (id === LOCAL) {
      await preferences.write({ ...preferences.read(), runsLocalPanel: true });
      supervisor.start();
    }
    await switchboard.use(id);
    panelWindow.reload(PANEL_PAGE);
    panelWindow.show();
  }

  registerCalls({
    store,
    switchboard,
    texts,
    localAddress: () => {
      const state = supervisor.state();
      return state.kind === 'running' ? state.place.panel : '';
    },
    use,
    server: {
      view: () => viewOf(supervisor.state()),
      retry: () => supervisor.start(),
      openDataFolder: () => system.openPath(options.dataDir),
      backups: () => listBackups(options.dataDir),
      restore(name) {
        if (supervisor.state().kind !== 'failed') throw new Error('the panel of this computer has not failed');
        restoreFlag.push(`--restore-backup=${name}`);
        supervisor.start();
      },
    },
    liveState: () => relay.state(),
    useThisComputer: async () => {
      await preferences.write({ ...preferences.read(), runsLocalPanel: true });
      supervisor.start();
      await switchboard.use(LOCAL);
    },
    takeFirstCredentials() {
      const taken = firstAdmin;
      firstAdmin = null;
      return taken;
    },
    preferences,
    loginItem,
  });
  showMenu({ texts, dataDir: options.dataDir, openPath: (path) => panelWindow.show(path), updates });
  // Sent when the session of the user ends: nobody is there to answer the question about running jobs.
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) {
    // What writes the settings files would end the process at once, with the panel still running.
    process.removeAllListeners(signal);
    process.on(signal, () => void quitting.now());
  }
  followPower({
    sleep: () => supervisor.tell('suspend'),
    wake() {
      supervisor.tell('resume');
      relay.again();
    },
    shutdown: () => quitting.now(),
  });
  updates.start();
  if (preferences.read().runsLocalPanel) supervisor.start();

  const { home: homeId } = preferences.read();
  if (homeId !== null) await switchboard.use(store.find(homeId) === undefined ? LOCAL : homeId).catch(() => undefined);
  const firstPage = homeId === null ? WELCOME_PAGE : PANEL_PAGE;
  if (!options.isHidden || homeId === null || !tray.isShown()) panelWindow.show(firstPage);
  if (damaged.length > 0)
    void askSystem({
      message: texts.damaged,
      detail: fill(texts.damagedDetail, { folder: home, names: damaged.join(', ') }),
      buttons: [texts.understood],
    });

  return {
    open(link) {
      const read = link === null ? null : readDeepLink(link);
      if (read === null) return panelWindow.show();
      if (read.kind === 'open') return panelWindow.show(read.path);
      const query = new URLSearchParams({ add: read.url, name: read.name });
      return panelWindow.show(`/desktop/connections?${query.toString()}`);
    },
  };
}
