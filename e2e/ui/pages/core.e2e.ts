import { createServer } from 'node:http';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PanelProcess } from '../../harness/panel-process.ts';
import { expectAccessible } from '../browser.ts';
import { startJourney, type Journey } from '../journey.ts';
import { listening, originOf } from '../../../src-server/testing/peers/local-server.ts';

interface Outbound {
  tag: string;
  protocol: string;
  [key: string]: unknown;
}
interface Template {
  outbounds: Outbound[];
  routing: { rules: Record<string, unknown>[]; [key: string]: unknown };
  [key: string]: unknown;
}

let journey: Journey;
let panel: PanelProcess;
let page: Page;

beforeAll(async () => {
  journey = await startJourney();
  ({ panel, page } = journey);
});
afterAll(() => journey?.close());

const open = (section: string) => page.goto(`${panel.url}panel/core/${section}`);
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
const bar = () => page.getByRole('region', { name: 'Unsaved changes' });
const save = async (): Promise<void> => {
  await bar().getByRole('button', { name: 'Save' }).click();
  await bar().waitFor({ state: 'detached' });
};
const core = async () =>
  (await panel.api.get<{ core: { state: string; pid: number | null } }>('/panel/api/server/status')).core;
async function stored(): Promise<Template> {
  const { xraySetting } = await panel.api.post<{ xraySetting: string }>('/panel/api/core/', {});
  return JSON.parse(xraySetting) as Template;
}
async function store(change: (template: Template) => void): Promise<void> {
  const template = await stored();
  change(template);
  await panel.api.post('/panel/api/core/update', { xraySetting: JSON.stringify(template), outboundTestUrl: '' });
}

