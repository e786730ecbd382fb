import type { Logger } from '../contract/logger.ts';
import type { PanelEvent } from '../contract/events.ts';
import type { CreateCoreOptions, LocalCore } from '../core/create-core.ts';
import type { ThisServer } from '../domains/servers/service.ts';
import type { findForeignUse } from '../net/port-probe.ts';
import type { Updater } from '../domains/panelUpdate/updater.ts';
import type { Lookup } from '../net/checked-address.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { ChangeFeed, Store } from '../store/open-store.ts';

export interface AppOptions {
  dataDir: string;
  /** The database of `dataDir`, when it is already being opened; the app closes it. */
  store?: Promise<Store>;
  /** This machine among the panels that share a database server; absent = this panel has the database to itself. */
  server?: ThisServer;
  /**
   * Another panel is active on the database: this one answers reads, serves its own inbounds, and changes nothing by
   * itself.
   */
  isStandby?: boolean;
  /** While on standby: the changes made by the active panel. */
  changes?: ChangeFeed;
  /** Folder of the files shipped with the product: `core/`. */
  resourcesDir: string;
  /** Folder of the built web interface; absent = the panel serves none. */
  webDir?: string;
  /** Executable of the core; null = look for one. */
  core: string | null;
  /** Settings from the command line, which win for this run. */
  overrides: { webListen?: string; subListen?: string; webPort?: number; subPort?: number };
  log: Logger;
  clock: () => number;
  /** Monotonic milliseconds; by default those of this process. */
  monotonic?: () => number;
  /** By default, the timers of this process. The app closes it. */
  schedule?: Scheduler;
  /** Makes the core; by default, one that runs on this machine. */
  createCore?: (options: CreateCoreOptions) => LocalCore;
  /** Resolves names to addresses; by default, this machine does. */
  lookup?: Lookup;
  /** Which other program of this machine holds a port; by default, found out by trying. */
  findForeignUse?: typeof findForeignUse;
  /** The operator asked to restart this process. */
  onRestart: () => void;
  isHstsAllowed: boolean;
  /** Absent = yes; false = other processes do it. */
  servesSubscriptions?: boolean;
  /** Socket or pipe of the window that depends on this panel ({@link ListenRequest}); null = none does. */
  windowSocket?: string | null;
  /** Receives every event, as the desktop window does. */
  onEvent?: (event: PanelEvent) => void;
  /** The updater of the desktop application; without it, a package may name a command in `PANEL_UPDATE_COMMAND`. */
  updater?: Updater;
}

/** What has to be closed, in the reverse order of opening. */
export type Closers = (() => Promise<void> | void)[];
