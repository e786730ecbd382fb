import { join } from 'node:path';
import { clipboard, Menu, nativeImage, shell, Tray } from 'electron';
import type { Texts } from '../texts/en.ts';
import { trayIcon, trayMenu, type Figures, type TrayFacts, type TrayIcon, type TrayVerbs } from './template.ts';

/** The menu is made anew this often at most: figures come every two seconds. */
const REFRESH_MS = 5_000;

export interface AppTray {
  isShown(): boolean;
  /** Something that the menu shows has changed. */
  refresh(): void;
  /** Takes the figures out of the live stream. */
  takeLive(message: unknown): void;
}

interface TrayDeps extends Omit<ShownFacts, 'figures'> {
  texts: Texts;
  /** Folder of the pictures. */
  icons: string;
  verbs: Omit<TrayVerbs, 'copyAddress' | 'openInBrowser'> & {
    address: () => Promise<string>;
    signInLink: () => Promise<string | null>;
  };
}
type ShownFacts = { [K in keyof TrayFacts]: () => TrayFacts[K] };

export function createTray(deps: TrayDeps): AppTray {
  const { texts, verbs } = deps;
  let figures: Figures | null = null;
  let shownIcon: TrayIcon | null = null;
  let refreshedAtMs = 0;
  const tray = openTray(join(deps.icons, pictureOf('stopped')));

  const menuVerbs: TrayVerbs = {
    ...verbs,
    copyAddress: () => void verbs.address().then((address) => clipboard.writeText(address)),
    openInBrowser: () => void verbs.signInLink().then((url) => (url === null ? undefined : shell.openExternal(url))),
  };

  function refresh(): void {
    if (tray === null) return;
    refreshedAtMs = Date.now();
    const facts: TrayFacts = {
      server: deps.server(),
      figures,
      connections: deps.connections(),
      areNotificationsOn: deps.areNotificationsOn(),
    };
    const icon = trayIcon(facts);
    if (icon !== shownIcon) tray.setImage(pictureFor(deps.icons, icon));
    shownIcon = icon;
    // With the Linux indicator a menu must be set again after each change.
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(facts, texts, menuVerbs)));
  }

  tray?.setToolTip('Switchyard');
  tray?.on('click', () => verbs.open());
  refresh();
  return {
    isShown: () => tray !== null,
    refresh() {
      figures = deps.server() === 'running' ? figures : null;
      refresh();
    },
    takeLive(message) {
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

/** Null on desktops without any tray. */
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

/** macOS paints a template itself, Windows wants an ICO, Linux a PNG. */
function pictureOf(icon: TrayIcon): string {
  if (process.platform === 'darwin') return `tray-${icon}-Template.png`;
  return process.platform === 'win32' ? `tray-${icon}.ico` : `tray-${icon}.png`;
}
