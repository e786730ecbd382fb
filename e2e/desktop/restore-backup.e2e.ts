import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { expect, it } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import type { ServerStatus } from '../../src-server/domains/server/contract.ts';
import { freePort } from '../../src-server/testing/free-port.ts';
import { admin } from '../harness/panel-process.ts';
import { waitFor } from '../harness/wait-for.ts';
import { openDesktop } from './application/electron.ts';
import { expectAccessible } from '../ui/browser.ts';
import { fetchFromPanel, useThisComputer } from './application/steps.ts';

let dataDir: string;
const desktop = forAllTests(openDesktop);

const panelPid = async (page: Page): Promise<number> =>
  (await fetchFromPanel<ServerStatus>(page, '/panel/api/server/status')).appStats.pid;

async function crashLoop(page: Page): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    const pid = await panelPid(page);
    process.kill(pid, 'SIGKILL');
    await waitFor('another panel process', async () => {
      const { kind } = await page.evaluate(() => globalThis.desktop.server.state());
      return kind === 'failed' || (kind === 'running' && (await panelPid(page)) !== pid);
    });
  }
}

it('a panel that does not start restores a backup from its page, after its name was typed', async () => {
  const first = await desktop.launch();
  ({ dataDir } = first);
  await useThisComputer(first.page);
  await admin(dataDir, 'settings', 'set', 'pageSize=33');
  await first.quit();
  const [backup = ''] = (await readdir(join(dataDir, 'backups'))).filter((name) => name.endsWith('-stop.db'));
  await admin(dataDir, 'settings', 'set', 'pageSize=44');

  const { page, quit } = await desktop.launch({ dataDir });
  await page.getByText('The core is running').waitFor();
  await expect(page.evaluate((name) => globalThis.desktop.server.restore(name), backup)).rejects.toThrow(/not failed/);
  await expect(page.evaluate(() => globalThis.desktop.server.restore('../panel.db'))).rejects.toThrow(/something else/);
  await crashLoop(page);
  await page.getByRole('heading', { name: 'Restore a backup' }).waitFor();
  await expectAccessible(page);
  const action = page.getByRole('button', { name: 'Restore and start' });
  await page.getByRole('combobox', { name: 'Backup' }).selectOption(backup);
  expect(await action.isDisabled()).toBe(true);
  await page.getByRole('textbox', { name: `Type ${backup}` }).fill(backup);
  await action.click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByText('The core is running').waitFor();
  expect(await admin(dataDir, 'settings', 'get', 'pageSize')).toContain('33');
  await quit();
  // A later start is an ordinary one.
  expect(await admin(dataDir, 'settings', 'set', 'pageSize=55').then(() => 'set')).toBe('set');
});

it('at the end of a session application and panel end without a question, even with a running job', async () => {
  const { app, page } = await desktop.launch({ dataDir });
  await page.getByText('The core is running').waitFor();
  expect(await admin(dataDir, 'settings', 'get', 'pageSize')).toContain('55');
  // A question that nobody answers.
  await app.evaluate(({ dialog }) => void (dialog.showMessageBox = () => new Promise(() => undefined)));
  const csrf = await fetchFromPanel<string>(page, '/csrf-token');
  await page.evaluate(
    async ([token, port]) => {
      const headers = {
        'content-type': 'application/json',
        'x-csrf-token': token,
        'x-requested-with': 'XMLHttpRequest',
      };
      const post = (path: string, body: unknown): Promise<Response> =>
        fetch(`/panel/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const added = await post('inbounds/add', {
        enable: true,
        remark: 'Home',
        listen: '127.0.0.1',
        port,
        protocol: 'vless',
        settings: { decryption: 'none', encryption: 'none' },
        streamSettings: { network: 'tcp', security: 'none' },
      });
      const { id } = ((await added.json()) as { obj: { id: number } }).obj;
      const clients = Array.from({ length: 40_000 }, (_, index) => ({
        client: { email: `job-${index}`, enable: true },
        inboundIds: [id],
      }));
      void post('clients/bulkCreate', clients).catch(() => undefined);
    },
    [csrf, await freePort()] as const,
  );
  await waitFor('the job to run', async () =>
    (await fetchFromPanel<{ state: string }[]>(page, '/panel/api/jobs')).some(({ state }) => state === 'running'),
  );
  const pid = await panelPid(page);
  const ended = new Promise<void>((resolve) => app.once('close', () => resolve()));
  app.process().kill('SIGTERM');
  await ended;
  expect(() => process.kill(pid, 0)).toThrow();
});
