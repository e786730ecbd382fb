import { Notifications, notifications } from '@mantine/notifications';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ClientPage } from '#contract/clients/list';
import { renderPage, type Responses } from '../../../testing/render-page.tsx';
import { useActions } from '../actions/action-store.ts';
import { ClientsPage } from '../clients-page.tsx';
import { AmountsDialog } from './amounts-dialog.tsx';
import { readAmounts, useAmounts } from './amounts-store.ts';
import { daysToAdd } from './extension.ts';
import { useRowMenu } from './row-menu-store.ts';

const DAY = 86_400_000;
const API = '/panel/api/clients';
const EXPIRY = Date.now() + 10 * DAY;

const row = {
  email: 'anna',
  subId: 's-1',
  enable: true,
  totalGB: 0,
  expiryTime: EXPIRY,
  limitIp: 0,
  reset: 0,
  resetDay: 0,
  planId: 0,
  group: '',
  comment: '',
  inboundIds: [],
  traffic: { up: 0, down: 0, enable: true },
  lastOnline: 0,
  createdAt: 0,
  updatedAt: 0,
};
const counts = { total: 1, active: 1, onlineCount: 0, depletedCount: 0, exhaustedCount: 0 };
const summary = { ...counts, expiredCount: 0, expiringCount: 0, deactiveCount: 0 };
const PAGE: ClientPage = {
  items: [row],
  total: 1,
  filtered: 1,
  page: 1,
  pageSize: 25,
  summary: { ...summary, online: [], depleted: [], expiring: [], deactive: [] },
  groups: [],
};

async function show(responses: Responses = {}) {
  const page = (
    <>
      <Notifications />
      <ClientsPage />
    </>
  );
  const { sent } = await renderPage(page, {
    [`GET ${API}/list/paged`]: PAGE,
    'GET /panel/api/inbounds/options': [],
    [`GET ${API}/get/anna`]: { client: { ...row, uuid: 'u' }, inboundIds: [], externalLinks: [], usedTraffic: 0 },
    [`GET ${API}/links/anna`]: ['vless://u@192.0.2.1:443#Door'],
    'POST /panel/api/setting/defaultSettings': { subEnable: true, subURI: 'https://sub.example/s' },
    ...responses,
  });
  const line = await screen.findByRole('row', { name: /^Select anna/ });
  return { line, bodyOf: (path: string) => sent.find((request) => request.path.startsWith(path))?.body };
}
const choose = async (name: string | RegExp) => userEvent.click(await screen.findByRole('menuitem', { name }));

beforeEach(() => {
  notifications.clean();
  useRowMenu.getState().close();
  useAmounts.getState().set({ days: [30], gib: [] });
});

describe('the menu of a row', () => {
  it('opens by key and by its button, one for the list, and gives the focus back', async () => {
    const { line } = await show();
    line.focus();
    await userEvent.keyboard('m');
    expect(await screen.findByRole('menu', { name: 'Actions for anna' })).toBeDefined();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    expect(document.activeElement).toBe(line);
    await userEvent.click(within(line).getByRole('button', { name: 'Actions for anna' }));
    await choose('Reset traffic…');
    expect(useActions.getState().dialog).toMatchObject({ action: 'reset', emails: ['anna'] });
    useActions.getState().close();
  });

  it('leaves keys with Ctrl or Alt to the browser', async () => {
    const { line } = await show();
    line.focus();
    for (const modifier of ['ctrlKey', 'metaKey', 'altKey'])
      for (const key of ['m', 'e', 'Delete']) expect(fireEvent.keyDown(line, { key, [modifier]: true })).toBe(true);
    expect(screen.queryByRole('menu')).toBeNull();
    expect(useActions.getState().dialog).toBeNull();
  });

  it('adds own amounts, and takes them back', async () => {
    useAmounts.getState().set({ days: [30, 90], gib: [50] });
    let added = 0;
    const { line, bodyOf } = await show({
      [`POST ${API}/bulkAdjust`]: ({ body }: { body: { addDays: number } }) => {
        added += body.addDays;
        return { adjusted: 1, skipped: [] };
      },
      [`GET ${API}/list/paged`]: () => ({ ...PAGE, items: [{ ...row, expiryTime: EXPIRY + added * DAY }] }),
    });
    line.focus();
    await userEvent.keyboard('m');
    expect(await screen.findByRole('menuitem', { name: '+30 days' })).toBeDefined();
    // Its quota has no end: there is nothing to add to.
    expect(screen.queryByRole('menuitem', { name: '+50 GiB' })).toBeNull();
    await choose('+90 days');
    await waitFor(() =>
      expect(bodyOf(`${API}/bulkAdjust`)).toMatchObject({ emails: ['anna'], addDays: 90, addBytes: 0 }),
    );
    expect(await screen.findByText('anna: +90 days.')).toBeDefined();
    expect(await screen.findByText('in 100 days')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('in 10 days')).toBeDefined();
  });

  it('copies the subscription, and shows the code where there is no clipboard', async () => {
    // Stands in for the clipboard of a browser.
    userEvent.setup();
    const { line } = await show();
    line.focus();
    await userEvent.keyboard('m');
    await choose('Copy link');
    expect(await screen.findByText('Subscription of anna is copied.')).toBeDefined();
    expect(await navigator.clipboard.readText()).toBe('https://sub.example/s/s-1');
    line.focus();
    await userEvent.keyboard('m');
    await choose('Show code');
    const dialog = within(await screen.findByRole('dialog', { name: 'anna' }));
    expect(await dialog.findByRole('img')).toBeDefined();
    await userEvent.click(dialog.getByRole('combobox', { name: 'Code of' }));
    await userEvent.click(await screen.findByRole('option', { name: 'vless · Door' }));
    expect(dialog.getByDisplayValue('vless://u@192.0.2.1:443#Door')).toBeDefined();
  });

  it('ends open connections and says how many', async () => {
    const report = { step: 'cut', connections: 2, left: [], leftCount: 0, offers: [], note: '' };
    const { line, bodyOf } = await show({ [`POST ${API}/sessions/end`]: report });
    line.focus();
    await userEvent.keyboard('m');
    await choose('End sessions');
    expect(await screen.findByText('2 connections of anna are ended.')).toBeDefined();
    expect(bodyOf(`${API}/sessions/end`)).toEqual({ emails: ['anna'], how: 'cut' });
  });
});

it('adds days from now where the expiry is over', () => {
  const now = 100 * DAY;
  expect(daysToAdd(now + DAY, 30, now)).toBe(30);
  expect(daysToAdd(-5 * DAY, 30, now)).toBe(30);
  expect(daysToAdd(now - 1.5 * DAY, 30, now)).toBe(32);
});

it('keeps a typed comma inside its amount', async () => {
  await renderPage(<AmountsDialog onClose={() => undefined} />, {});
  await userEvent.type(await screen.findByLabelText('Traffic in GiB', { selector: 'input' }), '1,5{Enter}');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(useAmounts.getState().gib).toEqual([1.5]);
});

it('reads amounts in the digits and with the decimal sign of any keyboard', () => {
  expect(readAmounts(['۳۰', '٤٥', '۱٫۵', '2,5', '۰'], 100)).toEqual([30, 45, 1.5, 2.5]);
});
