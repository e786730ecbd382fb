import { useEffect, useState } from 'react';
import type { HereTask } from '../../../src-main/bridge/here.ts';
import { requireDesktop } from '../../api/desktop.ts';
import { announceFailure } from '../../ui/notices/announce.ts';

/** Work on panels that runs or has just ended. @param onEnd some work ended */
export function useHereTasks(onEnd: (task: HereTask) => void): readonly HereTask[] {
  const [tasks, setTasks] = useState<readonly HereTask[]>([]);
  const [ended] = useState(() => new Set<number>());
  useEffect(() => {
    const { here } = requireDesktop();
    let isFirst = true;
    const take = (next: readonly HereTask[]): void => {
      setTasks(next);
      for (const task of next) {
        if (task.state === 'running' || ended.has(task.id)) continue;
        ended.add(task.id);
        if (!isFirst) onEnd(task);
      }
      isFirst = false;
    };
    void here.tasks().then(take, announceFailure);
    return here.onTasks(take);
  }, [onEnd, ended]);
  return tasks;
}
