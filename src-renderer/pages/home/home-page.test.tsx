import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConnectionView } from '../../../src-main/bridge/contract.ts';
import type { PanelCard, PanelHit, PanelsVerbs, PanelsChoices, PanelsView } from '../../../src-main/bridge/panels.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { HomePage } from './home-page.tsx';
import { testingCard } from './panels/testing-card.ts';

const CHOICES: PanelsChoices = {
  isWatching: true,
  quiet: null,
  muted: {},
  order: [],
  groups: {},
  layout: 'cards',
  sort: 'need',
  isFirstPage: false,
  hasShortcut: false,
};
const connection = (id: string, name: string): ConnectionView => ({
  id,
  name,
  color: 'teal',
  address: `https://${id}.example/`,
  signIn: 'token',
  trust: { mode: 'verify' },
  isCurrent: false,
  lastUsedAtMs: 0,
});
const HIT: PanelHit = {
  panelId: 'de',
  kind: 'client',
  ref: 'ali@example.org',
  title: 'ali@example.org',
  detail: 'sub-1',
  readAtMs: Date.now() - 180_000,
};

/** Calls the page made to the window. */
let calls: unknown[];
let listener: (cards: PanelCard[]) => void;
let choices: PanelsChoices;
beforeEach(() => {
  calls = [];
  choices = CHOICES;
  const view = (): PanelsView => ({
    cards: [
      testingCard('de'),
      testingCard('fr', { state: 'down', detail: 'ECONNREFUSED', readAtMs: Date.now() - 3_600_000 }),
    ],
    choices,
    isKept: true,
    shortcut: 'Ctrl Shift Space',
  });
  const note =
    <T,>(verb: string, result: T) =>
    async (...args: unknown[]): Promise<T> => {
      calls.push([verb, ...args]);
      return result;
    };
  Object.assign(globalThis, {
    desktop: {
      connections: { list: async () => [connection('de', 'Frankfurt'), connection('fr', 'Paris')] },
      jobs: { unfinished: async () => [] },
      panels: {
        show: async () => view(),
        onCards: (listen: typeof listener) => {
          listener = listen;
          return () => undefined;
        },
        refresh: note('refresh', undefined),
        setChoices: note('setChoices', undefined),
        open: note('open', undefined),
        search: async () => ({ hits: [HIT], isCut: false, tookMs: 1 }),
        inventory: async () => ({
          inbounds: [
            {
              id: 1,
              name: 'Door',
              tag: 't',
              protocol: 'vless',
              listen: '',
              port: 443,
              enable: true,
              totalBytes: 0,
              usedBytes: 1024,
              expiresAtMs: 0,
              clientCount: 10,
            },
          ],
          hosts: [],
          nodes: [],
          settings: [{ key: 'webPort', value: '2053' }],
          readAtMs: Date.now() - 3_600_000,
          clientCount: 1,
          clientsReadAtMs: Date.now() - 3_600_000,
        }),
        clients: note('clients', {
          clients: [
            {
              email: 'sara@example.org',
              subId: '',
              uuid: '',
              comment: 'note',
              group: '',
              enable: true,
              totalBytes: 0,
              usedBytes: 0,
              expiresAtMs: 0,
            },
          ],
          found: 1,
        }),
      },
    },
  });
});
afterEach(() => Reflect.deleteProperty(globalThis, 'desktop'));

const render = (address = '/desktop/home') => renderPage(<HomePage />, {}, address);
const tile = (name: string) => screen.findByRole('article', { name });

