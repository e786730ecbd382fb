import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import { isAlive } from '../../src-server/testing/is-alive.ts';
import { waitFor } from '../harness/wait-for.ts';
import { openDesktop } from './application/electron.ts';
import { fetchFromPanel } from './application/steps.ts';

/** Starting a process is slow on a busy machine. */
const PATIENCE_MS = 60_000;

const desktop = forAllTests(openDesktop);

const statusOf = (page: Page): Promise<{ pid: number }> => fetchFromPanel(page, '/panel/api/server/status');

it('runs its panel in a utility process: ready, restart on request, crash, stop', async () => {
  const env = { PANEL_NODE: '', PANEL_ENTRY: join(import.meta.dirname, 'compat/stand-in-panel.cjs') };
  const { page, app, quit } = await desktop.launch({ env });
  await page.getByRole('button', { name: 'Use this computer' }).click();
  await waitFor(
    'the credentials',
    async () => (await page.getByLabel('Password').first().inputValue()) === 'shown once',
  );
  const first = await statusOf(page);
  expect(first.pid).not.toBe(app.process().pid);

  await app.evaluate(({ powerMonitor }) => void powerMonitor.emit('suspend'));
  const second = await waitFor(
    'the restarted panel',
    async () => {
      const now = await statusOf(page);
      return now.pid !== first.pid && now;
    },
    PATIENCE_MS,
  );
  process.kill(second.pid, 'SIGKILL');
  const third = await waitFor(
    'the panel after a crash',
    async () => {
      const now = await statusOf(page);
      return now.pid !== second.pid && now;
    },
    PATIENCE_MS,
  );
  await quit();
  // The application learns of the exit by a closed pipe; the system may remove the process a moment later.
  await waitFor('the end of the panel', () => !isAlive(third.pid));
});
