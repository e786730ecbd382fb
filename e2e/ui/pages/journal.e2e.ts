import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { forAllTests } from '../../../src-server/testing/for-each-test.ts';
import type { PanelProcess } from '../../harness/panel-process.ts';
import { addVlessInbound } from '../../harness/vless-inbound.ts';
import { expectAccessible } from '../browser.ts';
import { startJourney } from '../journey.ts';

interface Client {
  email: string;
  id: string;
  totalGB: number;
}

let panel: PanelProcess;
let page: Page;

const clients = async (): Promise<Client[]> =>
  (await panel.api.get<Client[]>('/panel/api/clients/list')).sort((a, b) => a.email.localeCompare(b.email));

const journey = forAllTests(startJourney);
beforeAll(async () => {
  ({ panel, page } = journey);
  await addVlessInbound(panel.api, {
    remark: 'Door',
    settings: { decryption: 'none', clients: ['anna', 'bert', 'cleo'].map((email) => ({ email, totalGB: 5_000_000 })) },
  });
});

test('deleted clients are restored from the notification, from the journal and from the bin', async () => {
  const before = await clients();
  await page.goto(`${panel.url}panel/clients`);
  for (const name of ['anna', 'bert']) await page.getByRole('checkbox', { name: new RegExp(name) }).check();
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click();
  // The notification offers an undo, with a preview first.
  await page.getByRole('button', { name: 'Undo' }).click();
  const confirmation = page.getByRole('dialog');
  await confirmation.getByText(/2 clients will come back/).waitFor();
  await expectAccessible(page);
  await confirmation.getByRole('button', { name: 'Take it back' }).click();
  await page.getByText('Taken back', { exact: true }).waitFor();
  expect(await clients()).toMatchObject(before.map(({ email, id, totalGB }) => ({ email, id, totalGB })));

  await panel.api.post('/panel/api/clients/del/cleo');
  await page.goto(`${panel.url}panel/journal`);
  await page.getByRole('button', { name: /1 client deleted: .*cleo/ }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Quota').waitFor();
  expect(await drawer.textContent()).not.toContain(before[2]!.id);
  await page.keyboard.press('Escape');

  await page.goto(`${panel.url}panel/journal/bin`);
  await page.getByRole('button', { name: 'Bring back cleo' }).click();
  await page.getByText('1 thing is back').waitFor();
  expect((await clients()).map(({ email }) => email)).toEqual(['anna', 'bert', 'cleo']);
  expect((await clients())[2]).toMatchObject({ id: before[2]!.id });
});
