import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../../src-server/testing/for-each-test.ts';
import type { PanelProcess } from '../../harness/panel-process.ts';
import { expectAccessibleInBothThemes } from '../both-themes.ts';
import { startJourney } from '../journey.ts';

let panel: PanelProcess;
let page: Page;

const journey = forAllTests(startJourney);
beforeAll(async () => {
  ({ panel, page } = journey);
});

describe('API reference in a browser', () => {
  it('lists every call of the document, and finds one', async () => {
    const { paths } = await page.evaluate(
      async () => (await (await fetch('/panel/api/openapi.json')).json()) as { paths: Record<string, object> },
    );
    const count = Object.values(paths).flatMap((item) => Object.keys(item)).length;
    await page.goto(`${panel.url}panel/api-reference`);
    const calls = page.getByRole('navigation', { name: 'Calls' }).getByRole('link');
    await expect.poll(() => calls.count()).toBe(count);
    await page.getByRole('searchbox').fill('groups/create');
    await calls.filter({ hasText: 'groups/create' }).first().click();
    await page.getByRole('heading', { name: 'POST /panel/api/clients/groups/create' }).waitFor();
    await expectAccessibleInBothThemes(page);
  });

  it('tries a call with the present session, after a question if it changes something', async () => {
    await page.getByLabel('Body as JSON').fill('{"name":');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('This is not JSON').waitFor();
    await page.getByLabel('Body as JSON').fill('{"name":"tried"}');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await page.getByText('Answer: HTTP 200').waitFor();
    const groups = await panel.api.get<{ name: string }[]>('/panel/api/clients/groups');
    expect(groups.map(({ name }) => name)).toEqual(['tried']);
  });

  it('shows the call as programs send it, and what fields mean', async () => {
    await page.goto(`${panel.url}panel/api-reference?call=post_panel_api_setting_update`);
    const origin = new URL(panel.url).origin;
    const sample = page.getByText('-H "Authorization: Bearer $PANEL_TOKEN"');
    expect(await sample.innerText()).toContain(`-X POST \\\n  '${origin}/panel/api/setting/update'`);
    await page.getByText('TypeScript', { exact: true }).click();
    const program = page.getByText(`const answer = await fetch("${origin}/panel/api/setting/update"`);
    expect(await program.innerText()).toContain('type Result = null;');
    await page
      .getByRole('row', { name: /sessionMaxAge integer.*Minutes until a session ends, at most a year\./ })
      .waitFor();
    await expectAccessibleInBothThemes(page);
  });

  it('tries a call with a token instead of the session, and discards the token', async () => {
    const token = await panel.api.post<{ token: string }>('/panel/api/setting/apiTokens/create', { name: 'tried' });
    await page.goto(`${panel.url}panel/api-reference?call=post_panel_api_setting_all`);
    const field = page.getByLabel('API token', { exact: true });
    const send = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    };
    await field.fill('wrong');
    await send();
    await page.getByText('Answer: HTTP 401').waitFor();
    await field.fill(token.token);
    await send();
    await page.getByText('Answer: HTTP 200').waitFor();
    await page.goto(`${panel.url}panel/about`);
    await page.goto(`${panel.url}panel/api-reference?call=post_panel_api_setting_all`);
    expect(await field.inputValue()).toBe('');
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(token.token);
  });

  it('fills parameters into path and query', async () => {
    await page.goto(`${panel.url}panel/api-reference?call=get_panel_api_clients_get_email`);
    await page.getByLabel('email').fill('nobody@example.org');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('"success": false').waitFor();
  });

  it('sends a file where a call takes one, with the session and with a token', async () => {
    const { token } = await panel.api.post<{ token: string }>('/panel/api/setting/apiTokens/create', {
      name: 'sender',
    });
    await page.goto(`${panel.url}panel/api-reference?call=post_panel_api_server_importDB_preview`);
    for (const used of ['', token]) {
      await page.getByLabel('API token', { exact: true }).fill(used);
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'any.db', mimeType: '', buffer: Buffer.from('no database') });
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
      await page.getByText('Invalid file').waitFor();
    }
  });
});

describe('About in a browser', () => {
  it('shows the installed versions', async () => {
    await page.goto(`${panel.url}panel/about`);
    await page.getByRole('row', { name: /^Core \d+\.\d+/ }).waitFor();
  });
});
