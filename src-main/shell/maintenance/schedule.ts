import { LOCAL } from '../../connections/connection.ts';
import type { BackupKeys } from '../../panels/backups/backup-keys.ts';
import { isDue } from '../../panels/backups/backup-schedule.ts';
import type { Tasks } from '../../panels/maintenance/tasks.ts';
import type { PanelTarget } from '../../panels/messages.ts';
import type { Known, KnownFacts } from '../known-facts.ts';
import type { MaintenanceFiles } from './files.ts';
import type { MaintenanceTasks } from './tasks.ts';

/** How often the schedules are checked. */
const LOOK_MS = 60_000;
const NOTHING_KNOWN: Known = { entries: [], failures: [], latest: {} };

interface MaintenanceScheduleDeps {
  files: Pick<MaintenanceFiles, 'backupsFile' | 'reachabilityFile'>;
  keys: BackupKeys;
  known: KnownFacts;
  tasks: Pick<Tasks, 'isRunning'>;
  starts: Pick<MaintenanceTasks, 'pull' | 'tryPanel'>;
  targets: () => Promise<PanelTarget[]>;
  /** False while no other computer can be reached. */
  isOnline: () => boolean;
}

/** The schedules of backups and of trials, checked every minute until it is closed. */
export function createMaintenanceSchedule(deps: MaintenanceScheduleDeps) {
  const { files, keys, known, tasks, starts, targets, isOnline } = deps;

  async function look(): Promise<void> {
    const backups = files.backupsFile.read();
    const reachability = files.reachabilityFile.read();
    if (!backups.isOn && !reachability.isOn) return;
    const nowMs = Date.now();
    if (known.read() === null) await known.learn();
    const { entries, failures, latest } = known.read() ?? NOTHING_KNOWN;
    const canSeal = (await keys.state()) !== 'none';
    for (const target of await targets()) {
      const id = target.kind === 'local' ? LOCAL : target.saved.id;
      // A stopped panel is neither backed up nor tried.
      if (target.kind === 'local' && target.place === null) continue;
      // After sleep, or a start at login, the network is not there at once.
      if (target.kind === 'remote' && !isOnline()) continue;
      const takenAtMs = entries.find(({ panelId }) => panelId === id)?.takenAtMs ?? 0;
      const failedAtMs = failures.find(({ panelId }) => panelId === id)?.atMs ?? 0;
      if (canSeal && !tasks.isRunning('pull', id) && isDue(id, backups, { takenAtMs, failedAtMs }, nowMs))
        starts.pull(id);
      const isStale = (latest[id]?.atMs ?? 0) <= nowMs - reachability.everyMin * 60_000;
      if (reachability.isOn && isStale && !reachability.off.includes(id) && !tasks.isRunning('vantage', id))
        starts.tryPanel(id);
    }
  }

  const looking = setInterval(() => void look().catch(() => undefined), LOOK_MS);

  return {
    /** Starts what is due. @throws {Error} when what is known cannot be read */
    look,
    close: (): void => clearInterval(looking),
  };
}
export type MaintenanceSchedule = ReturnType<typeof createMaintenanceSchedule>;
