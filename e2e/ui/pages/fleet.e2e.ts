import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPanelWithMirror } from '../../harness/core/core-mirror.ts';
import { makeToken, disposePanel, startPanel, type PanelProcess } from '../../harness/panel-process.ts';
import { waitFor } from '../../harness/wait-for.ts';
import { expectAccessibleInBothThemes } from '../both-themes.ts';
import { startJourney, type Journey } from '../journey.ts';
import { addVlessInbound } from '../../harness/vless-inbound.ts';

interface Inbound {
  id: number;
  remark: string;
  settings: Record<string, unknown>;
}

let journey: Journey;
/** A node with its own core, and the mirror from which it installs another. */
let mirrored: Awaited<ReturnType<typeof startPanelWithMirror>>;
/** A node whose core was named at its start: nothing can be installed there. */
let named: PanelProcess;
/** The contents of that node's panel update. */
let packageFolder: string;
let ids: number[];

beforeAll(async () => {
  packageFolder = await mkdtemp(join(tmpdir(), 'switchyard-package-'));
  const updater = join(packageFolder, 'update');
  const result = '{"runId":"%s","state":"success","exitCode":0}';
  await writeFile(updater, `#!/bin/sh\nprintf '${result}' "$PANEL_UPDATE_RUN_ID" > "$PANEL_UPDATE_STATUS_FILE"\n`, {
    mode: 0o755,
  });
  [journey, mirrored, named] = await Promise.all([
    startJourney(),
    startPanelWithMirror({ pieceMs: 0 }),
    startPanel({ env: { PANEL_UPDATE_COMMAND: updater } }),
  ]);
  ids = [await manage(mirrored.panel, 'Frankfurt'), await manage(named, 'Paris')];
  const { api } = journey.panel;
  const inbound = await addVlessInbound<Inbound>(api, { remark: 'Door', nodeId: ids[0] });
  for (const email of ['alice', 'bob'])
    await api.post('/panel/api/clients/add', { client: { email }, inboundIds: [inbound.id] });
  await waitFor('the clients on the node', async () => (await countThere()) === 2, 30_000);
});
afterAll(async () => {
  await journey?.close();
  await Promise.all([
    mirrored === undefined ? null : disposePanel(mirrored.panel).then(() => mirrored.closeMirror()),
    named === undefined ? null : disposePanel(named),
    rm(packageFolder, { recursive: true, force: true }),
  ]);
});

async function manage(panel: PanelProcess, name: string): Promise<number> {
  const { port, pathname } = new URL(panel.url);
  const { id } = await journey.panel.api.post<{ id: number }>('/panel/api/nodes/add', {
    name,
    scheme: 'http',
    address: '127.0.0.1',
    port: Number(port),
    basePath: pathname,
    allowPrivateAddress: true,
    apiToken: makeToken(panel.dataDir),
  });
  return id;
}
const countThere = async (): Promise<number> =>
  (await mirrored.panel.api.get<unknown[]>('/panel/api/clients/list')).length;
const doorThere = async (): Promise<Inbound> =>
  (await mirrored.panel.api.get<Inbound[]>('/panel/api/inbounds/list'))[0]!;

/** A core is downloaded, tested, started and checked. */
const INSTALLED_MS = 120_000;

