import { Notifications } from '@mantine/notifications';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { expect, test } from 'vitest';
import type { DriftBoard, DriftRow } from '#contract/nodes/drift';
import { renderPage } from '../../../testing/render-page.tsx';
import { nodeRow } from '../testing-node.ts';
import { DriftPage } from './drift-page.tsx';

const API = '/panel/api/nodes/drift/1';
const row = (more: Partial<DriftRow>): DriftRow => ({
  kind: 'inbound',
  key: 'in-443-tcp',
  name: 'n1-in-443-tcp',
  id: 7,
  state: 'differs',
  isLeft: false,
  isWaiting: false,
  fields: [],
  ...more,
});
const field = (more: object) =>
  ({ inbound: '', isSecret: false, isAppliedKnown: true, applied: null, ...more }) as never;

const board = (more: Partial<DriftBoard>): DriftBoard => ({
  readAt: 1_700_000_000_000,
  remoteEdits: 'show',
  inbounds: { total: 2, differ: 2, left: 0 },
  clients: { total: 9, differ: 3, left: 1 },
  isCut: false,
  total: 2,
  rows: [
    row({
      isWaiting: true,
      fields: [
        field({ field: 'total', want: 0, applied: 0, has: 1_073_741_824 }),
        field({ field: 'port', want: 8443, applied: 8443, has: 9443 }),
        field({ field: 'streamSettings.realitySettings.privateKey', isSecret: true, want: null, has: null }),
      ],
    }),
    row({ key: 'in-8443-tcp', name: 'in-8443-tcp', id: 0, state: 'onlyThere' }),
  ],
  ...more,
});

const page = (
  <>
    <Notifications />
    <Routes>
      <Route path="/panel/nodes/:id/drift" element={<DriftPage />} />
    </Routes>
  </>
);
const show = (responses: object = {}, query = '') =>
  renderPage(
    page,
    {
      'GET /panel/api/nodes/list': [nodeRow({ id: 1, name: 'far' })],
      [`POST ${API}/read`]: { readAt: 1_700_000_000_000, underWay: 0 },
      [`GET ${API}`]: board({}),
      [`POST ${API}/settle`]: { settled: 2, skipped: [] },
      ...responses,
    },
    `/panel/nodes/1/drift${query}`,
  );

test('goes to the last page when the current one is empty', async () => {
  const { sent } = await show(
    {
      [`GET ${API}`]: ({ path }: { path: string }) =>
        board({ total: 26, rows: path.includes('page=2') ? board({}).rows : [] }),
    },
    '?page=3',
  );
  await screen.findByText('n1-in-443-tcp');
  expect(sent.some(({ path }) => path.includes('page=3'))).toBe(true);
});

test('reads the node on opening and shows three values per field; of a secret only that it differs', async () => {
  const { sent } = await show();
  const item = await screen.findByRole('article', { name: 'n1-in-443-tcp' });
  expect(sent.map(({ path }) => path)).toContain(`${API}/read`);
  const quota = within(item).getByRole('row', { name: /Quota/ });
  const values = within(quota).getAllByRole('cell');
  expect(values.map(({ textContent }) => textContent)).toEqual([
    'unlimited',
    'unlimited',
    expect.stringContaining('1'),
  ]);
  expect(within(item).getByText('9443')).toBeTruthy();
  expect(within(item).getByRole('row', { name: /privateKey/ }).textContent).toContain('differs, not shown');
  expect(within(item).getByText('A change made here waits')).toBeTruthy();
  // What only the node has can be taken over or left, not overwritten.
  const own = screen.getByRole('article', { name: 'in-8443-tcp' });
  expect(within(own).queryByRole('button', { name: /^Send/ })).toBeNull();
});

test('asks once before everything is sent, with the number of each kind', async () => {
  const { sent } = await show();
  await userEvent.click(await screen.findByRole('button', { name: 'Send all' }));
  const confirmation = await screen.findByRole('dialog');
  expect(confirmation.textContent).toContain('Inbounds: 2. Clients: 2.');
  await userEvent.click(within(confirmation).getByRole('button', { name: 'Send' }));
  expect(await screen.findByText('2 sent.')).toBeTruthy();
  expect(sent.find(({ path }) => path === `${API}/settle`)?.body).toEqual({ verb: 'send', items: [] });
});

test('takes one over at once, and shows what was left out with the reason', async () => {
  const refusal = { code: 'node.driftMissing', params: { name: 'bob' } };
  const { sent } = await show({
    [`POST ${API}/settle`]: { settled: 0, skipped: [{ name: 'bob', text: 'not there', refusal }] },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Take over: n1-in-443-tcp' }));
  expect(await screen.findByText(/1 was left out: bob/)).toBeTruthy();
  expect(sent.find(({ path }) => path === `${API}/settle`)?.body).toEqual({
    verb: 'adopt',
    items: [{ kind: 'inbound', key: 'in-443-tcp' }],
  });
});
