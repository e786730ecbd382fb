import { expect, it, onTestFinished } from 'vitest';
import type { PanelTarget } from '../../panels/messages.ts';
import { target } from '../../panels/testing-target.ts';
import { createMaintenanceSchedule } from './schedule.ts';

it('remote panels wait while this computer has no network, as after sleep: all of them would fail', async () => {
  let isOnline = false;
  const pulled: string[] = [];
  const place = { pid: 1, socket: '/s', panel: 'http://127.0.0.1/', sub: '' };
  const targets: PanelTarget[] = [{ kind: 'local', place }, target('far', 'https://far.example/')];
  const schedule = createMaintenanceSchedule({
    files: {
      backupsFile: { read: () => ({ isOn: true, atMin: 0, ownAtMin: {}, off: [] }) },
      reachabilityFile: { read: () => ({ isOn: false }) },
    },
    keys: { state: async () => 'system' },
    known: { read: () => ({ entries: [], failures: [], latest: {} }) },
    tasks: { isRunning: () => false },
    starts: { pull: (id: string) => pulled.push(id) },
    targets: async () => targets,
    isOnline: () => isOnline,
  } as unknown as Parameters<typeof createMaintenanceSchedule>[0]);
  onTestFinished(() => schedule.close());
  await schedule.look();
  expect(pulled).toEqual(['local']);
  isOnline = true;
  await schedule.look();
  expect(pulled).toEqual(['local', 'local', 'far']);
});