it('compares a node’s edits with the wanted values, and settles each as the operator decides', async () => {
  const { page, panel } = journey;
  await page.goto(`${panel.url}panel/nodes`);
  await page.getByRole('button', { name: 'Actions of Frankfurt' }).click();
  await page.getByRole('menuitem', { name: 'Compare' }).click();
  await page.getByRole('heading', { name: 'Frankfurt: differences' }).waitFor();
  await page.getByText('Both sides agree.').waitFor();
  await page.getByRole('combobox', { name: 'Edits made on the node' }).click();
  await page.getByRole('option', { name: 'Only show them' }).click();
  await page.getByText(/stays as it is on both sides/).waitFor();

  const { api } = mirrored.panel;
  const door = await doorThere();
  const { clients: _, ...settings } = door.settings;
  await api.post(`/panel/api/inbounds/update/${door.id}`, { ...door, settings, remark: 'By hand' });
  const { client: alice } = await api.get<{ client: object }>('/panel/api/clients/get/alice');
  await api.post('/panel/api/clients/update/alice', { ...alice, totalGB: 5_368_709_120, limitIp: 2 });
  await api.post('/panel/api/clients/del/bob');
  await page.getByRole('button', { name: 'Refresh' }).click();
  const item = page.getByRole('article', { name: /in-\d+-tcp/ });
  await item.getByText('By hand').waitFor();
  expect(await item.getByRole('row', { name: /Name/ }).getByRole('cell').allTextContents()).toEqual([
    'Door',
    'Door',
    'By hand',
  ]);
  await expectAccessibleInBothThemes(page);

  await item.getByRole('button', { name: /^Take over/ }).click();
  await page.getByText('1 taken over.').waitFor();
  await page.getByText('Clients (2)').click();
  await page.getByRole('article', { name: 'bob' }).getByText('Not on the node').waitFor();
  await page.getByRole('article', { name: 'alice' }).getByRole('row', { name: /Quota/ }).waitFor();
  await expectAccessibleInBothThemes(page);
  await page.getByRole('button', { name: 'Send all' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Send to Frankfurt?' });
  await confirmation.getByText(/Inbounds: 0\. Clients: 2\./).waitFor();
  await confirmation.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('2 sent.').waitFor();
  await page.getByText('Both sides agree.').waitFor();
  expect(await countThere()).toBe(2);
  const [here] = await panel.api.get<Inbound[]>('/panel/api/inbounds/list');
  expect(here!.remark).toBe('By hand');
  expect(journey.faults).toEqual([]);
});

it('installs a core on one node first, and stops at the node that cannot take it', async () => {
  const { page, panel } = journey;
  const digest = mirrored.publishOtherCore();
  await page.goto(`${panel.url}panel/nodes`);
  await page.getByRole('link', { name: 'Versions' }).click();
  // The box for all leaves out one that was just thought to be down.
  for (const name of ['Frankfurt', 'Paris']) await page.getByRole('checkbox', { name }).check();
  const { core } = await mirrored.panel.api.get<{ core: { version: string } }>('/panel/api/server/status');
  await page.getByRole('combobox', { name: 'Version of the core' }).fill(`v${core.version}`);
  await expectAccessibleInBothThemes(page);
  await page.getByRole('button', { name: 'Start on 2 nodes' }).click();
  const confirmation = page.getByRole('dialog', { name: /^Install core/ });
  await confirmation.getByText(/Frankfurt goes first/).waitFor();
  await confirmation.getByRole('button', { name: 'Start on 2 nodes' }).click();
  const lines = page.getByRole('status', { name: 'How far it is' });
  await lines.getByText('Done').waitFor({ timeout: INSTALLED_MS });
  await lines.getByText('Failed').waitFor({ timeout: INSTALLED_MS });
  await lines.getByText(/was named when it was started/).waitFor();
  expect(mirrored.coreDigest()).toBe(digest);
  await expectAccessibleInBothThemes(page);
  expect(journey.faults).toEqual([]);
});

it('updates geo files as well, and reports when every node has them', async () => {
  const { page, panel } = journey;
  const files = mirrored.publishGeoFiles('fresh');
  await page.goto(`${panel.url}panel/nodes/versions?what=geo&ids=${ids[0]}`);
  await page.getByRole('button', { name: 'Start on 1 node' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start on 1 node' }).click();
  await page.getByRole('heading', { name: 'Geo files' }).waitFor();
  await page.getByRole('status', { name: 'How far it is' }).getByText('Done').waitFor();
  expect(mirrored.geoFiles()).toEqual(files);
  await page.getByText(/^geosite_RU\.dat · /).waitFor();
  expect(journey.faults).toEqual([]);
});

it('updates the panel of one node from its row, and names the node whose installation cannot be updated', async () => {
  const { page, panel } = journey;
  await page.goto(`${panel.url}panel/nodes`);
  await page.getByRole('button', { name: 'Actions of Paris' }).click();
  await page.getByRole('menuitem', { name: 'Update its panel' }).click();
  await page.getByRole('button', { name: 'Start on 1 node' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start on 1 node' }).click();
  await page.getByRole('heading', { name: 'Newest panel' }).waitFor();
  const lines = page.getByRole('status', { name: 'How far it is' });
  await lines.getByText('Done').waitFor();
  await page.getByRole('checkbox', { name: 'Frankfurt' }).check();
  await page.getByRole('button', { name: 'Start on 2 nodes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start on 2 nodes' }).click();
  await lines.getByText('Failed').waitFor();
  await lines.getByText(/not available for this installation/).waitFor();
  await lines.getByText('Left as it was').waitFor();
  expect(journey.faults).toEqual([]);
});
