import { expect, it, vi } from 'vitest';
import { createTasks } from '../../panels/maintenance/tasks.ts';
import { createMaintenanceTasks } from './tasks.ts';

function open() {
  const requested: string[] = [];
  const pending: { resolve: () => void; fail: (error: Error) => void }[] = [];
  const host = {
    keyChanged: async () => undefined,
    request: (_verb: string, { panelId }: { panelId: string }) => {
      requested.push(panelId);
      return new Promise<void>((resolve, reject) => pending.push({ resolve, fail: reject }));
    },
  };
  const starts = createMaintenanceTasks({
    tasks: createTasks(() => undefined, Date.now),
    host,
    keys: { ready: async () => undefined },
    files: { backupsFile: { read: () => ({ keep: { daily: 1, weekly: 0, monthly: 0 } }) } },
    known: { learnQuietly: () => undefined },
    nameOf: (id: string) => id,
    onTried: () => undefined,
  } as unknown as Parameters<typeof createMaintenanceTasks>[0]);
  return { starts, requested, pending };
}

it('a second backup of a panel joins the one under way: they would take each other’s file away', async () => {
  const { starts, requested, pending } = open();
  const first = starts.pull('a');
  expect(starts.pull('a')).toBe(first);
  const joined = starts.backUp('a');
  expect(starts.pull('b')).not.toBe(first);
  await vi.waitUntil(() => requested.length === 2);
  expect(requested).toEqual(['a', 'b']);
  pending[0]!.fail(new Error('it is away'));
  await expect(joined).rejects.toThrow('it is away');
  expect(starts.pull('a')).not.toBe(first);
});

it('a restore that failed is still reported when the page is opened much later', async () => {
  let nowMs = 1;
  const tasks = createTasks(
    () => undefined,
    () => nowMs,
  );
  tasks.begin('restore', 'a', () => Promise.reject(new Error('it is away')));
  tasks.begin('pull', 'a', () => Promise.reject(new Error('it is away')));
  tasks.begin('restore', 'b', () => Promise.resolve());
  await vi.waitUntil(() => tasks.list().every(({ state }) => state !== 'running'));
  nowMs += 3_600_000;
  expect(tasks.list()).toMatchObject([{ kind: 'restore', panelId: 'a', state: 'failed', words: 'it is away' }]);
  tasks.forget(tasks.list()[0]!.id);
  expect(tasks.list()).toEqual([]);
});
