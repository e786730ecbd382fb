import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApi } from '../../harness/api.ts';
import { startCoreClient, type CoreClient } from '../../harness/core-client.ts';
import { freePort } from '../../../src-server/testing/free-port.ts';
import { allowPrivateEgress } from '../../harness/open-egress.ts';
import {
  admin,
  makeToken,
  adminWith,
  disposePanel,
  startPanel,
  type PanelProcess,
} from '../../harness/panel-process.ts';
import { startTargetServer, type TargetServer } from '../../harness/target-server.ts';
import { expectAccessibleInBothThemes } from '../both-themes.ts';
import { startJourney, type Journey } from '../journey.ts';
import { geoFile } from '../../../src-server/testing/geo-file.ts';
import { addVlessInbound } from '../../harness/vless-inbound.ts';

const CLOCK_PRELOAD = new URL('../../harness/moved-clock.ts', import.meta.url).href;

let journey: Journey;
let node: PanelProcess;
let site: TargetServer;
/** The panel behind the node's port, which stays the same over restarts. */
let nodePort: number;
let token: string;
let client: CoreClient | null = null;

beforeAll(async () => {
  [journey, node, site] = await Promise.all([startJourney(), startPanel(), startTargetServer()]);
  nodePort = Number(new URL(node.url).port);
  token = makeToken(node.dataDir);
  await allowPrivateEgress(node.api);
});
afterAll(async () => {
  await client?.close();
  await journey?.close();
  await Promise.all([node === undefined ? null : disposePanel(node), site?.close()]);
});

