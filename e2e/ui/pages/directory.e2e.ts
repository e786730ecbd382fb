import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  LDAP_ADMIN,
  LDAP_BASE,
  LDAP_PASSWORD,
  openLdap,
  type OpenLdap,
} from '../../../src-server/testing/peers/open-ldap.ts';
import { freePort } from '../../../src-server/testing/free-port.ts';
import { startJourney, type Journey } from '../journey.ts';

let journey: Journey;
let ldap: OpenLdap;
const people = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ uid: `p${at}`, mail: `person${at}@example.org`, employeeType: 'yes' }));

beforeAll(async () => {
  [journey, ldap] = await Promise.all([startJourney(), openLdap({ people: people(30) })]);
  const settings = { decryption: 'none', encryption: 'none' };
  const body = { protocol: 'vless', tag: 'staff', settings, streamSettings: { network: 'tcp', security: 'none' } };
  await journey.panel.api.post('/panel/api/inbounds/add', { ...body, enable: true, port: await freePort() });
});
afterAll(async () => {
  await journey?.close();
  await ldap?.close();
});

const clientCount = async (): Promise<number> =>
  (await journey.panel.api.get<{ inboundIds: number[] }[]>('/panel/api/clients/list')).filter(
    ({ inboundIds }) => inboundIds.length > 0,
  ).length;

it('a directory is set up, tested, previewed and followed', async () => {
  const { page, panel } = journey;
  await page.goto(`${panel.url}panel/settings/directory`);
  const fill = (name: string, value: string) => page.getByLabel(name, { exact: true }).fill(value);
  const save = async () => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' });
  };
  await fill('Server', '127.0.0.1');
  await fill('Server port', String(ldap.port));
  await fill('Bind DN', LDAP_ADMIN);
  await fill('Bind password', 'wrong');
  await fill('Base DN', LDAP_BASE);
  await fill('Flag attribute', 'employeeType');
  await fill('Synchronisation schedule', '@every 1s');
  await fill('Inbound tags', 'staff');
  for (const name of ['Create clients', 'Detach clients that are gone', 'LDAP synchronisation'])
    await page.getByRole('switch', { name }).check({ force: true });
  await save();

  const test = async (words: RegExp) => {
    await page.getByRole('button', { name: 'Test the connection' }).click();
    await page.getByRole('alert', { name: 'Connection test' }).getByText(words).waitFor();
  };
  await test(/127\.0\.0\.1 leads to 127\.0\.0\.1, an address of an internal network/);
  await page.getByRole('switch', { name: 'The server is in an internal network' }).check({ force: true });
  await save();
  await test(/refuses the bind DN or its password: .*0x31/);
  await fill('Bind password', LDAP_PASSWORD);
  await save();
  await test(/30 entries found/);

  await page.getByText(/The first plan with these settings/).waitFor();
  expect(await clientCount()).toBe(0);
  await page.getByRole('button', { name: 'Show what a run would change' }).click();
  await page.getByRole('dialog').getByRole('group', { name: '30 clients created' }).waitFor();
  await page.getByRole('button', { name: 'Make 30 changes' }).click();
  await page.getByText(/Run through at/).waitFor();
  expect(await clientCount()).toBe(30);

  await ldap.refill(people(10));
  await page.getByText(/More than a tenth of the clients would lose access|less than half of the entries/).waitFor();
  expect(await clientCount()).toBe(30);
  await ldap.refill(people(31));
  await expect.poll(clientCount).toBe(31);
  expect(journey.faults).toEqual([]);
});
