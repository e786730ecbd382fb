import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../../src-server/testing/for-each-test.ts';
import type { PanelProcess } from '../../harness/panel-process.ts';
import { expectAccessible } from '../browser.ts';
import { startJourney } from '../journey.ts';
import { addVlessInbound } from '../../harness/vless-inbound.ts';

interface Host {
  id: number;
  inboundId: number;
  remark: string;
  address: string;
  port: number;
  enable: boolean;
  tags: string[];
}

let panel: PanelProcess;
let page: Page;
const inboundIds: number[] = [];

const hosts = () => panel.api.get<Host[]>('/panel/api/hosts/list');
const addressesOf = async (inboundId: number) =>
  (await hosts()).filter((host) => host.inboundId === inboundId).map(({ address }) => address);

const journey = forAllTests(startJourney);
beforeAll(async () => {
  ({ panel, page } = journey);
  for (const remark of ['Door', 'Gate']) {
    const inbound = await addVlessInbound(panel.api, {
      remark,
      settings: { decryption: 'none', clients: remark === 'Door' ? [{ email: 'anna@example.org' }] : [] },
      streamSettings: { network: 'ws', security: 'none', wsSettings: { path: '/w' } },
    });
    inboundIds.push(inbound.id);
  }
});

describe('hosts in a browser', () => {
  it('adds several addresses at several inbounds, showing before how many that makes', async () => {
    await page.goto(`${panel.url}panel/hosts?host=many`);
    await page.getByLabel('Name', { exact: true }).fill('CDN');
    await page.getByRole('combobox', { name: 'Inbounds' }).click();
    await page.getByRole('option', { name: /Door/ }).click();
    await page.getByRole('option', { name: /Gate/ }).click();
    const addresses = page.getByRole('combobox', { name: 'Addresses' });
    for (const address of ['a.example', 'b.example:8443', 'c.example']) {
      await addresses.fill(address);
      await addresses.press('Enter');
    }
    await page.getByText('This makes 6 hosts').waitFor();
    await page.getByText(/@a\.example:/).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('CDN is saved.').waitFor();
    for (const id of inboundIds) expect(await addressesOf(id)).toEqual(['a.example', 'b.example', 'c.example']);
  });

  it('previews the very link that the client gets after saving', async () => {
    const [first] = await hosts();
    await page.goto(`${panel.url}panel/hosts?host=${first!.id}`);
    await page.getByLabel('Address', { exact: true }).fill('edge.example');
    await page.getByLabel('Port', { exact: true }).fill('2053');
    await page.getByRole('combobox', { name: 'Tags' }).fill('eu');
    await page.keyboard.press('Enter');
    const preview = page.getByRole('region', { name: 'Resulting link' });
    await preview.getByText(/@edge\.example:2053/).waitFor();
    const link = await preview.getByText(/^vless:/).textContent();
    expect(await page.getByRole('switch', { name: 'Enabled', exact: true }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('CDN is saved.').waitFor();
    expect((await hosts()).find(({ id }) => id === first!.id)).toMatchObject({
      address: 'edge.example',
      port: 2053,
      tags: ['EU'],
      enable: true,
    });
    const links = await panel.api.get<string[]>(`/panel/api/clients/links/${encodeURIComponent('anna@example.org')}`);
    expect(nameless(links)).toContain(nameless([link ?? ''])[0]);
  });

  it('reorders by pointer, by keyboard and by number', async () => {
    await page.goto(`${panel.url}panel/hosts`);
    const door = page.getByRole('region', { name: /Door/ });
    const handles = door.getByRole('button', { name: 'Move CDN' });
    await handles.first().waitFor();
    const [from, to] = [(await handles.first().boundingBox())!, (await handles.nth(2).boundingBox())!];
    await page.mouse.move(from.x + 8, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(from.x + 8, from.y + 40, { steps: 4 });
    await page.mouse.move(to.x + 8, to.y + 14, { steps: 8 });
    await page.mouse.up();
    await expect.poll(() => addressesOf(inboundIds[0]!)).toEqual(['b.example', 'c.example', 'edge.example']);

    await handles.nth(2).focus();
    await page.keyboard.press('Space');
    await page.getByText(/CDN is (lifted,|at) position 3\./).waitFor({ state: 'attached' });
    await liftedUp();
    await page.keyboard.press('Space');
    await expect.poll(() => addressesOf(inboundIds[0]!)).toEqual(['b.example', 'edge.example', 'c.example']);

    await door.getByRole('button', { name: 'Actions of CDN' }).nth(2).click();
    await page.getByRole('menuitem', { name: 'Move to…' }).click();
    await page.getByLabel('Position, from 1 to 3').fill('1');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await expect.poll(() => addressesOf(inboundIds[0]!)).toEqual(['c.example', 'b.example', 'edge.example']);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(() => addressesOf(inboundIds[0]!)).toEqual(['b.example', 'edge.example', 'c.example']);
    expect(await addressesOf(inboundIds[1]!)).toEqual(['a.example', 'b.example', 'c.example']);
  });

  it('edits a group as a whole, and switches and deletes several', async () => {
    const gate = page.getByRole('region', { name: /Gate/ });
    await gate.getByRole('button', { name: 'Actions of CDN' }).first().click();
    await page.getByRole('menuitem', { name: 'Edit as a group' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Relay');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Relay is saved.').waitFor();
    expect(new Set((await hosts()).map(({ remark }) => remark))).toEqual(new Set(['Relay']));

    await gate.getByLabel('Select Relay').first().check();
    await page.getByRole('button', { name: 'Disable' }).click();
    await expect.poll(async () => (await hosts()).filter(({ enable }) => !enable).length).toBe(1);
    const before = (await hosts()).length;
    await page.getByRole('button', { name: 'Delete host' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete host' }).click();
    await page.getByText('The host is deleted.').waitFor();
    expect(await hosts()).toHaveLength(before - 1);
  });
});

/** Links without the name at their end, under which an app lists them. */
const nameless = (links: readonly string[]): string[] => links.map((link) => link.split('#')[0]!);

/** One press upwards. On a busy machine the first presses may come before the other rows are measured. */
async function liftedUp(): Promise<void> {
  const moved = page.getByText('CDN is at position 2.');
  for (let tries = 0; tries < 4; tries++) {
    await page.keyboard.press('ArrowUp');
    const isMoved = await moved.waitFor({ state: 'attached', timeout: 4_000 }).then(
      () => true,
      () => false,
    );
    if (isMoved) return;
  }
  await moved.waitFor({ state: 'attached' });
}