it('adds a second panel by its token, after a test that lists its inbounds', async () => {
  const { page } = journey;
  await addVlessInbound(node.api, { remark: 'Of its own' });
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.getByRole('heading', { name: 'No nodes yet' }).waitFor();
  await expectAccessibleInBothThemes(page);
  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByRole('link', { name: 'By address and token instead' }).click();
  // Its own address first: a panel that is its own node would take its inbounds over again and again.
  await page.getByLabel('Address', { exact: true }).fill(journey.panel.url);
  // The form for the command line, which the link closes, has a name field too.
  await page.getByLabel('Name', { exact: true }).fill('Second');
  await page.getByLabel('Allow a private address').check();
  await page.getByLabel('API token').fill(makeToken(journey.panel.dataDir));
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText(/this is the panel itself/).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByText(/this is the panel itself/)
    .nth(1)
    .waitFor();
  expect(await page.getByRole('row', { name: /Second/ }).count()).toBe(0);
  await page.getByLabel('Allow a private address').uncheck();
  await page.getByLabel('Address', { exact: true }).fill(node.url);
  await expect.poll(() => page.getByLabel('Port', { exact: true }).inputValue()).toBe(String(nodePort));
  await page.getByLabel('API token').fill('wrong');
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('It does not answer').waitFor();
  await page.getByText(/switch on “Allow a private address”/).waitFor();
  await page.getByLabel('Allow a private address').check();
  await page.getByLabel('API token').fill(token);
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText(/It has 1 inbound/).waitFor();
  await page.getByText(/Of its own · vless/).waitFor();
  await expectAccessibleInBothThemes(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Node Second is added and answers.').waitFor();
  const state = page.getByRole('row', { name: /Second/ }).getByText('Online', { exact: true });
  // Its colour shows without any other page having been opened before.
  expect(await state.evaluate((chip) => getComputedStyle(chip).getPropertyValue('--tone'))).not.toBe('');
  // Its country, by this panel's own geo file.
  const geoip = join(journey.panel.dataDir, 'core', 'geoip.dat');
  // Whole at once, as the panel replaces it: one that was read half written counts for ten seconds.
  await writeFile(`${geoip}.new`, geoFile({ NL: ['127.0.0.0/8'] }));
  await rename(`${geoip}.new`, geoip);
  await page.reload();
  await page
    .getByRole('row', { name: /Second/ })
    .getByRole('img', { name: 'Netherlands' })
    .waitFor();
});

it('puts an inbound on it and a client on that, who is counted as online there', async () => {
  const { page, panel } = journey;
  const port = await freePort();
  await page.getByRole('button', { name: 'Actions of Second' }).click();
  await page.getByRole('menuitem', { name: 'Add an inbound on it' }).click();
  // The editor shows only this field, and fills in the node once it knows the nodes.
  await expect.poll(() => page.getByRole('combobox', { name: 'Runs on' }).inputValue()).toBe('Second');
  await page.getByLabel('Name', { exact: true }).fill('Far door');
  await page.getByLabel('Port', { exact: true }).fill(String(port));
  await page.getByLabel('Listen on').fill('127.0.0.1');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Inbound Far door is saved.').waitFor();

  // There is a choice once the node's own inbound was taken over: a single one would be chosen already.
  await expect.poll(async () => (await panel.api.get<object[]>('/panel/api/inbounds/list')).length).toBe(2);
  await page.goto(`${panel.url}panel/clients?edit=`);
  await page.getByLabel('E-mail or name').fill('traveller');
  await page.getByRole('combobox', { name: 'Inbounds' }).click();
  await page.getByRole('option', { name: /^Far door/ }).click();
  await page.getByLabel('E-mail or name').click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Client traveller is saved.').waitFor();

  const api = '/panel/api/clients/get/traveller';
  const { client: row } = await panel.api.get<{ client: { id: string } }>(api);
  // The change has arrived when the node knows the client.
  await expect.poll(async () => (await node.api.send('GET', api)).success).toBe(true);
  client = await startCoreClient({
    protocol: 'vless',
    settings: { address: '127.0.0.1', port, id: row.id, encryption: 'none' },
    streamSettings: { network: 'tcp' },
  });
  await client.stream(`${site.url}/drip/20000`);

  await page.goto(`${panel.url}panel/nodes`);
  const second = page.getByRole('row', { name: /Second/ });
  await second.getByText('1 (1 online)').waitFor();
  await second.getByRole('link', { name: '2 inbounds on Second' }).click();
  await page
    .getByRole('row', { name: /Far door/ })
    .getByText('Second')
    .waitFor();
  await page.goto(`${panel.url}panel/nodes?show=1`);
  const drawer = page.getByRole('dialog', { name: 'Second' });
  await drawer.getByRole('link', { name: 'Far door' }).waitFor();
  await drawer.getByRole('slider', { name: /^Machine/ }).waitFor();
  await expectAccessibleInBothThemes(page);
});

it('shows that it is down, what waits for it, and that it has arrived after it came back', async () => {
  const { page, panel } = journey;
  await client?.close();
  client = null;
  await page.goto(`${panel.url}panel/nodes`);
  const second = page.getByRole('row', { name: /Second/ });
  await node.stop();
  await second.getByText('Offline', { exact: true }).waitFor();
  await panel.api.post('/panel/api/clients/bulkDisable', { emails: ['traveller'] });
  await second.getByText('Changes wait').waitFor();
  await expectAccessibleInBothThemes(page);
  // Its inbounds keep it from being deleted.
  await page.getByRole('button', { name: 'Actions of Second' }).click();
  await page.getByRole('menuitem', { name: 'Delete node' }).click();
  await page.getByText(/2 inbounds run on it/).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();

  const { dataDir } = node;
  node = await startPanel({ dataDir, port: nodePort });
  await second.getByText('Online', { exact: true }).waitFor();
  await expect.poll(() => second.getByText(/^Changes/).count()).toBe(0);
  const there = await createApi(node.url, token).get<{ client: { enable: boolean } }>(
    '/panel/api/clients/get/traveller',
  );
  expect(there.client.enable).toBe(false);
  expect(journey.faults).toEqual([]);
});

it('makes a command line for a host, says why one was refused, and follows it until its first check', async () => {
  const { page, panel } = journey;
  const enroll = async (ticket: string, env: Record<string, string> = {}): Promise<string> =>
    adminWith(env, node.dataDir, 'enroll', ticket).catch((error: unknown) => (error as { stderr: string }).stderr);
  const makeLine = async (): Promise<string> => {
    await page.getByRole('button', { name: 'Make the line' }).click();
    const shown = await page.getByRole('textbox', { name: 'On a host with a panel' }).inputValue();
    return shown.replace('sudo switchyard admin enroll ', '');
  };
  await page.goto(`${panel.url}panel/nodes`);
  await page.getByRole('button', { name: 'Add node' }).click();
  await page.getByLabel('Name', { exact: true }).fill('By line');
  const ticket = await makeLine();
  await page.getByText(/^Waiting for the host/).waitFor();
  await expectAccessibleInBothThemes(page);

  // The panel there is a node already, and its clock is two and a half hours ahead.
  const clock = join(node.dataDir, 'moved-clock');
  await writeFile(clock, String(2.5 * 3_600_000));
  expect(await enroll(ticket, { NODE_OPTIONS: `--import=${CLOCK_PRELOAD}`, MOVED_CLOCK_FILE: clock })).toContain(
    'Second',
  );
  await page.getByText(/^A host from 127\.0\.0\.1 was not accepted: .*Second/).waitFor();
  await page.getByText(/^Its clock differs from the one here by 2/).waitFor();

  // It enrols again, with another line, which replaces its token.
  await page.getByRole('button', { name: 'Take the line back' }).click();
  await page.getByText('The line was taken back.').waitFor();
  expect(await enroll(ticket)).toContain('was taken back');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Actions of Second' }).click();
  await page.getByRole('menuitem', { name: 'Enrol again' }).click();
  const again = await makeLine();
  expect(await enroll(again)).toContain('is node Second of');
  const steps = page.getByRole('list', { name: 'Progress' });
  await steps.getByText(/^It runs panel \d+\.\d+\.\d+ with core \d/).waitFor();
  await expect.poll(() => steps.getByLabel('done').count()).toBe(4);
  expect(await enroll(again)).toContain('has been used already');
  await page.getByRole('button', { name: 'Close' }).click();
  await page
    .getByRole('row', { name: /Second/ })
    .getByText('Online', { exact: true })
    .waitFor();

  // An expired line is refused, on both sides.
  await page.getByRole('button', { name: 'Add node' }).click();
  const late = await makeLine();
  const database = new Database(join(panel.dataDir, 'panel.db'), { timeout: 10_000 });
  database.prepare('UPDATE enrolments SET expiresAtMs = ? WHERE state = ?').run(Date.now() - 1, 'open');
  database.close();
  await page.getByText('No host came within 30 minutes.', { exact: false }).waitFor();
  expect(await enroll(late)).toContain('older than 30 minutes');
  await page.getByRole('link', { name: 'Make another line' }).click();

  // The master moves: its node is told over the open connection.
  await page.getByRole('link', { name: 'This panel moves' }).click();
  await page.getByLabel('Next address of this panel').fill(panel.url.replace('127.0.0.1', 'localhost'));
  await page.getByRole('button', { name: 'Tell the nodes' }).click();
  await page.getByText('1 node knows it.').waitFor();
  expect(await admin(node.dataDir, 'master', 'list')).toContain(
    `"url":"${panel.url.replace('127.0.0.1', 'localhost')}"`,
  );
  expect(journey.faults).toEqual([]);
});
