import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Locator } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi } from '../../harness/api.ts';
import { startCoreClient } from '../../harness/core-client.ts';
import { allowPrivateEgress } from '../../harness/open-egress.ts';
import { makeToken, startPanel } from '../../harness/panel-process.ts';
import { startTargetServer, type TargetServer } from '../../harness/target-server.ts';
import { waitFor } from '../../harness/wait-for.ts';
import { signIn } from '../browser.ts';
import { startJourney, type Journey } from '../journey.ts';
import { addVlessInbound } from '../../harness/vless-inbound.ts';

interface Client {
  email: string;
  uuid: string;
  enable: boolean;
  totalGB: number;
  expiryTime: number;
  /** Days between renewals. */
  reset: number;
  inboundIds: number[];
  traffic: { up: number; down: number };
}
interface Inbound {
  id: number;
  remark: string;
}

interface Certificate {
  id: number;
  name: string;
  facts: { pin: string } | null;
}

const PASSPHRASE = 'a lantern on the pier';
const FIXTURES = new URL('../../../src-server/domains/import/fixtures/', import.meta.url);
const unpacked = (name: string): Buffer => gunzipSync(readFileSync(new URL(`${name}.gz`, FIXTURES)));
const there = JSON.parse(unpacked('other-panel.expected.json').toString()) as {
  clients: Client[];
  inbounds: Inbound[];
  groups: { name: string }[];
};
/** Not due for renewal: the panel renews those at its first check. */
const isAtRest = ({ reset, expiryTime }: Client): boolean => reset === 0 || expiryTime === 0 || expiryTime > Date.now();
const figures = (clients: readonly Client[]) =>
  clients
    .filter(({ email }) => there.clients.every((client) => client.email !== email || isAtRest(client)))
    .map(({ email, uuid, totalGB, expiryTime, traffic: { up, down } }) => {
      const figure = { email, uuid, totalGB, expiryTime, up, down };
      return figure;
    })
    .toSorted((one, other) => (one.email < other.email ? -1 : 1));

/** A time zone in which it is about noon: some inbounds reset their counters at midnight. */
function zoneOfNoon(): string {
  const ahead = 12 - new Date().getUTCHours();
  // The sign is reversed: it counts from there to Greenwich.
  return `Etc/GMT${ahead < 0 ? '+' : '-'}${Math.abs(ahead)}`;
}

let journey: Journey;
let site: TargetServer;
/** Its certificate goes away and comes back. */
let pin: string;
beforeAll(async () => {
  [journey, site] = await Promise.all([
    startJourney({}, () => startPanel({ env: { TZ: zoneOfNoon() } })),
    startTargetServer(),
  ]);
});
afterAll(async () => {
  await journey?.close();
  await site?.close();
});

/** Tokens belong to the database: after it was replaced, a script needs one of the new database. */
async function freshApi() {
  const { panel } = journey;
  return createApi(panel.url, makeToken(panel.dataDir));
}
const certificates = async (api: ReturnType<typeof createApi>): Promise<Certificate[]> =>
  (await api.get<{ certificates: Certificate[] }>('/panel/api/certificates/list')).certificates;
async function countIn(dialog: Locator, name: string): Promise<number> {
  const label = dialog.getByText(name, { exact: true });
  return Number(await label.locator('xpath=preceding-sibling::*[1]').innerText());
}
/** Sessions belonged to the old database. */
async function signInAfterwards(): Promise<void> {
  const { page, panel } = journey;
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await signIn(page, panel);
}

