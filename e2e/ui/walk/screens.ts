import type { Page } from 'playwright';

/** Something to look at: a page of the interface in one state. */
export interface Screen {
  /** Name of its picture. */
  name: string;
  /** Path of its route in src-renderer/app/routes.tsx. */
  route: string;
  /** Address below /panel. */
  address: string;
  /** What to do once the page stands, in any language. */
  prepare?: (page: Page) => Promise<void>;
  /** Name of the dialog that this opens, where its address depends on the day. */
  opens?: string;
}

const screen = (route: string, name: string, address: string, prepare?: Screen['prepare']): Screen => ({
  route,
  name,
  address,
  ...(prepare === undefined ? {} : { prepare }),
});

/** Ticks the boxes of the first rows, so that the bar of bulk verbs comes. */
async function selectThree(page: Page): Promise<void> {
  const boxes = page.locator('tbody input[type=checkbox]');
  for (const index of [0, 1, 2]) await boxes.nth(index).check();
}

/** Every page, its sections and main dialogs and drawers, over the sample of `sample/fill-panel.ts`. */
export const SCREENS: readonly Screen[] = [
  screen('', 'overview', ''),
  screen('', 'palette', '', async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
  }),
  screen('', 'shortcuts', '', async (page) => {
    await page.keyboard.press('Shift+?');
    await page.getByRole('dialog').waitFor();
  }),
  screen('', 'bell', '', async (page) => {
    await page.locator('header button:has(.tabler-icon-bell)').click();
    await page.locator('li a').first().waitFor();
  }),
  screen('inbounds', 'inbounds', 'inbounds'),
  screen('inbounds', 'inbound-drawer', 'inbounds?show=2'),
  screen('inbounds', 'inbound-code', 'inbounds?code=1'),
  screen('inbounds', 'inbound-recipe', 'inbounds?inbound=new'),
  screen('inbounds', 'inbound-import', 'inbounds?inbound=import'),
  screen('inbounds/:id', 'inbound-editor', 'inbounds/1'),
  screen('inbounds/:id', 'inbound-new', 'inbounds/new'),
  screen('journal/:section?', 'journal', 'journal'),
  screen('journal/:section?', 'journal-entry', 'journal?entry=1'),
  screen('journal/:section?', 'journal-bin', 'journal/bin'),
  screen('clients', 'clients', 'clients'),
  screen('clients', 'clients-selected', 'clients', selectThree),
  screen('clients', 'clients-no-match', 'clients?q=nobody-of-this-name'),
  screen('clients', 'client-drawer', 'clients?client=lena.hoffmann%40example.org'),
  screen('clients', 'client-editor', 'clients?edit=lena.hoffmann%40example.org'),
  screen('clients', 'client-traffic', 'clients?client=lena.hoffmann%40example.org&traffic=edit'),
  screen('clients', 'client-external-link', 'clients?client=lena.hoffmann%40example.org&external=new'),
  screen('clients', 'client-ledger', 'clients?ledger=lena.hoffmann%40example.org'),
  screen('clients', 'clients-add-many', 'clients?tool=many'),
  screen('clients', 'clients-import', 'clients?tool=import'),
  screen('clients', 'client-code', 'clients?code=lena.hoffmann%40example.org'),
  screen('clients', 'clients-amounts', 'clients?tool=amounts'),
  screen('clients', 'clients-filtered', 'clients?status=active&group=VIP'),
  screen('traffic', 'traffic', 'traffic?period=month'),
  screen('traffic', 'traffic-client', 'traffic?subject=client&name=lena.hoffmann%40example.org'),
  screen('traffic', 'traffic-range', 'traffic?period=range&from=2026-01-01&to=2026-01-31'),
  screen('sessions', 'sessions', 'sessions'),
  screen('groups', 'groups', 'groups'),
  screen('groups', 'group-new', 'groups?group=new'),
  screen('groups', 'group-rename', 'groups?rename=VIP'),
  screen('groups', 'group-members', 'groups?members=VIP'),
  screen('groups/plans', 'plans', 'groups/plans'),
  screen('groups/plans', 'plan-editor', 'groups/plans?plan=1'),
  screen('groups/plans', 'plan-bring', 'groups/plans?bring=1'),
  screen('hosts', 'hosts', 'hosts'),
  screen('hosts', 'host-editor', 'hosts?host=1'),
  screen('hosts', 'host-many', 'hosts?host=many'),
  screen('nodes', 'nodes', 'nodes'),
  screen('nodes', 'node-drawer', 'nodes?show=1'),
  screen('nodes', 'node-editor', 'nodes?node=1'),
  screen('nodes', 'node-new', 'nodes?node=new'),
  screen('nodes/home', 'nodes-home', 'nodes/home'),
  screen('nodes/versions', 'nodes-versions', 'nodes/versions'),
  screen('nodes', 'nodes-trust', 'nodes?trust=ca'),
  screen('nodes', 'node-enrol', 'nodes?enrol=new'),
  screen('nodes/:id/drift', 'node-drift', 'nodes/1/drift'),
  screen('core/:section?', 'core-state', 'core/state'),
  screen('core/:section?', 'core-basics', 'core/basics'),
  screen('core/:section?', 'core-routing', 'core/routing'),
  screen('core/:section?', 'core-rule', 'core/routing?rule=1'),
  screen('core/:section?', 'core-outbounds', 'core/outbounds'),
  screen('core/:section?', 'core-outbound', 'core/outbounds?outbound=2'),
  screen('core/:section?', 'core-outbound-import', 'core/outbounds?import=links'),
  screen('core/:section?', 'core-balancers', 'core/balancers'),
  screen('core/:section?', 'core-balancer', 'core/balancers?balancer=0'),
  screen('core/:section?', 'core-dns', 'core/dns'),
  screen('core/:section?', 'core-dns-server', 'core/dns?server=1'),
  screen('core/:section?', 'core-subscriptions', 'core/subscriptions'),
  screen('core/:section?', 'core-subscription', 'core/subscriptions?subscription=new'),
  screen('core/:section?', 'core-providers', 'core/providers'),
  screen('core/:section?', 'core-template', 'core/template'),
  screen('settings/:section?', 'settings-general', 'settings/general'),
  screen('settings/:section?', 'settings-security', 'settings/security'),
  screen('settings/:section?', 'settings-two-factor', 'settings/security?twoFactor=on'),
  screen('settings/:section?', 'settings-token', 'settings/security?token=new'),
  screen('settings/:section?', 'settings-certificates', 'settings/certificates'),
  screen('settings/:section?', 'settings-certificate', 'settings/certificates?certificate=new'),
  screen('settings/:section?', 'settings-certificate-details', 'settings/certificates?details=1'),
  screen('settings/:section?', 'settings-subscription', 'settings/subscription'),
  screen('settings/:section?', 'settings-bot', 'settings/bot'),
  screen('settings/:section?', 'settings-notifications', 'settings/notifications'),
  screen('settings/:section?', 'settings-webhook', 'settings/notifications?webhook=new'),
  screen('settings/:section?', 'settings-webhook-log', 'settings/notifications?deliveries=1'),
  screen('settings/:section?', 'settings-directory', 'settings/directory'),
  screen('settings/:section?', 'settings-directory-plan', 'settings/directory?plan=now'),
  screen('settings/:section?', 'settings-backup', 'settings/backup'),
  {
    ...screen('settings/:section?', 'settings-restore', 'settings/backup', async (page) => {
      await page.locator('tbody button').first().click();
      await page.getByRole('dialog').waitFor();
    }),
    opens: 'restore',
  },
  screen('logs', 'logs', 'logs'),
  screen('logs', 'logs-access', 'logs?source=access'),
  screen('api-reference', 'api-reference', 'api-reference'),
  screen('about', 'about', 'about'),
  screen('/panel/first-run', 'first-run', 'first-run'),
];
