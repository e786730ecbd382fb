import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServerStatus } from '../../src-server/domains/server/contract.ts';
import type { Job } from '../../src-server/domains/jobs/contract.ts';
import { coreBinary } from '../harness/core/core-binary.ts';
import { waitFor } from '../harness/wait-for.ts';
import { openDesktop, type Desktop } from './application/electron.ts';
import { expectAccessible } from '../ui/browser.ts';
import { fetchFromPanel } from './application/steps.ts';
import { listening, portOf } from '../../src-server/testing/peers/local-server.ts';

const VERSION = 'v26.7.28';
/** Content of the simulated release server. */
const served = new Map<string, Buffer>();
const mirror = createServer(({ url = '' }, response) => {
  const content = [...served].find(([end]) => url.endsWith(end))?.[1];
  response.writeHead(content === undefined ? 404 : 200).end(content);
});

let desktop: Desktop;
beforeAll(async () => {
  const archive = Buffer.from(zipSync({ xray: readFileSync(coreBinary()) }, { level: 0 }));
  served.set('.zip', archive);
  served.set('.zip.dgst', Buffer.from(`SHA2-256= ${createHash('sha256').update(archive).digest('hex')}\n`));
  await listening(mirror);
  desktop = await openDesktop();
});
afterAll(async () => {
  await desktop?.close();
  mirror.closeAllConnections();
  mirror.close();
});

it('without a core the panel opens, says what is missing, and installs one from its first-run page', async () => {
  const port = portOf(mirror);
  const { page, quit } = await desktop.launch({
    isCoreNamed: false,
    env: { CORE_BINARY: '', PANEL_RESOURCES: '/nowhere', CORE_MIRROR: `http://127.0.0.1:${port}/core` },
  });
  await page.getByRole('button', { name: 'Use this computer' }).click();
  await page.getByRole('button', { name: 'Set up the panel' }).click();
  await page.getByText('The core does not run. Start it, or install a version').waitFor();
  const { core } = await fetchFromPanel<ServerStatus>(page, '/panel/api/server/status');
  expect(core.state).not.toBe('running');
  // Offline, or the release server is unreachable: reported, and retried on demand.
  await page.getByText('The list of versions could not be fetched').waitFor();
  await page.getByText('an xray put into the core folder').waitFor();
  await expectAccessible(page);
  served.set('/releases.json', Buffer.from(JSON.stringify([{ tag_name: VERSION, prerelease: false }])));
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('combobox', { name: 'Install another version' }).click();
  await page.getByRole('option', { name: VERSION }).click();
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Install', exact: true }).click();
  await page.getByText('The core runs, version').waitFor();
  // Until the new core has proved itself, quitting would ask.
  await waitFor('the end of the trial', async () => {
    const [job] = await fetchFromPanel<Job[]>(page, '/panel/api/jobs');
    return job?.state === 'done';
  });
  await page.goto('app://panel/panel');
  await page.getByText('The core is running').waitFor();
  await quit();
});
