/// <reference lib="dom" />
import type { Page } from 'playwright';
import type { DesktopBridge } from '../../../src-main/bridge/contract.ts';

declare global {
  /** In the window's page. */
  var desktop: DesktopBridge;
}

/** The first start, with this computer's panel. */
export async function useThisComputer(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use this computer' }).click();
  await page.getByRole('button', { name: 'Open the panel' }).click();
  await page.getByText('The core is running').waitFor();
}

/** What the window's panel returns for a path. */
export function fetchFromPanel<T>(page: Page, path: string): Promise<T> {
  return page.evaluate(async (to) => {
    const response = await fetch(to, { headers: { 'X-Requested-With': 'XMLHttpRequest' } });
    return ((await response.json()) as { obj: unknown }).obj;
  }, path) as Promise<T>;
}

/** Picks a file in the file chooser that `open` brings up. */
export async function pickFile(page: Page, open: () => Promise<void>, file: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), open()]);
  await chooser.setFiles(file);
}
