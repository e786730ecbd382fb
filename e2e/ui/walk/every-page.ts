import type { Page, Request } from 'playwright';
import { HOSTILE_EMAIL, type Hostile } from './hostile-panel.ts';
import { SCREENS, type Screen } from './screens.ts';

/** One stop of a walk over the interface. */
export interface Stop {
  /** Below `panel/`. */
  address: string;
  prepare?: Screen['prepare'];
  /** Its layout and colours are those of another stop: only what it says is looked at. */
  isRepeated: boolean;
}

/** Every page, its sections, drawers and dialogs: those of the sample, and again those of what has hostile words. */
export function everyPage({ inboundId, nodeId, outbound }: Hostile): readonly Stop[] {
  const client = encodeURIComponent(HOSTILE_EMAIL);
  const hostile = [
    `inbounds?show=${inboundId}`,
    `inbounds/${inboundId}`,
    `clients?client=${client}`,
    'clients?client=plain',
    `clients?edit=${client}`,
    'clients?edit=',
    'clients?q=img',
    `nodes?show=${nodeId}`,
    `nodes?node=${nodeId}`,
    `nodes/${nodeId}/drift`,
    'core/routing?rule=new',
    `core/outbounds?outbound=${outbound}`,
    'core/balancers?balancer=1',
    'core/dns?server=3',
    'settings/certificates?details=3',
    'logs?source=core',
    'api-reference?call=post_panel_api_clients_add',
  ];
  return [
    ...SCREENS.map(({ address, prepare }) => ({
      address,
      ...(prepare === undefined ? {} : { prepare }),
      isRepeated: false,
    })),
    ...hostile.map((address) => ({ address, isRepeated: true })),
  ];
}

/** Whether this address opens a drawer or a dialog over its page. */
export function opensDialog(address: string): boolean {
  return address.includes('?') && !/[?&](q|source|call|period|subject|status|rename)=/.test(address);
}

/** Goes from page to page of one panel as links do: loading each anew would begin with the start of the whole program. */
export interface Walk {
  /** @param address below `panel/`. Returns when all is there that it shows. */
  open(address: string): Promise<void>;
  /** Until the page of the address is drawn, nothing is fetched, nothing moves and no place is kept for what is to come. */
  settle(): Promise<void>;
}

export async function startWalk(page: Page, panelUrl: string): Promise<Walk> {
  // By themselves and not as a number: requests of the page before end within this walk, and are none of its own.
  const underWay = new Set<Request>();
  page.on('request', (request) => {
    if (request.url().startsWith('http')) underWay.add(request);
  });
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
  async function settle(): Promise<void> {
    let isAsking = true;
    while (isAsking) {
      isAsking = underWay.size > 0;
      // In the page itself: a call for each frame would be most of the work.
      await page.evaluate(async () => {
        // Until the new page is drawn, the one before stands there, as complete as ever. A search has no place in a list.
        const isHere = (): boolean =>
          location.search !== '' ||
          [...document.querySelectorAll(`nav a[href="${location.pathname}"]`)].every(
            (link) => link.getAttribute('aria-current') === 'page',
          );
        const isComplete = (): boolean =>
          isHere() &&
          document.querySelector('h1') !== null &&
          document.querySelector('.mantine-Skeleton-root, [aria-busy="true"]') === null &&
          document.getAnimations().every(({ playState }) => playState !== 'running');
        for (let calm = 0; calm < 8; calm = isComplete() ? calm + 1 : 0)
          await new Promise((resolve) => requestAnimationFrame(resolve));
      });
      isAsking ||= underWay.size > 0;
    }
  }
  await page.goto(`${panelUrl}panel/about`);
  await settle();
  return {
    settle,
    async open(address) {
      const { pathname, search } = new URL(`${panelUrl}panel/${address}`);
      await page.evaluate((place) => {
        history.pushState(null, '', place);
        dispatchEvent(new PopStateEvent('popstate', { state: null }));
      }, pathname + search);
      await settle();
    },
  };
}
