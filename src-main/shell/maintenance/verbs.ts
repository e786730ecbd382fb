import { join } from 'node:path';
import { app, dialog } from 'electron';
import type { BackupKeyState, MaintenanceVerbs } from '../../bridge/maintenance.ts';
import type { BackupKeys } from '../../panels/backups/backup-keys.ts';
import type { MaintenanceHost } from '../../panels/maintenance/maintenance-host.ts';
import type { Tasks } from '../../panels/maintenance/tasks.ts';
import type { KnownFacts } from '../known-facts.ts';
import type { MaintenanceFiles } from './files.ts';
import type { MaintenanceSchedule } from './schedule.ts';
import type { MaintenanceTasks } from './tasks.ts';

interface MaintenanceVerbsDeps {
  files: Pick<MaintenanceFiles, 'backupsFile' | 'reachabilityFile'>;
  host: MaintenanceHost;
  keys: BackupKeys;
  known: KnownFacts;
  tasks: Tasks;
  starts: MaintenanceTasks;
  schedule: MaintenanceSchedule;
  nameOf: (id: string) => string;
}

/** What the page can ask for: backups, their key, trials, and the tasks that run. */
export function createMaintenanceVerbs(deps: MaintenanceVerbsDeps) {
  const { files, host, keys, known, tasks, starts, schedule, nameOf } = deps;
  return {
    backups: async () => ({
      ...(await host.request('backups', null)),
      choices: files.backupsFile.read(),
      key: (await keys.state()) satisfies BackupKeyState,
    }),
    setBackups: async (choices) => {
      await files.backupsFile.write({ ...choices });
      await known.learn();
      void schedule.look().catch(() => undefined);
    },
    usePassphrase: async (passphrase) => {
      await keys.usePassphrase(passphrase);
      await host.keyChanged();
      // Backups that arrived while they could not be opened are checked now.
      const { entries } = await host.request('backups', null);
      for (const { panelId, takenAtMs, state, checkedAtMs } of entries)
        if (state === 'unchecked' && checkedAtMs === 0)
          starts.begin('check', panelId, (running) => host.request('check', { panelId, takenAtMs }, running));
    },
    contents: (query) => host.request('contents', query),
    plan: (request) => host.request('plan', request),
    remove: async (backup) => {
      await host.request('remove', backup);
      await known.learn();
    },
    pull: async (panelId) => starts.pull(panelId),
    check: async (backup) => starts.begin('check', backup.panelId, (running) => host.request('check', backup, running)),
    exportTo: async (backup) => {
      const name = `${nameOf(backup.panelId).replaceAll(/[^\p{L}\p{N}._-]+/gu, '-') || 'panel'}.db`;
      const { filePath, canceled } = await dialog.showSaveDialog({ defaultPath: join(app.getPath('downloads'), name) });
      if (canceled || filePath === undefined || filePath === '') return null;
      return starts.begin('export', backup.panelId, (running) =>
        host.request('export', { ...backup, file: filePath }, running),
      );
    },
    restore: async (request) =>
      starts.begin('restore', request.toId, (running) => host.request('restore', request, running)),
    restoreParts: async (request) =>
      starts.begin('parts', request.toId, (running) => host.request('parts', request, running)),
    reachability: async () => ({ choices: files.reachabilityFile.read(), latest: await host.request('latest', null) }),
    setReachability: async (choices) => {
      await files.reachabilityFile.write({ ...choices });
      await known.learn();
      void schedule.look().catch(() => undefined);
    },
    tryPanel: async (panelId) => starts.tryPanel(panelId),
    runs: (panelId) => host.request('runs', panelId),
    cancel: async (id) => tasks.cancel(id),
    forget: async (id) => tasks.forget(id),
    tasks: async () => tasks.list(),
  } satisfies Omit<MaintenanceVerbs, 'onTasks'>;
}
