import type { Logger } from '../contract/logger.ts';
import type { PanelEvent } from '../contract/events.ts';
import type { CreateCoreOptions, LocalCore } from '../core/create-core.ts';
import type { ThisServer } from '../domains/servers/service.ts';
import type { findForeignUse } from '../domains/inbounds/ports/port-probe.ts';
import type { Updater } from '../domains/panelUpdate/updater.ts';
import type { Lookup } from '../net/checked-address.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import type { ChangeFeed, Store } from '../store/open-store.ts';

export interface AppOptions {
  dataDir: string;
  /** The database of `dataDir`, when opening it has begun already; the app closes it. */
  store?: Promise<Store>;
  /** This machine among the panels that share a database on a server; absent = this panel has its database for itself. */
  server?: ThisServer;
  /** Another panel is active on the database: this one answers reads, serves inbounds of its own, and changes nothing by itself. */
  isStandby?: boolean;
  /** While it stands by: what the active panel changes for it. */
  changes?: ChangeFeed;
  /** Folder of what comes with the product: `core/`. */
  resourcesDir: string;
  /** Folder of the built web interface; absent = the panel serves none. */
  webDir?: string;
  /** Executable of the core; null = look for one. */
  core: string | null;
  /** Settings that win for this run, from the command line. */
  overrides: { webListen?: string; subListen?: string; webPort?: number; subPort?: number };
  log: Logger;
  clock: () => number;
  /** Ms that only ever grow; by default those of this process. */
  monotonic?: () => number;
  /** By default with the timers of this process. The app closes it. */
  schedule?: Scheduler;
  /** Makes the core; by default the one that runs on this machine. */
  createCore?: (options: CreateCoreOptions) => LocalCore;
  /** Finds the addresses of a name; by default this machine does. */
  lookup?: Lookup;
  /** Which other program of this machine has a port; by default it is tried. */
  findForeignUse?: typeof findForeignUse;
  /** The operator asked for a new start of this process. */
  onRestart: () => void;
  isHstsAllowed: boolean;
  /** Absent = yes; no = other processes do. */
  servesSubscriptions?: boolean;
  /** Socket or pipe of the window that depends on this panel ({@link ListenRequest}); null = none does. */
  windowSocket?: string | null;
  /** Hears every event, as the window of this computer does. */
  onEvent?: (event: PanelEvent) => void;
  /** The updater of the desktop application; without it a package may name a command in `PANEL_UPDATE_COMMAND`. */
  updater?: Updater;
}

/** What has to be closed, in the reverse order of being opened. */
export type Closers = (() => Promise<void> | void)[];
