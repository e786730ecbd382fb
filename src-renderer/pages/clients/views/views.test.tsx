import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { SlimClientRow } from '#contract/clients/list';
import { Notifications } from '@mantine/notifications';
import { renderPage, type Responses } from '../../../testing/render-page.tsx';
import * as files from '../../../ui/files/save-file.ts';
import { useSelection } from '../bulk/selection-store.ts';
import { ClientsPage } from '../clients-page.tsx';
import { readAddress } from '../filters/list-address.ts';
import { useColumns } from '../list/columns/column-store.ts';
import { clientsCsv, readRows } from './clients-csv.ts';
import { changeTo, queryOf } from './view-query.ts';

const rowOf = (email: string, part: Partial<SlimClientRow> = {}): SlimClientRow => ({
  email,
  subId: '',
  enable: true,
  totalGB: 1024,
  expiryTime: Date.UTC(2026, 0, 2),
  limitIp: 0,
  reset: 0,
  resetDay: 0,
  group: 'vip',
  planId: 0,
  comment: '',
  inboundIds: [1, 2],
  traffic: { up: 1, down: 2, enable: true },
  lastOnline: 0,
  createdAt: Date.UTC(2026, 0, 1),
  updatedAt: Date.UTC(2026, 0, 1),
  ...part,
});
const counts = { total: 1, active: 1, onlineCount: 0, depletedCount: 0, exhaustedCount: 0, expiredCount: 0 };
const summary = { ...counts, expiringCount: 0, deactiveCount: 0, online: [], depleted: [], expiring: [], deactive: [] };
const pageOf = (items: readonly SlimClientRow[]) => ({
  items,
  total: items.length,
  filtered: items.length,
  page: 1,
  pageSize: 25,
  summary,
  groups: ['vip'],
});
const addressOf = (query: string) => readAddress(new URLSearchParams(query));

async function show(address: string, responses: Responses = {}) {
  const { sent } = await renderPage(
    <>
      <Notifications />
      <ClientsPage />
    </>,
    {
      'GET /panel/api/clients/list/paged': pageOf([rowOf('anna')]),
      'GET /panel/api/inbounds/options': [],
      ...responses,
    },
    address,
  );
  const listed = () => sent.filter(({ path }) => path.includes('/list/paged')).map(({ path }) => path);
  return { sent, listed };
}

beforeEach(() => {
  useColumns.getState().reset();
  useSelection.getState().clear();
});

