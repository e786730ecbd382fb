import { useEffect, useState } from 'react';
import type { MaintenanceTask } from '../../../../src-main/bridge/maintenance.ts';
import { requireDesktop } from '../../../api/desktop.ts';
import { announceFailure } from '../../../ui/notices/announce.ts';

/** Work on panels that is running or has just ended. @param onEnd called when some work ended */
export function useMaintenanceTasks(onEnd: (task: MaintenanceTask) => void): readonly MaintenanceTask[] {
  const [tasks, setTasks] = useState<readonly MaintenanceTask[]>([]);
  const [ended] = useState(() => new Set<number>());
  useEffect(() => {
    const { maintenance } = requireDesktop();
    let isFirst = true;
    const take = (next: readonly MaintenanceTask[]): void => {
      setTasks(next);
      for (const task of next) {
        if (task.state === 'running' || ended.has(task.id)) continue;
        ended.add(task.id);
        if (!isFirst) onEnd(task);
      }
      isFirst = false;
    };
    void maintenance.tasks().then(take, announceFailure);
    return maintenance.onTasks(take);
  }, [onEnd, ended]);
  return tasks;
}