describe('all panels', () => {
  it('are sorted by need with totals, and follow new readings', async () => {
    await render();
    await tile('Paris');
    expect(screen.getAllByRole('article').map((each) => each.getAttribute('aria-label'))).toEqual([
      'Paris',
      'Frankfurt',
    ]);
    expect(within(await tile('Paris')).getByText('ECONNREFUSED')).toBeTruthy();
    expect(within(await tile('Paris')).getByText(/read 1 hour ago/)).toBeTruthy();
    expect(screen.getByText('1 of 2')).toBeTruthy();
    act(() =>
      listener([testingCard('de', { matters: [{ kind: 'coreError', name: '', value: 0, words: 'bad config' }] })]),
    );
    expect(await within(await tile('Frankfurt')).findByText('The core stopped with an error. bad config')).toBeTruthy();
  });

  it('open with the keyboard alone: a search result, and a panel', async () => {
    await render('/desktop/home?search=');
    await userEvent.keyboard('ali');
    expect(await screen.findByRole('option', { name: /ali@example.org.*Frankfurt.*read 3 minutes ago/s })).toBeTruthy();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => calls).toEqual([['open', { id: 'de', path: '/panel/clients?client=ali%40example.org' }]]);
    await userEvent.click(screen.getByRole('button', { name: 'Open Paris' }));
    expect(calls.at(-1)).toEqual(['open', { id: 'fr', path: '/panel' }]);
  });

  it('open what was typed last, even before it is found', async () => {
    const hits = ['mark', 'sara'].map((name) => ({ ...HIT, ref: name, title: name }));
    const { panels } = (globalThis as unknown as { desktop: { panels: Pick<PanelsVerbs, 'search'> } }).desktop;
    panels.search = async (words) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { hits: hits.filter(({ title }) => title.includes(words)), isCut: false, tookMs: 1 };
    };
    await render('/desktop/home?search=');
    await userEvent.keyboard('ar');
    await screen.findByRole('option', { name: /mark/ });
    await userEvent.keyboard('a{Enter}');
    await expect.poll(() => calls).toEqual([['open', { id: 'de', path: '/panel/clients?client=sara' }]]);
  });

  it('say why they cannot be listed or searched', async () => {
    const { desktop } = globalThis as unknown as {
      desktop: { connections: object; panels: Pick<PanelsVerbs, 'search'> };
    };
    desktop.panels.search = () => Promise.reject(new Error('the disk is full'));
    await render('/desktop/home?search=');
    await userEvent.keyboard('ar');
    expect(await screen.findByText('the disk is full')).toBeTruthy();
    Object.assign(desktop.connections, { list: () => Promise.reject(new Error('the file is damaged')) });
    await render();
    expect(await screen.findByText('the file is damaged')).toBeTruthy();
  });

  it('show the last reading of one that does not answer', async () => {
    await render();
    await userEvent.click(within(await tile('Paris')).getByRole('button', { name: 'Paris' }));
    const drawer = await screen.findByRole('dialog', { name: 'Paris' });
    expect(within(drawer).getByText(/This panel cannot be reached/)).toBeTruthy();
    await userEvent.click(await within(drawer).findByRole('tab', { name: 'Inbounds' }));
    expect(await within(drawer).findByText('Door')).toBeTruthy();
    await userEvent.click(within(drawer).getByRole('tab', { name: 'Clients' }));
    expect(await within(drawer).findByText('sara@example.org')).toBeTruthy();
    await userEvent.click(within(drawer).getByRole('searchbox', { name: 'Find a client' }));
    await userEvent.paste('x'.repeat(1_001));
    await expect.poll(() => calls.at(-1)).toMatchObject(['clients', { text: expect.stringMatching(/^x+$/) as string }]);
    // The window takes no more.
    const [, { text }] = calls.at(-1) as [string, { text: string }];
    expect(text.length).toBeLessThanOrEqual(1_000);
  });

  it('are shown in groups and in a custom order', async () => {
    choices = { ...CHOICES, sort: 'own', groups: { fr: 'Customers' } };
    await render();
    expect(await screen.findByRole('heading', { name: 'Customers' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'More of Frankfurt' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Group…' }));
    await userEvent.type(await screen.findByRole('combobox', { name: 'Group' }), 'Customers{Enter}');
    const groups = { fr: 'Customers', de: 'Customers' };
    expect(calls.at(-1)).toMatchObject(['setChoices', { groups }]);
    await userEvent.click(screen.getByRole('button', { name: 'More of Frankfurt' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Move back' }));
    expect(calls.at(-1)).toEqual(['setChoices', { ...choices, groups, order: ['fr', 'de'] }]);
  });

  it('fill a wall without actions, and Escape leaves it', async () => {
    await render('/desktop/home?wall=');
    await tile('Paris');
    expect(screen.queryByRole('button', { name: 'Open Paris' })).toBeNull();
    await userEvent.keyboard('{Escape}');
    expect(await screen.findByRole('button', { name: 'Open Paris' })).toBeTruthy();
  });

  it('stay on the wall when Escape closes the drawer of one', async () => {
    await render('/desktop/home?wall=');
    await userEvent.click(within(await tile('Paris')).getByRole('button', { name: 'Paris' }));
    await screen.findByRole('dialog', { name: 'Paris' });
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Open Paris' })).toBeNull();
    await userEvent.keyboard('{Escape}');
    expect(await screen.findByRole('button', { name: 'Open Paris' })).toBeTruthy();
  });

  it('leave the focus in an open dialog when the shortcut of the search is pressed', async () => {
    await render('/desktop/home?watch=');
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Paris: Quota' }));
    await userEvent.keyboard('{Control>}k{/Control}');
    expect(dialog.contains(document.activeElement)).toBe(true);
  });

  it('are watched as configured: kinds of each panel, quiet hours', async () => {
    await render('/desktop/home?watch=');
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Paris: Quota' }));
    expect(calls.at(-1)).toMatchObject(['setChoices', { muted: { fr: ['quota'] } }]);
    await userEvent.click(screen.getByLabelText(/^Quiet hours/));
    expect(calls.at(-1)).toMatchObject(['setChoices', { quiet: { fromMin: 1320, toMin: 420 } }]);
    expect(await screen.findByLabelText('From')).toBeTruthy();
  });
});
