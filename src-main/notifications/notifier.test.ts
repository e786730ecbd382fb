import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';
import { textsFor } from '../texts/texts.ts';
import { createNotifier } from './notifier.ts';

const shown: WeakRef<object>[] = [];
vi.mock('electron', () => ({
  Notification: class {
    static isSupported = () => true;
    on = () => undefined;
    show(): void {
      shown.push(new WeakRef(this));
    }
  },
}));

/** Collects garbage, as it happens at any time. */
async function collect(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  // What was looked at in this turn is kept until its end.
  await new Promise((resolve) => setTimeout(resolve));
  gc();
}

it('keeps a shown notification: Electron takes no click on one that is collected as garbage', async () => {
  const notifier = createNotifier({
    texts: textsFor('en'),
    isEnabled: () => true,
    isWatched: () => false,
    connectedId: () => 'local',
    open: () => undefined,
  });
  notifier.say('The panel stopped', '', '/desktop/stopped');
  await collect();
  expect(shown.map((each) => each.deref() !== undefined)).toEqual([true]);
});
