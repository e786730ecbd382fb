import type { MenuItemConstructorOptions } from 'electron';
import type { ConnectionView } from '../bridge/contract.ts';
import type { ServerState } from '../supervisor/state.ts';
import { byteSpeed } from '../texts/byte-speed.ts';
import type { Texts } from '../texts/en.ts';
import { fill } from '../texts/texts.ts';

/** The connected panel's last report on its core and its traffic. */
export interface Figures {
  core: 'running' | 'stop' | 'error';
  /** Bytes per second. */
  up: number;
  down: number;
}

export interface TrayVerbs {
  open: () => void;
  openPath: (path: string) => void;
  use: (id: string) => void;
  restartCore: () => void;
  stopCore: () => void;
  copyAddress: () => void;
  openInBrowser: () => void;
  setNotifications: (isOn: boolean) => void;
  quit: () => void;
  lock: () => void;
}

export interface TrayFacts {
  server: ServerState['kind'];
  /** Null before the panel's first report. */
  figures: Figures | null;
  connections: readonly ConnectionView[];
  areNotificationsOn: boolean;
  /** States of the other panels, if they are watched. */
  panels: Readonly<Record<string, 'away' | 'attention' | undefined>>;
  /** The tray of a locked window shows nothing either. */
  lock: 'none' | 'open' | 'locked';
}

/** The icon in the tray. */
export type TrayIcon = 'running' | 'stopped' | 'error' | 'remote';

export function trayIcon({ server, figures, connections, panels }: TrayFacts): TrayIcon {
  // The worst state of all panels.
  if (Object.values(panels).includes('away')) return 'error';
  const isLocal = connections.find(({ isCurrent }) => isCurrent)?.id === 'local';
  if (!isLocal) return figures?.core === 'error' ? 'error' : 'remote';
  if (server === 'failed' || figures?.core === 'error') return 'error';
  return server === 'running' && figures?.core !== 'stop' ? 'running' : 'stopped';
}

/** The tray's menu. Every function is in it: with some Linux trays a click on the icon never arrives. */
export function trayMenu(facts: TrayFacts, texts: Texts, verbs: TrayVerbs): MenuItemConstructorOptions[] {
  const { figures, connections } = facts;
  const isLocal = connections.find(({ isCurrent }) => isCurrent)?.id === 'local';
  const isThere = !isLocal || facts.server === 'running';
  const quit = { label: facts.server === 'stopped' ? texts.quit : texts.quitAndStop, click: () => verbs.quit() };
  if (facts.lock === 'locked') return [{ label: texts.open, click: () => verbs.open() }, { type: 'separator' }, quit];
  return [
    { label: texts.open, click: () => verbs.open() },
    ...(facts.lock === 'none' ? [] : [{ label: texts.lockWindow, click: () => verbs.lock() }]),
    { type: 'separator' },
    ...(isLocal ? [{ label: panelLine(facts.server, texts), enabled: false }] : []),
    ...(figures === null ? [] : coreItems(figures, texts, verbs)),
    {
      label: isLocal ? texts.copyLanAddress : texts.copyAddress,
      enabled: isThere,
      click: () => verbs.copyAddress(),
    },
    {
      label: isLocal ? texts.openPanelInBrowser : texts.openInBrowser,
      enabled: isThere,
      click: () => verbs.openInBrowser(),
    },
    {
      label: texts.connections,
      submenu: [
        ...connections.map(({ id, name, isCurrent }): MenuItemConstructorOptions => ({
          label: marked(name, facts.panels[id], texts),
          type: 'radio',
          checked: isCurrent,
          click: () => verbs.use(id),
        })),
        { type: 'separator' },
        { label: texts.allPanels, click: () => verbs.openPath('/desktop/home') },
        { label: texts.searchPanels, click: () => verbs.openPath('/desktop/home?search=') },
        { label: texts.managePanels, click: () => verbs.openPath('/desktop/connections') },
      ],
    },
    {
      label: texts.pauseNotifications,
      type: 'checkbox',
      checked: !facts.areNotificationsOn,
      click: () => verbs.setNotifications(!facts.areNotificationsOn),
    },
    { type: 'separator' },
    quit,
  ];
}

function marked(name: string, state: 'away' | 'attention' | undefined, texts: Texts): string {
  if (state === undefined) return name;
  return `${name} — ${state === 'away' ? texts.noAnswerShort : texts.attentionShort}`;
}

function coreItems(figures: Figures, texts: Texts, verbs: TrayVerbs): MenuItemConstructorOptions[] {
  const line = { running: texts.coreRunning, stop: texts.coreStopped, error: texts.coreError }[figures.core];
  const speeds = { up: byteSpeed(figures.up), down: byteSpeed(figures.down) };
  return [
    {
      label: line,
      submenu: [
        { label: texts.coreRestart, click: () => verbs.restartCore() },
        { label: texts.coreStop, enabled: figures.core === 'running', click: () => verbs.stopCore() },
      ],
    },
    { label: fill(texts.traffic, speeds), enabled: false },
  ];
}

function panelLine(server: ServerState['kind'], texts: Texts): string {
  if (server === 'running') return texts.panelRunning;
  if (server === 'failed') return texts.panelFailed;
  return server === 'starting' || server === 'backingOff' ? texts.panelStarting : texts.panelStopped;
}
