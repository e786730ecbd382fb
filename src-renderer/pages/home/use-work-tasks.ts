import { useEffect, useState } from 'react';
import type { WorkTask } from '../../../src-main/bridge/panel-work.ts';
import { requireDesktop } from '../../api/desktop.ts';
import { announceFailure } from '../../ui/notices/announce.ts';

/** Work on panels that runs or has just ended. @param onEnd some work ended */
export function useWorkTasks(onEnd: (task: WorkTask) => void): readonly WorkTask[] {
  const [tasks, setTasks] = useState<readonly WorkTask[]>([]);
  const [ended] = useState(() => new Set<number>());
  useEffect(() => {
    const { work } = requireDesktop();
    let isFirst = true;
    const take = (next: readonly WorkTask[]): void => {
      setTasks(next);
      for (const task of next) {
        if (task.state === 'running' || ended.has(task.id)) continue;
        ended.add(task.id);
        if (!isFirst) onEnd(task);
      }
      isFirst = false;
    };
    void work.tasks().then(take, announceFailure);
    return work.onTasks(take);
  }, [onEnd, ended]);
  return tasks;
}
