import type { MaintenanceTask } from '../../bridge/maintenance.ts';
import type { BackupKeys } from '../../panels/backups/backup-keys.ts';
import type { MaintenanceHost } from '../../panels/maintenance/maintenance-host.ts';
import type { Running, Tasks } from '../../panels/maintenance/tasks.ts';
import type { KnownFacts } from '../known-facts.ts';
import type { MaintenanceFiles } from './files.ts';

interface MaintenanceTasksDeps {
  tasks: Tasks;
  host: MaintenanceHost;
  keys: BackupKeys;
  files: Pick<MaintenanceFiles, 'backupsFile' | 'reachabilityFile'>;
  known: KnownFacts;
  nameOf: (id: string) => string;
  /** A trial of a panel was made: it is in the history. */
  onTried: () => void;
}

/** The tasks that are started on panels; the data shown for panels is read again after each. */
export function createMaintenanceTasks({ tasks, host, keys, files, known, nameOf, onTried }: MaintenanceTasksDeps) {
  async function pullNow(panelId: string, running: Running): Promise<void> {
    await keys.ready();
    await host.keyChanged();
    const name = nameOf(panelId);
    await host
      .request('pull', { panelId, name, keep: files.backupsFile.read().keep }, running)
      .finally(known.learnQuietly);
  }

  const pulls = new Map<string, { id: number; ended: Promise<void> }>();

  /** Starts pulling a backup. One of a panel at a time: a second request joins the first. */
  function pull(panelId: string): { id: number; ended: Promise<void> } {
    const under = pulls.get(panelId);
    if (under !== undefined) return under;
    let pulled = Promise.resolve();
    const id = tasks.begin('pull', panelId, (running) => (pulled = pullNow(panelId, running)));
    const begun = { id, ended: pulled.finally(() => pulls.delete(panelId)) };
    pulls.set(panelId, begun);
    // Failures are shown with the task.
    begun.ended.catch(() => undefined);
    return begun;
  }

  return {
    /** Starts a task. @returns its id, at once */
    begin: (kind: MaintenanceTask['kind'], panelId: string, work: (running: Running) => Promise<unknown>): number =>
      tasks.begin(kind, panelId, (running) => work(running).finally(known.learnQuietly)),
    /** Starts pulling a backup. @returns the task's id */
    pull: (panelId: string): number => pull(panelId).id,
    /** Starts a trial of a panel's inbounds. @returns the task's id */
    tryPanel(panelId: string): number {
      return tasks.begin('vantage', panelId, async (running) => {
        const { downloadUrl, addressUrl, clients } = files.reachabilityFile.read();
        const params = { panelId, downloadUrl, addressUrl, client: clients[panelId] ?? '' };
        await host.request('vantage', params, running).finally(known.learnQuietly);
        onTried();
      });
    },
    /** Pulls a backup now, as a task like any other. @throws {Error} when it fails, or is cancelled */
    backUp: (panelId: string): Promise<void> => pull(panelId).ended,
  };
}
export type MaintenanceTasks = ReturnType<typeof createMaintenanceTasks>;
