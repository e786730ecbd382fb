import type { Page } from 'playwright';
import { HOSTILE_EMAIL } from './hostile-panel.ts';

const client = encodeURIComponent(HOSTILE_EMAIL);
const CORE = 'state basics routing outbounds balancers dns subscriptions providers template'.split(' ');
const SETTINGS = 'general security certificates subscription bot notifications directory backup'.split(' ');

/** Addresses below `panel/` of every page, its sections, its drawers and its dialogs, for a panel filled by `fillHostile`. */
export function everyPage(inboundId: number): readonly string[] {
  return [
    '',
    'inbounds',
    `inbounds?show=${inboundId}`,
    'inbounds?inbound=new',
    'inbounds?inbound=import',
    `inbounds/${inboundId}`,
    'inbounds/new',
    'clients',
    `clients?client=${client}`,
    'clients?client=plain',
    'clients?client=plain&traffic=edit',
    'clients?client=plain&external=new',
    `clients?edit=${client}`,
    'clients?edit=',
    'clients?tool=many',
    'clients?tool=import',
    'clients?q=nobody',
    'groups',
    'groups?group=new',
    'hosts',
    'hosts?host=many',
    'nodes',
    'nodes?show=1',
    'nodes?node=1',
    'nodes?node=new',
    'nodes?enrol=new',
    'nodes?enrol=moved',
    'nodes/versions',
    'nodes/1/drift',
    'nodes?trust=ca',
    ...CORE.map((section) => `core/${section}`),
    'core/routing?rule=new',
    'core/outbounds?outbound=2',
    'core/outbounds?import=links',
    'core/balancers?balancer=0',
    'core/dns?server=1',
    'core/subscriptions?subscription=new',
    ...SETTINGS.map((section) => `settings/${section}`),
    'settings/security?token=new',
    'settings/certificates?certificate=new',
    'settings/certificates?details=1',
    'settings/notifications?webhook=new',
    'settings/security?twoFactor=on',
    'settings/directory?plan=now',
    'journal',
    'journal?entry=1',
    'journal/bin',
    'logs',
    'logs?source=core',
    'logs?source=access',
    'api-reference',
    'api-reference?call=post_panel_api_clients_add',
    'about',
    'first-run',
  ];
}

/** Whether this address opens a drawer or a dialog over its page. */
export function opensDialog(address: string): boolean {
  return address.includes('?') && !/[?&](q|source|call)=/.test(address);
}

/** Goes from page to page of one panel as links do: loading each anew would begin with the start of the whole program. */
export interface Walk {
  /** @param address below `panel/`. Returns when all is there that it shows. */
  open(address: string): Promise<void>;
  /** Until nothing is fetched, nothing moves and no place is kept for what is to come. */
  settle(): Promise<void>;
}

export async function startWalk(page: Page, panelUrl: string): Promise<Walk> {
  let underWay = 0;
  const isCounted = (url: string): boolean => url.startsWith('http');
  page.on('request', (request) => (underWay += isCounted(request.url()) ? 1 : 0));
  const end = (request: { url(): string }): number => (underWay -= isCounted(request.url()) ? 1 : 0);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  async function settle(): Promise<void> {
    let calm = 0;
    while (calm < 8) {
      const isComplete = await page.evaluate(
        () =>
          document.querySelector('h1') !== null &&
          document.querySelector('.mantine-Skeleton-root, [aria-busy="true"]') === null &&
          document.getAnimations().every(({ playState }) => playState !== 'running'),
      );
      calm = isComplete && underWay <= 0 ? calm + 1 : 0;
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
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
