import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import type { ServerStatus } from '../../src-server/domains/server/contract.ts';
import { makeSelfSigned } from '../../src-server/testing/peers/self-signed.ts';
import { admin } from '../harness/panel-process.ts';
import { waitFor } from '../harness/wait-for.ts';
import { openDesktop } from './application/electron.ts';
import { expectAccessible } from '../ui/browser.ts';
import { fetchFromPanel, useThisComputer } from './application/steps.ts';
import { listening, portOf } from '../../src-server/testing/peers/local-server.ts';

const desktop = forAllTests(openDesktop);

const panelPid = async (page: Page): Promise<number> =>
  (await fetchFromPanel<ServerStatus>(page, '/panel/api/server/status')).appStats.pid;

/** Kills the panel's process and waits until another one answers, or none. */
async function killPanel(page: Page): Promise<void> {
  const pid = await panelPid(page);
  process.kill(pid, 'SIGKILL');
  await waitFor('another panel process', async () => {
    const { kind } = await page.evaluate(() => globalThis.desktop.server.state());
    return kind === 'failed' || (kind === 'running' && (await panelPid(page)) !== pid);
  });
}

describe('a panel that ends', () => {
  it('is restarted; after three crashes in a minute a page shows why and starts it again', async () => {
    const { page, quit } = await desktop.launch();
    await useThisComputer(page);
    await killPanel(page);
    await page.getByText('The panel does not answer', { exact: true }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe('/panel');
    await killPanel(page);
    await killPanel(page);
    await page.getByRole('heading', { name: 'The panel of this computer stopped' }).waitFor();
    await page.getByText('It stopped three times within a minute').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('The core is running').waitFor();
    await quit();
  });
});

describe('a window that is opened again', () => {
  it('begins with the first choice while none was made, and with the reason once the panel has given up', async () => {
    const { app, page: first, dataDir, quit } = await desktop.launch();
    await first.evaluate(async () => {
      const { hasUpdater: _, ...choices } = await globalThis.desktop.shell.choices();
      await globalThis.desktop.shell.setChoices({ ...choices, onClose: 'tray' });
    });
    const openAgain = async (): Promise<Page> => {
      await waitFor('the window to go', async () => app.windows().length === 0);
      const opened = app.waitForEvent('window');
      await desktop.startAgain(dataDir);
      return opened;
    };
    const close = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await first.getByRole('heading', { name: 'Welcome to Switchyard' }).waitFor();
    await close();
    const second = await openAgain();
    await useThisComputer(second);
    await killPanel(second);
    await killPanel(second);
    const pid = await panelPid(second);
    await close();
    await waitFor('the window to go', async () => app.windows().length === 0);
    process.kill(pid, 'SIGKILL');
    const third = await openAgain();
    await third.getByRole('heading', { name: 'The panel of this computer stopped' }).waitFor();
    await quit();
  });
});

describe('web settings that lock out all others', () => {
  let holder: Server;
  beforeAll(async () => {
    holder = createServer();
    await listening(holder);
  });
  afterAll(() => void holder.close());

  it('do not lock out the window: taken port, broken certificate, other base path, foreign domain', async () => {
    const first = await desktop.launch();
    await useThisComputer(first.page);
    await first.quit();
    const pair = makeSelfSigned();
    const [certificate, key] = [join(first.dataDir, 'cert.pem'), join(first.dataDir, 'key.pem')];
    await Promise.all([writeFile(certificate, pair.certPem), writeFile(key, pair.keyPem)]);
    const settings = {
      webDomain: 'panel.example.com',
      webBasePath: '/hidden/',
      webCertFile: certificate,
      webKeyFile: key,
    };
    await admin(first.dataDir, 'settings', 'set', ...Object.entries(settings).map(([key, value]) => `${key}=${value}`));
    await writeFile(certificate, 'no certificate any more');
    const port = portOf(holder);
    const { page, quit } = await desktop.launch({ dataDir: first.dataDir, args: [`--port=${port}`] });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByText('The core is running').waitFor();
    const status = await fetchFromPanel<ServerStatus>(page, '/panel/api/server/status');
    expect(status.web.problem).toContain('EADDRINUSE');
    await page.goto('app://panel/panel/clients');
    await page.getByRole('heading', { name: 'Clients' }).waitFor();
    await quit();
  });
});
