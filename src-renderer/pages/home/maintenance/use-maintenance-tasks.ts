import { useEffect, useState } from 'react';
import type { MaintenanceKind, MaintenanceTask } from '../../../../src-main/bridge/maintenance.ts';
import { requireDesktop } from '../../../api/desktop.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';

/** Tasks whose end the page knows; it may be closed and opened meanwhile. */
const known = new Set<number>();

/**
 * Work on panels that is running or has just ended.
 * @param hasKind which kinds the page is about
 * @param onEnd called when work of these kinds ended, also for failures from while no such page was open
 */
export function useMaintenanceTasks(
  hasKind: (kind: MaintenanceKind) => boolean,
  onEnd: (task: MaintenanceTask) => void,
): readonly MaintenanceTask[] {
  const [tasks, setTasks] = useState<readonly MaintenanceTask[]>([]);
  useEffect(() => {
    const { maintenance } = requireDesktop();
    let isFirst = true;
    const take = (next: readonly MaintenanceTask[]): void => {
      setTasks(next);
      for (const task of next) {
        if (task.state === 'running' || !hasKind(task.kind) || known.has(task.id)) continue;
        known.add(task.id);
        if (!isFirst || task.state === 'failed') onEnd(task);
        if (task.state === 'failed') void maintenance.forget(task.id).catch(announceFailure);
      }
      isFirst = false;
    };
    void maintenance.tasks().then(take, announceFailure);
    return maintenance.onTasks(take);
  }, [hasKind, onEnd]);
  return tasks;
}
