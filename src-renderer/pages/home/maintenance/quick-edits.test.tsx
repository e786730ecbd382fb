import { Notifications, notifications } from '@mantine/notifications';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import type {
  BackupsChoices,
  BackupsView,
  MaintenanceTask,
  ReachabilityChoices,
} from '../../../../src-main/bridge/maintenance.ts';
import { renderPage } from '../../../testing/render-page.tsx';
import { BackupsPage } from '../backups/backups-page.tsx';
import { ReachabilityPage } from '../reachability/reachability-page.tsx';

const connections = { list: async () => [{ id: 'far', name: 'Far' }] };

afterEach(() => Reflect.deleteProperty(globalThis, 'desktop'));

/** A computer that keeps the choices, with a panel named Far. `respond` decides when a read arrives,
 * `stored` when a change is acknowledged. */
function keepBackups(
  respond: (view: BackupsView) => Promise<BackupsView> = async (view) => view,
  stored: Promise<void> = Promise.resolve(),
  tasks: MaintenanceTask[] = [],
) {
  let choices: BackupsChoices = {
    isOn: true,
    atMin: 21 * 60,
    off: [],
    ownAtMin: {},
    keep: { daily: 7, weekly: 4, monthly: 12 },
  };
  const heard: ((tasks: MaintenanceTask[]) => void)[] = [];
  const forgotten: number[] = [];
  const maintenance = {
    backups: () => respond({ entries: [], failures: [], key: 'system', choices }),
    setBackups: async (next: BackupsChoices) => {
      choices = next;
      await stored;
    },
    tasks: async () => tasks,
    forget: async (id: number) => void forgotten.push(id),
    onTasks: (listener: (tasks: MaintenanceTask[]) => void) => {
      heard.push(listener);
      return () => undefined;
    },
  };
  Object.assign(globalThis, { desktop: { connections, maintenance } });
  return {
    kept: () => choices,
    tell: (task: MaintenanceTask) => heard.forEach((listen) => listen([task])),
    forgotten,
  };
}

async function typeDays(text: string): Promise<HTMLElement> {
  const days = await screen.findByLabelText('Days kept');
  await userEvent.clear(days);
  await userEvent.type(days, text);
  return days;
}

it('a choice made before the page shows the one before it does not undo it', async () => {
  const { kept } = keepBackups();
  await renderPage(<BackupsPage />, {});
  const days = await typeDays('14');
  const time = screen.getByLabelText('From');
  fireEvent.change(time, { target: { value: '23:30' } });
  fireEvent.blur(days);
  fireEvent.keyDown(time, { key: 'Enter' });
  await waitFor(() => expect(kept()).toMatchObject({ atMin: 23 * 60 + 30, keep: { daily: 14 } }));
});

it('a choice is not undone by what was read before it was made', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let reads = 0;
  const { kept, tell } = keepBackups(
    async (view) => {
      if (++reads === 2) await held;
      return view;
    },
    new Promise(() => undefined),
  );
  await renderPage(<BackupsPage />, {});
  const days = await typeDays('14');
  await screen.findByRole('button', { name: 'Back up Far now' });
  tell({ id: 1, kind: 'pull', panelId: 'far', state: 'done', done: 1, total: 1, words: '' });
  await vi.waitFor(() => expect(reads).toBe(2));
  fireEvent.blur(days);
  await waitFor(() => expect(kept().keep.daily).toBe(14));
  release();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const time = screen.getByLabelText('From');
  fireEvent.change(time, { target: { value: '23:30' } });
  fireEvent.keyDown(time, { key: 'Enter' });
  await waitFor(() => expect(kept()).toMatchObject({ atMin: 23 * 60 + 30, keep: { daily: 14 } }));
});

it('a restore that failed while the page was closed is told when it opens, once, also after a reload', async () => {
  const ended = { kind: 'restore', panelId: 'far', done: 0, total: 0 } as const;
  const { forgotten } = keepBackups(undefined, undefined, [
    { ...ended, id: 7, state: 'done', words: '' },
    { ...ended, id: 8, state: 'failed', words: 'it is away' },
  ]);
  const page = (
    <>
      <Notifications />
      <BackupsPage />
    </>
  );
  await renderPage(page, {});
  expect(await screen.findByText('The panel was not restored: it is away')).toBeTruthy();
  expect(screen.queryByText('The panel was restored and is restarting.')).toBeNull();
  cleanup();
  notifications.clean();
  await renderPage(page, {});
  await screen.findByLabelText('Days kept');
  expect(screen.queryByText('The panel was not restored: it is away')).toBeNull();
  // Nothing in the window survives a reload: the desktop application no longer reports it.
  expect(forgotten).toEqual([8]);
});

it('a client to try with is kept when the panel is taken off the schedule at once', async () => {
  let choices: ReachabilityChoices = {
    isOn: true,
    everyMin: 60,
    downloadUrl: 'https://a.example/',
    addressUrl: '',
    off: [],
    clients: {},
  };
  const maintenance = {
    reachability: async () => ({ choices, latest: {} }),
    setReachability: async (next: ReachabilityChoices) => {
      choices = next;
    },
    tasks: async () => [],
    onTasks: () => () => undefined,
  };
  Object.assign(globalThis, { desktop: { connections, maintenance } });
  await renderPage(<ReachabilityPage />, {});
  const client = await screen.findByRole('textbox', { name: /Far/ });
  fireEvent.change(client, { target: { value: 'sara' } });
  fireEvent.blur(client);
  fireEvent.click(screen.getByRole('button', { pressed: true }));
  await waitFor(() => expect(choices).toMatchObject({ clients: { far: 'sara' }, off: ['far'] }));
});
