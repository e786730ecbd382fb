import { BrowserWindow, nativeTheme } from 'electron';
import { HOME } from '../guards/own-page.ts';
import type { JsonFile } from '../preferences/json-file.ts';
import type { Place, Preferences } from '../preferences/preferences.ts';
import { keepPlace, rememberMoves, screenAreas } from './kept-place.ts';
import { MIN_HEIGHT, MIN_WIDTH, openingPlace } from './window-place.ts';

/** Colours of the first paint, by theme. */
const BACKGROUND = { dark: '#242424', light: '#ffffff' };

interface WindowDeps {
  preload: string;
  icon: string;
  preferences: JsonFile<Preferences>;
  /** The page that a window begins with if none is requested. */
  firstPage: () => string;
  /** The page to show for a requested one: a different one while the window is locked. */
  pageFor: (path: string | undefined) => string | undefined;
  /** Whether the page may receive this message now. */
  mayTell: (channel: string) => boolean;
  /** The close button: what closing means, and whether the window goes, is decided there. */
  onClose: () => void;
  onClosed: () => void;
  /** Typed text would be lost. @returns true to lose it */
  confirmLeaving: () => Promise<boolean>;
  /** The page crashed for the second time within a minute. */
  onPageLost: () => void;
  /** The user's session ends; on Windows only windows are notified. */
  onLogOff: () => void;
}

/** Asks the guards of the page, as a closing tab would. @returns whether one of them objects */
const HAS_TYPED_TEXT = `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`;
/** A page that does not answer has nothing worth waiting for. */
const PAGE_LIMIT_MS = 2_000;

/** The application's only window. */
export function createPanelWindow(deps: WindowDeps) {
  const { preferences } = deps;
  let window: BrowserWindow | null = null;
  let lostAtMs = 0;
  /** The page follows `shell.open`: a freshly loaded one only once its program runs. */
  let isListening = false;
  /** The page to show as soon as it does. */
  let waiting: string | null = null;
  /** What is to replace the present page and has not yet; 0 = nothing. */
  let leaving = 0;
  let loads = 0;

  function open(path: string): void {
    const opened = createWindow(deps, preferences.read().place);
    window = opened;
    isListening = false;
    waiting = null;
    opened.once('ready-to-show', () => {
      if (preferences.read().place?.isMaximized === true) opened.maximize();
      opened.show();
    });
    // Later pages keep the zoom of the one before.
    opened.webContents.once('did-finish-load', () => opened.webContents.setZoomLevel(preferences.read().zoomLevel));
    opened.webContents.on('did-navigate', () => {
      isListening = false;
      leaving = 0;
    });
    // What unloads the page has asked before. Otherwise Electron would keep it silently, under the lock or for another panel.
    opened.webContents.on('will-prevent-unload', (event) => event.preventDefault());
    opened.on('close', (event) => {
      keepPlace(opened, preferences);
      event.preventDefault();
      deps.onClose();
    });
    opened.once('closed', () => {
      window = null;
      deps.onClosed();
    });
    opened.on('session-end', () => deps.onLogOff());
    opened.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') recover(opened);
    });
    rememberMoves(opened, preferences);
    const first = deps.pageFor(path) ?? path;
    void opened.loadURL(HOME + first.slice(1)).catch(() => undefined);
  }

  async function hasTypedText({ webContents }: BrowserWindow): Promise<boolean> {
    const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), PAGE_LIMIT_MS));
    const typed = webContents.executeJavaScript(HAS_TYPED_TEXT).then(Boolean, () => false);
    return Promise.race([typed, late]);
  }

  /** Whether the page may go: asks if text that was typed there would be lost. */
  async function mayLeave(): Promise<boolean> {
    return window === null || !(await hasTypedText(window)) || deps.confirmLeaving();
  }

  const pathOf = ({ webContents }: BrowserWindow): string => `/${webContents.getURL().slice(HOME.length)}`;

  async function load(opened: BrowserWindow, page: string): Promise<void> {
    isListening = false;
    waiting = null;
    const mine = (loads += 1);
    leaving = mine;
    await opened.loadURL(HOME + page.slice(1)).catch(() => undefined);
    if (leaving === mine) leaving = 0;
  }

  /** A crashed page is reloaded once; after that an error page replaces it. */
  function recover(opened: BrowserWindow): void {
    const isAgain = Date.now() - lostAtMs < 60_000;
    lostAtMs = Date.now();
    if (isAgain) deps.onPageLost();
    else opened.webContents.reload();
  }

  return {
    /** Opens the window, or brings it to the front, at the given page. */
    show(path?: string): void {
      if (window === null) return open(path ?? deps.firstPage());
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
      const page = deps.pageFor(path);
      if (page === undefined) return;
      if (isListening) window.webContents.send('shell.open', page);
      else waiting = page;
    },
    /** The page follows `shell.open` from now on. @returns the page to show first, null for the one it is at */
    takeWaiting(): string | null {
      isListening = true;
      const page = waiting;
      waiting = null;
      return page;
    },
    mayLeave,
    /** Loads the present page again. */
    async refresh(): Promise<void> {
      if ((await mayLeave()) && window !== null) await load(window, pathOf(window));
    },
    /** Closes the window and leaves everything else running. */
    destroy(): void {
      if (window !== null) keepPlace(window, preferences);
      window?.destroy();
    },
    /** Reloads the interface: another panel is connected. */
    reload(path: string): void {
      if (window !== null) void load(window, deps.pageFor(path) ?? path);
    },
    /** Replaces the present page by another of ours, with no way back. @returns the page that was shown */
    replace(path: string): string | null {
      if (window === null) return null;
      const { webContents } = window;
      const shown = pathOf(window);
      void load(window, path).then(() => webContents.isDestroyed() || clearHistory(webContents));
      return shown;
    },
    send(channel: string, value: unknown): void {
      if (deps.mayTell(channel)) window?.webContents.send(channel, value);
    },
    /** Shows in the title that the application is ending. */
    showStopping(text: string): void {
      // The application ends without closing its window first.
      if (window !== null) keepPlace(window, preferences);
      window?.setTitle(text);
      // A value above 1 is drawn as an indeterminate progress bar.
      window?.setProgressBar(2);
    },
    isOpen: (): boolean => window !== null,
    /** The present page is about to be replaced by that of another panel. @returns it stays after all */
    leave(): () => void {
      const mine = (loads += 1);
      if (window !== null) leaving = mine;
      return () => {
        if (leaving === mine) leaving = 0;
      };
    },
    /** The present page is about to go: what it still asks for is not meant for the panel that comes next. */
    isLeaving: (): boolean => leaving > 0,
    /** Whether it has the focus. */
    isWatched: (): boolean => window?.isFocused() ?? false,
  };
}
export type PanelWindow = ReturnType<typeof createPanelWindow>;

/** The window, still empty and hidden: isolated and sandboxed. */
function createWindow({ preload, icon }: Pick<WindowDeps, 'preload' | 'icon'>, place: Place | null): BrowserWindow {
  return new BrowserWindow({
    ...openingPlace(place, screenAreas()),
    minWidth: MIN_WIDTH,
    minHeight: MIN_HEIGHT,
    show: false,
    title: 'Switchyard',
    icon,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
    },
  });
}

/** Back must not show the replaced page again. */
function clearHistory(contents: Electron.WebContents): void {
  // An older Electron has it on the contents themselves.
  const older = contents as unknown as { navigationHistory?: { clear(): void }; clearHistory?: () => void };
  if (older.navigationHistory === undefined) older.clearHistory?.();
  else older.navigationHistory.clear();
}
