import { beforeAll, expect, it } from 'vitest';
import { forAllTests } from '../../src-server/testing/for-each-test.ts';
import { startJourney, type Journey } from './journey.ts';
import { addVlessInbound } from '../harness/vless-inbound.ts';

const journey = forAllTests(startJourney);
beforeAll(async () => {
  const { api } = journey.panel;
  const inbound = await addVlessInbound(api, {
    remark: 'Door',
    settings: { decryption: 'none', clients: [{ email: 'known@example.org' }] },
  });
  const host = { inboundId: inbound.id, remark: 'Front', address: 'front.example', port: 443 };
  await api.post('/panel/api/hosts/add', host);
  await api.post('/panel/api/nodes/add', { name: 'Far', address: 'far.example', port: 443, apiToken: 'x' });
});

interface Editor {
  name: string;
  /** Below `panel/`. */
  path: string;
  label: string;
  typed: string;
  /** Leaving closes it, or goes to another page. */
  leave: 'Cancel' | 'page' | 'never asks';
}
const EDITORS: Editor[] = [
  { name: 'client', path: 'clients?edit=known%40example.org', label: 'Comment', typed: 'typed', leave: 'Cancel' },
  { name: 'inbound', path: 'inbounds/1', label: 'Name', typed: 'Gate', leave: 'page' },
  {
    name: 'core',
    path: 'core/basics',
    label: 'Address for outbound tests',
    typed: 'https://probe.example/204',
    leave: 'page',
  },
  // One draft across all sections, which outlives the page.
  { name: 'settings', path: 'settings/general', label: 'Time zone', typed: 'Europe/Berlin', leave: 'never asks' },
  { name: 'host', path: 'hosts?host=1', label: 'Name', typed: 'Side', leave: 'Cancel' },
  { name: 'node', path: 'nodes?node=1', label: 'Name', typed: 'Further', leave: 'Cancel' },
];

it.each(EDITORS)('the draft of a $name survives while the panel cannot be reached', async (editor) => {
  const { page, context, panel } = journey;
  const field = page.getByLabel(editor.label, { exact: true }).first();
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const banner = page.getByText('The panel does not answer');
  await page.goto(`${panel.url}panel/${editor.path}`);
  await field.fill(editor.typed);
  await context.setOffline(true);
  // The stream may still be up: the save itself finds out. A save button that waits already takes no click.
  await save.evaluate((button: HTMLButtonElement) => button.click());
  await banner.waitFor();
  await page
    .getByText(/^Changes wait until the panel answers again/)
    .nth(1)
    .waitFor();
  await expect.poll(() => save.isDisabled()).toBe(true);
  expect(await field.inputValue()).toBe(editor.typed);
  await page.mouse.wheel(0, 5_000);
  expect(await inView(banner)).toBe(true);

  if (editor.leave !== 'never asks') {
    const way =
      editor.leave === 'page'
        ? page.getByRole('link', { name: 'Groups' })
        : page.getByRole('button', { name: 'Cancel', exact: true });
    await way.click();
    await page.getByRole('dialog', { name: 'Discard what you typed?' }).waitFor();
    await page.getByRole('button', { name: 'Go on editing' }).click();
  }
  expect(await field.inputValue()).toBe(editor.typed);

  await context.setOffline(false);
  await banner.waitFor({ state: 'detached' });
  await save.click();
  await page
    .getByText(/(is|are) saved|^Saved/)
    .first()
    .waitFor();
  await save.waitFor({ state: 'detached' });
  await page.goto(`${panel.url}panel/${editor.path}`);
  await expect.poll(() => field.inputValue()).toBe(editor.typed);
});

/** Whether it is inside the window, below the header. */
async function inView(one: ReturnType<Journey['page']['getByText']>): Promise<boolean> {
  const box = await one.boundingBox();
  return box !== null && box.y >= 52 && box.y + box.height <= 720;
}
