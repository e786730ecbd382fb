import { LOCAL } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/store.ts';
import type { Switchboard } from '../connections/switchboard.ts';
import { readDeepLink } from '../guards/deep-link.ts';
import type { Lock } from '../lock/lock.ts';
import type { JsonFile } from '../preferences/json-file.ts';
import type { Preferences } from '../preferences/preferences.ts';
import type { LocalPanel } from '../supervisor/local-panel.ts';
import type { PanelWindow } from '../windows/panel-window.ts';
import { HOME_PAGE, type AllPanels } from './all-panels.ts';
import { STOPPED_PAGE } from './guarded-window.ts';

const PANEL_PAGE = '/panel';
const WELCOME_PAGE = '/desktop/welcome';
const CONNECTIONS_PAGE = '/desktop/connections';
/** The first start of this computer's panel: shows its credentials, once. */
const FIRST_START_PAGE = `${WELCOME_PAGE}?start=`;

interface NavigationDeps {
  store: ConnectionStore;
  preferences: JsonFile<Preferences>;
  switchboard: Switchboard;
  panel: LocalPanel;
  window: PanelWindow;
  allPanels: AllPanels;
  lock: Lock;
}

/** The window's target: the connected panel, and the page shown. */
export function createNavigation({ store, preferences, switchboard, panel, window, allPanels, lock }: NavigationDeps) {
  async function startThisComputer(): Promise<void> {
    await preferences.write({ ...preferences.read(), runsLocalPanel: true });
    panel.supervisor.start();
  }
  /** To be followed by a load: from now on the present page reaches no panel. */
  async function connect(id: string): Promise<void> {
    const stay = window.leave();
    try {
      await switchboard.use(id);
    } catch (error) {
      stay();
      throw error;
    }
  }
  /** Connects the window to another panel and reloads it. */
  async function use(id: string, path = PANEL_PAGE): Promise<void> {
    const isSame = switchboard.currentId === id;
    // Another panel's page loads afresh; a page of the same panel is navigated to.
    if (isSame && path !== PANEL_PAGE) return window.show(path);
    if (!(await window.mayLeave())) return window.show();
    const isFirst = id === LOCAL && !preferences.read().runsLocalPanel;
    if (id === LOCAL) await startThisComputer();
    await connect(id);
    allPanels.hidden();
    const page = isFirst ? FIRST_START_PAGE : path;
    if (!window.isOpen()) return window.show(page);
    window.reload(page);
    window.show();
  }
  /** The page that a window begins with. */
  function firstPage(): string {
    const { home, runsLocalPanel } = preferences.read();
    if (home === null || (store.find(home) === undefined && !runsLocalPanel)) return WELCOME_PAGE;
    if (switchboard.currentId === LOCAL && panel.supervisor.state().kind === 'failed') return STOPPED_PAGE;
    return allPanels.isFirstPage() ? HOME_PAGE : PANEL_PAGE;
  }
  return {
    use,
    firstPage,
    async useThisComputer(): Promise<void> {
      await startThisComputer();
      await switchboard.use(LOCAL);
    },
    /** The connected panel is reached in another way, and may be another one: what the page knows of it goes. */
    async reconnect(): Promise<void> {
      await connect(switchboard.currentId);
      window.reload(CONNECTIONS_PAGE);
    },
    /** The connected panel was removed: nothing starts here that the operator did not ask for. */
    async leaveRemoved(): Promise<void> {
      if (preferences.read().runsLocalPanel) return use(LOCAL);
      await connect(LOCAL);
      try {
        await preferences.write({ ...preferences.read(), home: null });
      } finally {
        // On a full disk too: the present page reaches no panel any more.
        window.reload(CONNECTIONS_PAGE);
      }
    },
    /** Target of a notification: a page of the connected panel, of another one, or all panels. */
    async openAt(panelId: string, path: string): Promise<void> {
      if (panelId === switchboard.currentId || path.startsWith('/desktop/')) window.show(path);
      else if (panelId !== LOCAL && store.find(panelId) === undefined) window.show(HOME_PAGE);
      else await use(panelId, path);
    },
    /** Locks; without a passphrase it shows the page on which to set one. */
    lock(): void {
      if (lock.isSet()) lock.lock();
      else window.show('/desktop/lock?set=');
    },
    /** Connects to the panel used last, and returns the first page. */
    async first(): Promise<string> {
      const page = firstPage();
      const home = store.find(preferences.read().home ?? LOCAL)?.id ?? LOCAL;
      if (page !== WELCOME_PAGE) await switchboard.use(home).catch(() => undefined);
      return page;
    },
    /** A second start, or a link: shows the window, at the link's page if there is one. */
    open: (link: string | null): void => window.show(...pageOf(link, preferences.read().home !== null)),
  };
}
export type Navigation = ReturnType<typeof createNavigation>;

/** The page of a system link; none = the current one. */
function pageOf(link: string | null, hasPanel: boolean): [string?] {
  const read = link === null ? null : readDeepLink(link);
  if (read === null) return [];
  // Before the first choice of a panel there is no page to open.
  if (read.kind === 'open') return hasPanel ? [read.path] : [];
  const query = new URLSearchParams({ add: read.url, name: read.name });
  return [`${CONNECTIONS_PAGE}?${query.toString()}`];
}
