import { expect, it, vi } from 'vitest';
import type { JsonFile } from '../preferences/json-file.ts';
import { FIRST_PREFERENCES, type Preferences } from '../preferences/preferences.ts';
import { textsFor } from '../texts/texts.ts';
import { createQuitting } from './quitting.ts';

const KEEP_RUNNING = 0;
vi.mock('electron', () => ({
  app: { on: vi.fn(), quit: vi.fn(), exit: vi.fn() },
  dialog: { showMessageBox: async () => ({ response: KEEP_RUNNING }) },
}));

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
  await quitting.closeAsked();
  expect(closeWindow).toHaveBeenCalledOnce();
});
