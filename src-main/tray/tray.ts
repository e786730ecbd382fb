import { join } from 'node:path';
import { clipboard, Menu, nativeImage, shell, Tray } from 'electron';
import type { Texts } from '../texts/en.ts';
import { trayIcon, trayMenu, type Figures, type TrayFacts, type TrayIcon, type TrayVerbs } from './template.ts';

/** How often the menu is rebuilt at most: figures come every two seconds. */
const REFRESH_MS = 5_000;

interface TrayDeps extends Omit<ShownFacts, 'figures'> {
  texts: Texts;
  /** Folder of the icons. */
  icons: string;
  verbs: Omit<TrayVerbs, 'copyAddress' | 'openInBrowser'> & {
    /** Address for browsers of other devices; null where there is none. */
    address: () => Promise<string | null>;
    /** A one-time sign-in link to this computer's panel; null where the window is connected elsewhere. */
    signInLink: () => Promise<string | null>;
  };
}
type ShownFacts = { [K in keyof TrayFacts]: () => TrayFacts[K] };

export function createTray(deps: TrayDeps) {
  const { texts, verbs } = deps;
  let figures: Figures | null = null;
  let shownIcon: TrayIcon | null = null;
  let refreshedAtMs = 0;
  let shownPanels = '';
  /** The menu as text, for comparison; empty = unknown. */
  let shownMenu = '';
  const tray = openTray(join(deps.icons, pictureOf('stopped')));

  const menuVerbs: TrayVerbs = {
    ...verbs,
    use(id) {
      noteOwnMark();
      verbs.use(id);
    },
    setNotifications(isOn) {
      noteOwnMark();
      verbs.setNotifications(isOn);
    },
    copyAddress: () => void copyAddress(),
    openInBrowser: () => void openInBrowser(),
  };

  /** The system itself moves the mark of the selected entry, even if the choice fails. */
  function noteOwnMark(): void {
    shownMenu = '';
  }

  /** A panel for this computer only has no address to copy: opens the page to change that. */
  async function copyAddress(): Promise<void> {
    const address = await verbs.address();
    if (address === null) verbs.openPath('/panel/first-run?step=network');
    else await clipboard.writeText(address);
  }

  async function openInBrowser(): Promise<void> {
    const url = (await verbs.signInLink()) ?? (await verbs.address());
    if (url !== null) await shell.openExternal(url);
  }

  function refresh(): void {
    if (tray === null) return;
    refreshedAtMs = Date.now();
    const facts: TrayFacts = {
      server: deps.server(),
      figures,
      connections: deps.connections(),
      areNotificationsOn: deps.areNotificationsOn(),
      panels: deps.panels(),
      lock: deps.lock(),
    };
    const icon = trayIcon(facts);
    if (icon !== shownIcon) tray.setImage(pictureFor(deps.icons, icon));
    shownIcon = icon;
    const template = trayMenu(facts, texts, menuVerbs);
    const menu = JSON.stringify(template);
    if (menu === shownMenu) return;
    shownMenu = menu;
    // With the Linux indicator a menu must be set again after each change.
    tray.setContextMenu(Menu.buildFromTemplate(template));
  }

  tray?.setToolTip('Switchyard');
  tray?.on('click', () => verbs.open());
  refresh();
  return {
    isShown: (): boolean => tray !== null,
    /** Data shown in the menu has changed. */
    refresh,
    /** The last figures are of another panel, or of one that does not answer any more. */
    forgetFigures(): void {
      figures = null;
      refresh();
    },
    /** The panels were read: their states in the menu may have changed. */
    panelsChanged(): void {
      const worst = JSON.stringify(deps.panels());
      if (worst === shownPanels) return;
      shownPanels = worst;
      refresh();
    },
    /** Reads the figures from the live stream. */
    takeLive(message: unknown): void {
      const { type, data } = message as { type?: string; data?: unknown };
      if (type !== 'status') return;
      const before = figures?.core;
      figures = figuresOf(data);
      if (figures?.core !== before || Date.now() - refreshedAtMs >= REFRESH_MS) refresh();
    },
  };
}

function figuresOf(status: unknown): Figures | null {
  const read = status as { core?: { state?: Figures['core'] }; netIO?: { up?: number; down?: number } } | null;
  const core = read?.core?.state;
  return core === undefined ? null : { core, up: read?.netIO?.up ?? 0, down: read?.netIO?.down ?? 0 };
}

/** Null on desktops without a tray. */
function openTray(picture: string): Tray | null {
  try {
    return new Tray(nativeImage.createFromPath(picture));
  } catch {
    return null;
  }
}

function pictureFor(folder: string, icon: TrayIcon): Electron.NativeImage {
  const picture = nativeImage.createFromPath(join(folder, pictureOf(icon)));
  if (process.platform === 'darwin') picture.setTemplateImage(true);
  return picture;
}

/** macOS colours a template image itself, Windows needs an ICO, Linux a PNG. */
function pictureOf(icon: TrayIcon): string {
  if (process.platform === 'darwin') return `tray-${icon}-Template.png`;
  return process.platform === 'win32' ? `tray-${icon}.ico` : `tray-${icon}.png`;
}
