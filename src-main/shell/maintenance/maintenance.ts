import { join } from 'node:path';
import type { MaintenanceTask } from '../../bridge/maintenance.ts';
import { systemKeyStore } from '../../connections/key-store.ts';
import { createBackupKeys } from '../../panels/backups/backup-keys.ts';
import type { PanelTarget } from '../../panels/messages.ts';
import { createTasks } from '../../panels/maintenance/tasks.ts';
import { createMaintenanceHost } from '../../panels/maintenance/maintenance-host.ts';
import { chooseMaintenanceRuntime } from '../../supervisor/choose-runtime.ts';
import { createKnownFacts } from '../known-facts.ts';
import { openMaintenanceFiles } from './files.ts';
import { createMaintenanceSchedule } from './schedule.ts';
import { createMaintenanceTasks } from './tasks.ts';
import { createMaintenanceVerbs } from './verbs.ts';

interface MaintenanceDeps {
  /** Folder of the window's files. */
  folder: string;
  dataDir: string;
  resourcesDir: string;
  /** Core named at the start; empty = none. */
  core: string;
  entry: string;
  targets: () => Promise<PanelTarget[]>;
  /** False while no other computer can be reached. */
  isOnline: () => boolean;
  dataKey: () => Promise<{ key: string; isKept: boolean }>;
  nameOf: (id: string) => string;
  send: (tasks: MaintenanceTask[]) => void;
  /** This computer's own data on panels changed. */
  onFacts: () => void;
}

export type Maintenance = ReturnType<typeof createMaintenance>;

/** Backups of all panels, and trials of their inbounds from here: schedules, keys, and the page's calls. */
export function createMaintenance(deps: MaintenanceDeps) {
  const { folder, send, targets } = deps;
  const files = openMaintenanceFiles(folder);
  /** Without a key store, the history of trials is only in the process's memory, so the process stays. */
  let isUnkept = false;
  let isHistoryInMemory = false;
  const keys = createBackupKeys(systemKeyStore, files.keyFile, () => host.request('newKey', null));
  const host = createMaintenanceHost({
    runtime: chooseMaintenanceRuntime(deps.entry),
    opening: async () => {
      const { key, isKept } = await deps.dataKey();
      isUnkept = !isKept;
      return {
        type: 'open',
        backups: join(folder, 'backups'),
        history: isKept ? join(folder, 'panels-vantage.db') : null,
        dataKey: key,
        core: { dataDir: deps.dataDir, resourcesDir: deps.resourcesDir, named: deps.core },
      };
    },
    key: () => keys.known(),
    targets,
    mayRest: () => !isHistoryInMemory,
  });
  const tasks = createTasks(send, Date.now);

  const known = createKnownFacts(host, deps.onFacts);
  const starts = createMaintenanceTasks({
    tasks,
    host,
    keys,
    files,
    known,
    nameOf: deps.nameOf,
    onTried: () => (isHistoryInMemory = isUnkept),
  });
  const schedule = createMaintenanceSchedule({ files, keys, known, tasks, starts, targets, isOnline: deps.isOnline });

  return {
    calls: createMaintenanceVerbs({ files, host, keys, known, tasks, starts, schedule, nameOf: deps.nameOf }),
    /** Pulls a backup now, as a task like any other. @throws {Error} when it fails, or is cancelled */
    backUp: starts.backUp,
    /** Null: unknown yet. */
    factsOf: known.factsOf,
    /** Loads stored data, and starts what fell due meanwhile. */
    async start(): Promise<void> {
      if (files.backupsFile.read().isOn || files.reachabilityFile.read().isOn || files.keyFile.read().recipient !== '')
        await known.learn().catch(() => undefined);
      await schedule.look().catch(() => undefined);
    },
    /** The names of running work, for the question before quitting. */
    running: (): MaintenanceTask[] => tasks.list().filter(({ state }) => state === 'running'),
    close(): void {
      schedule.close();
      host.close();
    },
  };
}