/** Inserts a text into the code editor as a paste would. */
async function paste(text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Template' }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

/** Picks up the row whose handle has the focus. It listens for keys one timer later, and misses what comes before. */
async function pickUp(announcement: string): Promise<void> {
  await page.keyboard.press('Space');
  await page.getByText(announcement).waitFor({ state: 'attached' });
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
}

describe('the core in a browser', () => {
  it('is stopped, reports that in the route tester, and is started again', async () => {
    await open('state');
    await page.getByRole('button', { name: 'Stop core' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop core' }).click();
    await page.getByRole('heading', { name: 'The core is stopped' }).waitFor();
    expect((await core()).state).toBe('stop');
    await page.getByRole('link', { name: 'Routing' }).click();
    await page.getByText('The core must be running to answer.').waitFor();
    await page.getByRole('link', { name: 'State' }).click();
    await page.getByRole('button', { name: 'Start core' }).click();
    await page.getByRole('heading', { name: 'The core is running' }).waitFor();
    expect((await core()).state).toBe('running');
  });

  it('a bad template is refused with its line while the core runs on, and fixed there', async () => {
    const { pid } = await core();
    await open('template');
    await paste('{"outbounds": [}');
    await bar()
      .getByText(/Not valid JSON in line 1/)
      .waitFor();
    expect(await bar().getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);

    const template = await stored();
    const settings = { address: '8.8.8.8', port: 443, id: crypto.randomUUID(), encryption: 'none' };
    template.outbounds.push({ tag: 'exposed', protocol: 'vless', settings, future: { kept: true } });
    await paste(JSON.stringify(template, null, 2));
    await bar().getByText('This would be refused').waitFor();
    await bar().getByRole('button', { name: 'Save' }).click();
    await bar().getByText('Not saved').waitFor();
    await bar()
      .getByText(/core rejects outbound "exposed"/)
      .waitFor();
    const line = JSON.stringify(template, null, 2).split('\n').indexOf('      "tag": "exposed",');
    await bar()
      .getByRole('link', { name: `line ${line}` })
      .waitFor();
    expect((await core()).pid).toBe(pid);
    expect((await stored()).outbounds).toHaveLength(2);

    await bar().getByRole('link', { name: 'Outbounds, entry 3' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Security' }).click();
    await page.getByRole('option', { name: 'tls' }).click();
    await dialog.getByLabel('Server name (SNI)').fill('example.org');
    await dialog.getByRole('button', { name: 'Apply to draft' }).click();
    await bar().getByText('Applies live').waitFor();
    await save();
    await page.getByText('Saved and applied to the running core.').waitFor();
    expect((await stored()).outbounds[2]).toEqual({
      tag: 'exposed',
      protocol: 'vless',
      settings,
      future: { kept: true },
      streamSettings: { security: 'tls', tlsSettings: { serverName: 'example.org' } },
    });
    expect((await core()).pid).toBe(pid);
  });

  it('a routing rule is added, moved by keyboard, and verified by the tester', async () => {
    await open('routing');
    await page.getByRole('button', { name: 'Add rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Leads to (outboundTag)' }).click();
    await page.getByRole('option', { name: 'blocked' }).click();
    await dialog.getByRole('combobox', { name: 'Domains' }).fill('domain:example.org');
    await dialog.getByRole('combobox', { name: 'Domains' }).press('Enter');
    await dialog.getByRole('button', { name: 'Apply to draft' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Move rule 2' }).focus();
    await pickUp('Rule 2 is at position 2.');
    await page.keyboard.press('ArrowDown');
    await page.getByText('Rule 2 is at position 3.').waitFor({ state: 'attached' });
    await page.keyboard.press('Space');
    await bar().getByText('1 change').waitFor();
    await expect.poll(focused).toBe('Move rule 3');
    // Put down where it was, it keeps no hold on the focus.
    await pickUp('Rule 3 is at position 3.');
    await page.keyboard.press('Space');
    await page.getByText('Rule 3 was dropped at position 3.').waitFor({ state: 'attached' });
    await page.getByRole('switch', { name: 'Rule 3 is on' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Space');
    await bar().getByText('1 change').waitFor();
    expect(await focused()).toBe('Rule 3 is on');
    await save();
    expect((await stored()).routing.rules[2]).toEqual({
      type: 'field',
      outboundTag: 'blocked',
      domain: ['domain:example.org'],
    });
    await page.getByLabel('Domain or address').fill('www.example.org');
    await page.getByRole('button', { name: 'Test route' }).click();
    await page.getByText('Goes to blocked').waitFor();
    const rules = page.getByRole('list', { name: 'Routing rules' }).getByRole('listitem');
    expect(await rules.filter({ hasText: 'Matches' }).allInnerTexts()).toEqual([
      expect.stringContaining('domain:example.org'),
    ]);
    await expectAccessible(page);
    await page.getByLabel('Domain or address').fill('example.net');
    await page.getByRole('button', { name: 'Test route' }).click();
    await page.getByText('No rule matches:').waitFor();
    expect(await page.getByText('Matches', { exact: true }).count()).toBe(0);
    await page.getByText('Its final rule 1 may block it').waitFor();
    await open('outbounds');
    await page.getByRole('button', { name: 'direct', exact: true }).click();
    const final = page.getByRole('dialog').getByRole('group', { name: 'Final rules' });
    expect(await final.getByRole('combobox', { name: 'Rule 1' }).inputValue()).toBe('Block');
    await final.getByText('10.0.0.0/8').waitFor();
    await page.keyboard.press('Escape');
  });

  it('a new name reaches the rules; a draft survives leaving and a save elsewhere', async () => {
    await open('outbounds?outbound=1');
    await page.getByLabel('Tag').fill('void');
    await page.getByRole('button', { name: 'Apply to draft' }).click();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Go on editing' }).click();
    await bar().getByRole('button', { name: 'Review' }).click();
    await page.getByRole('dialog').getByText('void').first().waitFor();
    await expectAccessible(page);
    // High contrast takes the grounds away.
    await page.emulateMedia({ forcedColors: 'active' });
    const edgeOf = (lines: string) =>
      page
        .locator(lines)
        .first()
        .evaluate((element) => getComputedStyle(element).borderInlineStartStyle);
    expect([await edgeOf('.cm-changedLine'), await edgeOf('.cm-deletedChunk')]).toEqual(['solid', 'dashed']);
    await page.emulateMedia({ forcedColors: 'none' });
    await page.keyboard.press('Escape');
    await store((template) => (template['elsewhere'] = true));
    await page.getByText('The template was changed elsewhere').waitFor();
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await save();
    const { outbounds, routing, elsewhere } = await stored();
    expect(outbounds[1]?.tag).toBe('void');
    const targets = routing.rules.map((rule) => rule['outboundTag']);
    expect(targets).toContain('void');
    expect(targets).not.toContain('blocked');
    expect(elsewhere).toBeUndefined();
  });

  it('an outbound subscription is previewed before it is added, and its outbounds are beside the others', async () => {
    const list = createServer((_, response) =>
      response.end('trojan://secret@198.51.100.9:443?sni=example.org#Tokyo\nhttp://no-link'),
    );
    await listening(list);
    try {
      await open('subscriptions');
      await page.getByRole('button', { name: 'Add subscription' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Address', { exact: true }).fill(`${originOf(list)}/list`);
      await dialog.getByLabel('Tag prefix').fill('far-');
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByRole('switch', { name: 'The address may be in an internal network' }).click();
      await dialog.getByRole('button', { name: 'Preview' }).click();
      await dialog.getByText('Brings 1 outbound').waitFor();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('row', { name: /far-/ }).waitFor();
      await page.getByRole('link', { name: 'Outbounds' }).click();
      await page.getByRole('row', { name: /^far-.*subscription.*198\.51\.100\.9:443/ }).waitFor();
    } finally {
      list.close();
    }
  });

  it('caused no invisible errors', () => {
    expect(journey.faults).toEqual([]);
  });
});
