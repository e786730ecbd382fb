import { BrowserWindow, nativeTheme, screen } from 'electron';
import { HOME } from '../guards/own-page.ts';
import type { JsonFile } from '../preferences/json-file.ts';
import type { Preferences } from '../preferences/preferences.ts';
import { MIN_HEIGHT, MIN_WIDTH, openingPlace } from './window-place.ts';

const SAVE_AFTER_MS = 400;
/** First paint in the colours of the theme. */
const BACKGROUND = { dark: '#242424', light: '#ffffff' };

interface WindowDeps {
  preload: string;
  icon: string;
  preferences: JsonFile<Preferences>;
  /** The page that is shown for one that was asked for: another one while the window is locked. */
  pageFor: (path: string | undefined) => string | undefined;
  /** Whether the page may be told this now. */
  mayTell: (channel: string) => boolean;
  /** Asked when the window is to be closed. @returns true to let it close */
  mayClose: () => boolean;
  onClosed: () => void;
  /** The page is gone for the second time within a minute. */
  onPageLost: () => void;
  /** The session of the user ends; on Windows only windows are told. */
  onLogOff: () => void;
}

/** The one window of the application. */
export function createPanelWindow(deps: WindowDeps) {
  const { preferences } = deps;
  let window: BrowserWindow | null = null;
  let lostAtMs = 0;

  function open(path: string): void {
    const saved = preferences.read();
    const opened = new BrowserWindow({
      ...openingPlace(saved.place, areas()),
      minWidth: MIN_WIDTH,
      minHeight: MIN_HEIGHT,
      show: false,
      title: 'Switchyard',
      icon: deps.icon,
      autoHideMenuBar: true,
      backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
      webPreferences: {
        preload: deps.preload,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
        spellcheck: false,
      },
    });
    window = opened;
    opened.once('ready-to-show', () => {
      if (preferences.read().place?.isMaximized === true) opened.maximize();
      opened.show();
    });
    opened.webContents.on('did-finish-load', () => opened.webContents.setZoomLevel(preferences.read().zoomLevel));
    opened.on('close', (event) => {
      keepPlace(opened);
      if (!deps.mayClose()) event.preventDefault();
    });
    opened.once('closed', () => {
      window = null;
      deps.onClosed();
    });
    opened.on('session-end', () => deps.onLogOff());
    opened.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') recover(opened);
    });
    rememberMoves(opened);
    const first = deps.pageFor(path) ?? path;
    void opened.loadURL(HOME + first.slice(1)).catch(() => undefined);
  }

  /** A lost page is loaded again once; then the page that explains a failure stands there. */
  function recover(opened: BrowserWindow): void {
    const isAgain = Date.now() - lostAtMs < 60_000;
    lostAtMs = Date.now();
    if (isAgain) deps.onPageLost();
    else opened.webContents.reload();
  }

  function rememberMoves(opened: BrowserWindow): void {
    let timer: NodeJS.Timeout | undefined;
    const later = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => keepPlace(opened), SAVE_AFTER_MS);
    };
    opened.on('move', later);
    opened.on('resize', later);
    opened.once('closed', () => clearTimeout(timer));
  }

  function keepPlace(opened: BrowserWindow): void {
    if (opened.isDestroyed()) return;
    const place = { ...opened.getNormalBounds(), isMaximized: opened.isMaximized() };
    const zoomLevel = opened.webContents.getZoomLevel();
    void preferences.write({ ...preferences.read(), place, zoomLevel });
  }

  return {
    /** Opens the window, or brings it to the front, at a page when one is named. */
    show(path?: string): void {
      if (window === null) return open(path ?? '/panel');
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      const page = deps.pageFor(path);
      if (page !== undefined) window.webContents.send('shell.open', page);
    },
    /** Takes the window away and leaves everything else running. */
    destroy(): void {
      if (window !== null) keepPlace(window);
      window?.destroy();
    },
    /** Loads the interface again: another panel is connected. */
    reload(path: string): void {
      const page = deps.pageFor(path) ?? path;
      void window?.loadURL(HOME + page.slice(1)).catch(() => undefined);
    },
    /** Takes what is shown away and shows another page of ours; there is no way back to what was. @returns the page that was shown */
    replace(path: string): string | null {
      if (window === null) return null;
      const { webContents } = window;
      const shown = webContents.getURL();
      void webContents
        .loadURL(HOME + path.slice(1))
        .catch(() => undefined)
        .then(() => webContents.isDestroyed() || clearHistory(webContents));
      return shown.startsWith(HOME) ? `/${shown.slice(HOME.length)}` : null;
    },
    send(channel: string, value: unknown): void {
      if (deps.mayTell(channel)) window?.webContents.send(channel, value);
    },
    /** Says in the title that the application is ending. */
    showStopping(text: string): void {
      window?.setTitle(text);
      // Longer than a whole is drawn as "how long is not known".
      window?.setProgressBar(2);
    },
    isOpen: (): boolean => window !== null,
    /** Whether it is looked at. */
    isWatched: (): boolean => window?.isFocused() ?? false,
  };
}
export type PanelWindow = ReturnType<typeof createPanelWindow>;

/** Going back must not show again what was taken away. */
function clearHistory(contents: Electron.WebContents): void {
  // An older Electron has it on the contents themselves.
  const older = contents as unknown as { navigationHistory?: { clear(): void }; clearHistory?: () => void };
  if (older.navigationHistory === undefined) older.clearHistory?.();
  else older.navigationHistory.clear();
}

function areas(): Electron.Rectangle[] {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
  return [main, ...others].map(({ workArea }) => workArea);
}
