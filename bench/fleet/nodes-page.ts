import { setTimeout as delay } from 'node:timers/promises';
import type { PanelProcess } from '../../e2e/harness/panel-process.ts';
import { openBrowser, signIn } from '../../e2e/ui/browser.ts';
import { figure, percentile } from '../figures.ts';
import { busyShare } from '../interface.ts';
import { NODES } from './shape.ts';

const TURNS = 5;

/**
 * The page of nodes in Chromium: from the response to painted rows, and its cost while the stream brings every round.
 */
export async function nodesPage(panel: PanelProcess): Promise<void> {
  const browser = await openBrowser();
  try {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    await signIn(page, panel);
    const painted: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      await page.goto(`${panel.url}panel/nodes`, { waitUntil: 'commit' });
      painted.push(
        await page.evaluate(async (least) => {
          while (document.querySelectorAll('tbody tr').length < least) await new Promise(requestAnimationFrame);
          // Rows are painted in the frame after the one in which they appear.
          await new Promise(requestAnimationFrame);
          const at = performance.now();
          const [entry] = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/nodes/list'));
          return at - (entry as PerformanceResourceTiming).responseEnd;
        }, NODES),
      );
    }
    figure(`page of ${NODES} nodes, answer to painted rows: p50 of ${TURNS}`, percentile(painted, 50), 'ms', 150);
    figure(`page of ${NODES} nodes, answer to painted rows: worst`, Math.max(...painted), 'ms', null);
    await delay(5_000);
    const cdp = await page.context().newCDPSession(page);
    figure(`page of ${NODES} nodes, idle: share of one core in the page`, await busyShare(cdp, 'threadTicks'), '%', 3);
    figure(`page of ${NODES} nodes, idle: share of the time with tasks`, await busyShare(cdp), '%', null);
  } finally {
    await browser.close();
  }
}
