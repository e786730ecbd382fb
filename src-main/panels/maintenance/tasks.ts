import type { MaintenanceKind, MaintenanceTask } from '../../bridge/maintenance.ts';

/** How long an ended task is reported. */
const SHOWN_MS = 60_000;
/** Their failures are kept elsewhere; those of the others are reported until they were read: nothing else tells them. */
const KEPT_ELSEWHERE: ReadonlySet<MaintenanceKind> = new Set(['pull', 'vantage']);

/** What a running task is given: its signal to end, and where it reports progress (`total` 0 = unknown). */
export interface Running {
  signal: AbortSignal;
  onProgress: (done: number, total: number) => void;
}

/** Tasks on panels that are running or have just ended: the page may close and open meanwhile. */
export function createTasks(onChange: (tasks: MaintenanceTask[]) => void, clock: () => number) {
  let lastId = 0;
  const tasks = new Map<number, MaintenanceTask & { endedAtMs: number; ending: AbortController }>();

  function list(): MaintenanceTask[] {
    for (const [id, { endedAtMs, state, kind }] of tasks) {
      const isOld = endedAtMs > 0 && endedAtMs < clock() - SHOWN_MS;
      if (isOld && (state !== 'failed' || KEPT_ELSEWHERE.has(kind))) tasks.delete(id);
    }
    return [...tasks.values()].map(({ endedAtMs: _ended, ending: _ending, ...task }) => task);
  }

  return {
    list,
    /** Whether a task of this kind runs on a panel. */
    isRunning: (kind: MaintenanceKind, panelId: string): boolean =>
      [...tasks.values()].some((task) => task.kind === kind && task.panelId === panelId && task.state === 'running'),
    /** @returns its id, at once */
    begin(kind: MaintenanceKind, panelId: string, work: (running: Running) => Promise<unknown>): number {
      const id = (lastId += 1);
      const ending = new AbortController();
      const task = {
        id,
        kind,
        panelId,
        state: 'running' as MaintenanceTask['state'],
        done: 0,
        total: 0,
        words: '',
        endedAtMs: 0,
        ending,
      };
      tasks.set(id, task);
      const change = (part: Partial<MaintenanceTask>): void => {
        Object.assign(task, part);
        onChange(list());
      };
      const end = (state: MaintenanceTask['state'], words: string): void => {
        task.endedAtMs = clock();
        change({ state, words });
      };
      change({});
      work({ signal: ending.signal, onProgress: (done, total) => change({ done, total }) })
        .then(() => end('done', ''))
        .catch((error: unknown) => {
          if (ending.signal.aborted) end('cancelled', '');
          else end('failed', error instanceof Error ? error.message : String(error));
        });
      return id;
    },
    cancel: (id: number): void => tasks.get(id)?.ending.abort(new Error('cancelled')),
    /** No longer reports a task that has ended. */
    forget(id: number): void {
      if (tasks.get(id)?.state !== 'running') tasks.delete(id);
    },
  };
}
export type Tasks = ReturnType<typeof createTasks>;
