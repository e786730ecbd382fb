import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { disposePanel, startPanel } from '../harness/panel-process.ts';
import { openBrowser, signIn } from './browser.ts';

const BUILT = join(import.meta.dirname, '..', '..', 'dist', 'renderer');
const LIMIT_BYTES = 350_000;
const LIMIT_REQUESTS = 40;

interface Chunk {
  file: string;
  imports?: string[];
}

describe('web interface bundle', () => {
  it('shows its first page after at most 350 kB of gzipped JavaScript', () => {
    const manifest = JSON.parse(readFileSync(join(BUILT, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
    // Needed by the overview: the entry with the frame and the page, its chart, and the largest language's texts.
    const waiting = ['index.html', 'pages/overview/throughput-chart.tsx', 'i18n/fa/index.ts'];
    const files = new Set<string>();
    for (const key of waiting) {
      const { file, imports = [] } = manifest[key]!;
      if (files.has(file)) continue;
      files.add(file);
      waiting.push(...imports);
    }
    const bytes = [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(BUILT, file))).length, 0);
    expect(files.size).toBeGreaterThan(3);
    expect(bytes).toBeLessThanOrEqual(LIMIT_BYTES);
    process.stdout.write(`first page: ${bytes} bytes in ${files.size} files\n`);
  });

  it('names its files, the icon too, from the base path: the page is served below addresses of any depth', () => {
    const page = readFileSync(join(BUILT, 'index.html'), 'utf8');
    expect(page).toContain('href="/__base__/assets/icon');
    expect(page).not.toContain('"./assets/');
  });

  it('makes at most 40 requests, for 350 kB of script, until the overview is painted', async () => {
    const panel = await startPanel();
    const browser = await openBrowser();
    try {
      const known = await browser.newContext();
      await signIn(await known.newPage(), panel);
      // A new context: nothing of the sign-in is cached.
      const context = await browser.newContext({ storageState: await known.storageState() });
      const page = await context.newPage();
      await page.addInitScript(() => {
        performance.setResourceTimingBufferSize(1_000);
        const observer = new MutationObserver(() => {
          if (document.querySelector('section[aria-labelledby="throughput"] canvas') === null) return;
          observer.disconnect();
          performance.mark('painted');
        });
        observer.observe(document, { childList: true, subtree: true });
      });
      await page.goto(`${panel.url}panel`);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.getByRole('region', { name: 'Throughput' }).locator('canvas').waitFor();
      const loaded = await page.evaluate(() => {
        const paintedAtMs = performance.getEntriesByName('painted')[0]!.startTime;
        const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
        return entries
          .filter(({ startTime }) => startTime <= paintedAtMs)
          .map(({ name, transferSize }) => ({ name, bytes: transferSize }));
      });
      const scripts = loaded.filter(({ name }) => name.endsWith('.js'));
      const scriptBytes = scripts.reduce((sum, { bytes }) => sum + bytes, 0);
      // The page itself is not among the resources.
      expect(loaded.length + 1).toBeLessThanOrEqual(LIMIT_REQUESTS);
      expect(scriptBytes).toBeGreaterThan(100_000);
      expect(scriptBytes).toBeLessThanOrEqual(LIMIT_BYTES);
      process.stdout.write(`painted overview: ${scriptBytes} bytes of script, ${loaded.length + 1} requests\n`);
    } finally {
      await browser.close();
      await disposePanel(panel);
    }
  });
});
