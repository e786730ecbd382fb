import type { Page } from 'playwright';
import { HOSTILE_EMAIL } from './hostile-panel.ts';

const client = encodeURIComponent(HOSTILE_EMAIL);
const CORE = 'state basics routing outbounds balancers dns subscriptions providers template'.split(' ');
const SETTINGS = 'general security subscription backup'.split(' ');

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
    'nodes?update=all',
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
    'settings/security?twoFactor=on',
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

/** Opens each address in turn and waits until it has all that it shows. */
export async function visit(
  page: Page,
  panelUrl: string,
  addresses: readonly string[],
  look: (address: string) => Promise<void>,
): Promise<void> {
  let underWay = 0;
  const isCounted = (url: string): boolean => url.startsWith('http');
  page.on('request', (request) => (underWay += isCounted(request.url()) ? 1 : 0));
  const end = (request: { url(): string }): number => (underWay -= isCounted(request.url()) ? 1 : 0);
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  for (const address of addresses) {
    underWay = 0;
    await page.goto(`${panelUrl}panel/${address}`);
    let calm = 0;
    while (calm < 3) {
      const isComplete = await page.evaluate(
        () =>
          document.querySelector('h1') !== null &&
          document.querySelector('.mantine-Skeleton-root, [aria-busy="true"]') === null &&
          document.getAnimations().every(({ playState }) => playState !== 'running'),
      );
      calm = isComplete && underWay <= 0 ? calm + 1 : 0;
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    await look(address);
  }
}