describe('a database replacing another, in a browser', () => {
  it('of another panel: it brings what its dry run announces, and its clients connect', async () => {
    const { page, panel } = journey;
    const { id } = await addVlessInbound(panel.api, { remark: 'mine before' });
    await panel.api.post('/panel/api/clients/add', { client: { email: 'before', totalGB: 7e9 }, inboundIds: [id] });
    await panel.api.post('/panel/api/clients/updateTraffic/before', { upload: 1000, download: 2000 });

    await panel.api.post('/panel/api/certificates/save', { name: 'Own', source: 'selfSigned', names: ['a.example'] });
    pin = await waitFor('a certificate', async () => (await certificates(panel.api))[0]?.facts?.pin);

    await page.goto(`${panel.url}panel/settings/backup`);
    await page.getByLabel('Passphrase', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Take a backup with keys' }).click();
    await page.getByText('needs at least 12 characters').waitFor();
    await page.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
    await page.getByRole('button', { name: 'Take a backup with keys' }).click();
    await page.getByText('Taken, with the keys of 1 certificate.').waitFor();
    const dialog = page.getByRole('dialog', { name: 'What this brings' });
    async function look(): Promise<void> {
      await page.locator('input[type=file]').setInputFiles({
        name: 'other.db',
        mimeType: 'application/octet-stream',
        buffer: unpacked('other-panel.db'),
      });
      await page.getByRole('button', { name: 'Look into it' }).click();
      await dialog.getByText('The database of another panel.').waitFor();
    }
    await look();
    await dialog.getByRole('table', { name: 'Left out or changed' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await panel.api.get('/panel/api/inbounds/list')).toMatchObject([{ id, remark: 'mine before' }]);
    await look();
    const announced = { clients: await countIn(dialog, 'Clients'), inbounds: await countIn(dialog, 'Inbounds') };
    expect(announced).toEqual({ clients: there.clients.length, inbounds: there.inbounds.length });
    await dialog.getByLabel('Type other.db to confirm').fill('other.db');
    await dialog.getByRole('button', { name: 'Replace everything' }).click();
    await page.getByText('The panel is back.').waitFor({ timeout: 40_000 });
    await signInAfterwards();

    await page.goto(`${panel.url}panel/settings/backup`);
    await page.getByText('The last import has been in force since').waitFor();
    const api = await freshApi();
    const clients = await api.get<Client[]>('/panel/api/clients/list');
    expect(figures(clients)).toEqual(figures(there.clients));
    expect((await api.get<Inbound[]>('/panel/api/inbounds/list')).map(({ remark }) => remark)).toEqual(
      there.inbounds.map(({ remark }) => remark),
    );
    await page.goto(`${panel.url}panel/clients`);
    await page.getByText(`${announced.clients} clients`, { exact: true }).waitFor();
    await page.goto(`${panel.url}panel/groups`);
    for (const { name } of there.groups) await page.getByRole('row').filter({ hasText: name }).waitFor();
    expect(await page.getByRole('row').count()).toBe(there.groups.length + 1);

    await allowPrivateEgress(api);
    // vless over httpupgrade without TLS: an app finds all it needs in the link.
    const one = there.clients.find(
      ({ enable, inboundIds, expiryTime, totalGB }) =>
        enable && inboundIds.includes(11) && (expiryTime === 0 || expiryTime > Date.now()) && totalGB === 0,
    )!;
    await page.goto(`${panel.url}panel/clients?client=${encodeURIComponent(one.email)}`);
    await page.getByRole('dialog').getByText('Credentials').waitFor();
    expect(await page.getByRole('dialog').getByLabel('UUID', { exact: true }).inputValue()).toBe(one.uuid);
    const links = await api.get<string[]>(`/panel/api/clients/links/${encodeURIComponent(one.email)}`);
    const link = links.find((text) => text.includes('type=httpupgrade'))!;
    const { outbounds } = await api.post<{ outbounds: object[] }>('/panel/api/core/parseLink', { link });
    const core = await startCoreClient({ ...outbounds[0], tag: 'proxy' });
    try {
      expect(await waitFor('traffic', () => core.fetchBytes(`${site.url}/bytes/20000`, 3000))).toBe(20_000);
    } finally {
      await core.close();
    }
  });

  it('from the list of automatic backups: the rows from before the import are back', async () => {
    const { page, panel } = journey;
    const before = await freshApi();
    await before.post(`/panel/api/certificates/delete/${(await certificates(before))[0]!.id}`);
    await page.goto(`${panel.url}panel/settings/backup`);
    await page.getByRole('row').filter({ hasText: 'before an import' }).first().waitFor();
    const row = page.getByRole('row').filter({ hasText: 'by hand, with keys of certificates' });
    const restore = row.first().getByRole('button', { name: /^Restore / });
    const name = (await restore.getAttribute('aria-label'))!.replace('Restore ', '');
    await restore.click();
    const dialog = page.getByRole('dialog', { name: 'What this brings' });
    await dialog.getByText('A database of this panel.').waitFor();
    expect(await countIn(dialog, 'Clients')).toBe(1);
    expect(await countIn(dialog, 'Inbounds')).toBe(1);
    expect(new URL(page.url()).searchParams.get('restore')).toBe(name);
    await dialog.getByLabel('Passphrase of the backup').fill('another passphrase');
    await dialog.getByRole('button', { name: 'Open the keys' }).click();
    await dialog.getByText('does not open the keys').waitFor();
    await dialog.getByLabel('Passphrase of the backup').fill(PASSPHRASE);
    await dialog.getByRole('button', { name: 'Open the keys' }).click();
    await dialog.getByText('The certificates are restored with their keys.').waitFor();
    const action = dialog.getByRole('button', { name: 'Replace everything' });
    const confirmation = dialog.getByLabel(`Type ${name} to confirm`);
    await confirmation.fill(name.slice(0, -1));
    expect(await action.isDisabled()).toBe(true);
    await confirmation.fill(name);
    await action.click();
    await page.getByText('The panel is back.').waitFor({ timeout: 40_000 });
    await signInAfterwards();

    const api = await freshApi();
    expect(await api.get<Client[]>('/panel/api/clients/list')).toEqual([
      expect.objectContaining({
        email: 'before',
        totalGB: 7e9,
        traffic: expect.objectContaining({ up: 1000, down: 2000 }) as object,
      }),
    ]);
    expect((await certificates(api)).map(({ name, facts }) => [name, facts?.pin])).toEqual([['Own', pin]]);
    await page.goto(`${panel.url}panel/inbounds`);
    await page.getByText('mine before').first().waitFor();
    expect(journey.faults).toEqual([]);
  });
});
