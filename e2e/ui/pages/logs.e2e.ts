import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../../src-server/testing/for-each-test.ts';
import type { PanelProcess } from '../../harness/panel-process.ts';
import { startJourney } from '../journey.ts';

let panel: PanelProcess;
let page: Page;

const journey = forAllTests(startJourney);
beforeAll(async () => {
  ({ panel, page } = journey);
});

const lines = () => page.getByRole('region', { name: 'Log lines' });
/** A wrong sign-in leaves a warning with the user name. */
async function refusedSignIn(username: string): Promise<void> {
  const first = await fetch(`${panel.url}csrf-token`);
  const { obj } = (await first.json()) as { obj: string };
  await fetch(`${panel.url}login`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-csrf-token': obj,
      cookie: first.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    },
    body: JSON.stringify({ username, password: 'wrong' }),
  });
}

describe('logs in a browser', () => {
  it('are followed as they grow, hostile text as text, accessible', async () => {
    await page.goto(`${panel.url}panel/logs`);
    await lines().getByText('core.started').waitFor();
    await refusedSignIn('<img src=x onerror=alert(1)>');
    await lines().getByText('<img src=x onerror=alert(1)>').waitFor();
  });

  it('are filtered by level and text, in the address', async () => {
    await page.getByRole('combobox', { name: 'Least severe level' }).click();
    await page.getByRole('option', { name: 'Warnings' }).click();
    await lines().getByText('core.started').waitFor({ state: 'detached' });
    // The list before the filter has one line too.
    const filtered = page.waitForResponse(
      (response) => response.request().postData()?.includes('session.refused') === true,
    );
    await page.getByLabel('Lines that contain').fill('session.refused');
    await filtered;
    await page.getByText('1 line', { exact: true }).waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      level: 'warning',
      q: 'session.refused',
    });
  });

  it('stand still while paused, and resume', async () => {
    await page.getByRole('button', { name: 'Pause' }).click();
    await refusedSignIn('second');
    await page.getByText('1 line · paused').waitFor();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByText('2 lines', { exact: true }).waitFor();
  });

  it('are downloaded as a file', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    const text = await readFile(await download.path(), 'utf8');
    expect(download.suggestedFilename()).toBe('panel.log');
    expect(text.split('\n')).toHaveLength(2);
    expect(text).toContain('WARNING session.refused');
  });

  it('say why they are empty', async () => {
    await page.goto(`${panel.url}panel/logs?source=access`);
    await page.getByText('The core writes no access log').waitFor();
  });
});
