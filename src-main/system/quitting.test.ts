import { expect, it, vi } from 'vitest';
import type { JsonFile } from '../preferences/json-file.ts';
import { FIRST_PREFERENCES, type Preferences } from '../preferences/preferences.ts';
import { textsFor } from '../texts/texts.ts';
import { createQuitting } from './quitting.ts';

const KEEP_RUNNING = 0;
const exit = vi.hoisted(() => vi.fn());
vi.mock('electron', () => ({
  app: { on: vi.fn(), quit: vi.fn(), exit },
  dialog: { showMessageBox: async () => ({ response: KEEP_RUNNING }) },
}));

it('the application ends, also when its panel could not be stopped', async () => {
  const quitting = createQuitting({
    texts: textsFor('en'),
    preferences: { read: () => FIRST_PREFERENCES, write: async () => undefined },
    closeWindow: () => undefined,
    mayLeave: async () => true,
    runningJobs: async () => [],
    stop: () => Promise.reject(new Error('the processes of this system cannot be listed')),
  });
  await quitting.now().catch(() => undefined);
  expect(exit).toHaveBeenCalledWith(0);
});

it('the window closes as was chosen, also when the disk does not take the choice', async () => {
  const closeWindow = vi.fn();
  const preferences: JsonFile<Preferences> = {
    read: () => FIRST_PREFERENCES,
    write: async () => Promise.reject(new Error('ENOSPC: no space left on device')),
  };
  const quitting = createQuitting({
    texts: textsFor('en'),
    preferences,
    closeWindow,
    mayLeave: async () => true,
    runningJobs: async () => [],
    stop: async () => undefined,
  });
  await quitting.requestClose();
  expect(closeWindow).toHaveBeenCalledOnce();
});