it('keeps filters, order, columns and density as a view, and shows them again', async () => {
  const columns = { order: ['expiry', 'state'], shown: ['expiry'], density: 'compact', widths: {} };
  const stored = { name: 'Late', view: { query: { status: 'expired', sort: 'email' }, columns } };
  const { sent, listed } = await show('/?group=vip&page=3', {
    'GET /panel/api/views/clients': [stored],
    'POST /panel/api/views/clients/save': stored,
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Views' }));
  await userEvent.type(await screen.findByLabelText(/^Save what is shown as/), 'VIPs');
  await userEvent.click(screen.getByRole('button', { name: 'Save view' }));
  await waitFor(() =>
    expect(sent.find(({ path }) => path.endsWith('/save'))?.body).toMatchObject({
      name: 'VIPs',
      view: { query: { group: 'vip' }, columns: { density: 'comfortable' } },
    }),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Late' }));
  await waitFor(() => expect(listed().at(-1)).toContain('filter=expired'));
  expect(listed().at(-1)).toContain('sort=email');
  expect(listed().at(-1)).not.toContain('vip');
  expect(useColumns.getState()).toMatchObject({ shown: ['expiry'], density: 'compact' });
});

it('says why views cannot be read', async () => {
  await show('/', { 'GET /panel/api/views/clients': new Error('The database is away.') });
  await userEvent.click(await screen.findByRole('button', { name: 'Views' }));
  expect(await screen.findByText('The database is away.')).toBeTruthy();
});

it('gives back a view that was deleted', async () => {
  const columns = { order: [], shown: ['expiry'], density: 'compact', widths: {} };
  const stored = { name: 'Late', view: { query: { status: 'expired' }, columns } };
  const { sent } = await show('/', {
    'GET /panel/api/views/clients': [stored],
    'POST /panel/api/views/clients/delete': null,
    'POST /panel/api/views/clients/save': stored,
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Views' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete view Late' }));
  expect(await screen.findByText('View Late is deleted.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(sent.find(({ path }) => path.endsWith('/save'))?.body).toEqual(stored));
});

it('names every filter that is set, and takes each off by itself', async () => {
  const { listed } = await show('/?group=vip&status=expired&hasComment=yes');
  const chips = within(await screen.findByRole('group', { name: 'Filters in use' }));
  expect(chips.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Status: Expired',
    'Group: vip',
    expect.stringMatching(/: (Yes|With)/),
    'Clear search and filters',
  ]);
  await userEvent.click(chips.getByRole('button', { name: 'Remove the filter Group' }));
  await waitFor(() => expect(listed().at(-1)).not.toContain('group=vip'));
  expect(listed().at(-1)).toContain('filter=expired');
});

it('names a size of a filter in the unit that fits', async () => {
  await show('/panel/clients?usageFrom=0.5&usageTo=x');
  const chips = within(await screen.findByRole('group', { name: 'Filters in use' }));
  expect(chips.getByText('512 MiB')).toBeDefined();
  expect(chips.getByText('x')).toBeDefined();
});

it('saves the list as a spreadsheet', async () => {
  const saved = vi.spyOn(files, 'saveFile').mockImplementation(() => undefined);
  await show('/?group=vip', {
    'GET /panel/api/clients/list/paged': pageOf([
      rowOf('anna'),
      rowOf('=cmd', { planId: 9, expiryTime: -3 * 86_400_000 }),
    ]),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'More' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'List as CSV' }));
  await waitFor(() => expect(saved).toHaveBeenCalled());
  const [name, text] = saved.mock.calls[0] ?? [];
  expect(name).toBe('clients.csv');
  expect((text as string).split('\r\n').slice(1, 3)).toEqual([
    'anna,1,vip,,1024,1,2,2026-01-02T00:00:00.000Z,,,,,1 2,,,2026-01-01T00:00:00.000Z,2026-01-01T00:00:00.000Z',
    "'=cmd,1,vip,9,1024,1,2,,3,,,,1 2,,,2026-01-01T00:00:00.000Z,2026-01-01T00:00:00.000Z",
  ]);
  saved.mockRestore();
  expect(clientsCsv([])).toMatch(/^\uFEFFemail,/);
});

it('reads page after page until everybody named is found', async () => {
  const requestedPages: string[] = [];
  const call = async (_endpoint: unknown, { query }: { query: { page: string } }) => {
    requestedPages.push(query.page);
    return { items: [rowOf(`client-${query.page}`)], filtered: 1_000 };
  };
  const rows = await readRows(call as never, addressOf(''), new Set(['client-2']), () => undefined);
  expect(rows.map(({ email }) => email)).toEqual(['client-2']);
  expect(requestedPages).toEqual(['1', '2']);
});

it('reads each client once, also those that another order moved while it read', async () => {
  const emails = Array.from({ length: 201 }, (_, at) => `client-${at}`);
  const call = async (_endpoint: unknown, { query }: { query: { page: string; sort: string } }) => {
    // Traffic brought the last one to the first page after that was read.
    const now = query.sort === 'traffic' && query.page === '2' ? ['client-200', ...emails.slice(0, 200)] : emails;
    const from = (Number(query.page) - 1) * 200;
    return { items: now.slice(from, from + 200).map((email) => rowOf(email)), filtered: now.length };
  };
  const rows = await readRows(call as never, addressOf('sort=traffic'), null, () => undefined);
  expect(rows.map(({ email }) => email)).toEqual(emails);
});

it('reads every client that matches, also when others leave the list while it reads', async () => {
  const emails = Array.from({ length: 404 }, (_, at) => `client-${at}`);
  let gone = 0;
  const call = async (_endpoint: unknown, { query }: { query: { page: string } }) => {
    const now = emails.slice(gone);
    gone = 3;
    const from = (Number(query.page) - 1) * 200;
    return { items: now.slice(from, from + 200).map((email) => rowOf(email)), filtered: now.length };
  };
  const rows = await readRows(call as never, addressOf('status=active'), null, () => undefined);
  expect(rows.map(({ email }) => email)).toEqual(emails);
});

it('a view says nothing of the page, and puts aside what was chosen before', () => {
  expect(queryOf(addressOf('q=a&page=4&sort=email&order=descend&usageFrom=2'))).toEqual({
    q: 'a',
    sort: 'email',
    order: 'descend',
    usageFrom: '2',
  });
  expect(changeTo({ status: 'online', unknown: 'x' })).toMatchObject({ q: '', group: '', status: 'online', sort: '' });
  expect(changeTo({ unknown: 'x' })).not.toHaveProperty('unknown');
});
