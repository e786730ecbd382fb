import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { JournalPage } from './journal-page.tsx';

const LIST = 'GET /panel/api/journal/list';
const ENTRY = 'GET /panel/api/journal/entry/7';
const PREVIEW = 'GET /panel/api/journal/undo/7';
const UNDO = 'POST /panel/api/journal/undo/7';
const entry = {
  id: 7,
  at: 1_700_000_000_000,
  actor: 'token',
  name: 'shop <b>',
  address: '192.0.2.7',
  verb: 'POST /panel/api/clients/bulkDel',
  parts: [{ kind: 'client', action: 'deleted', count: 7, names: ['anna <i>', 'bert'], fields: [] }],
  rowCount: 21,
  undoOf: 0,
  undoneBy: 0,
  undoRefusal: '',
  hash: 'a'.repeat(64),
};
const row = {
  kind: 'client',
  subject: 'anna <i>',
  table: 'clients',
  action: 'deleted',
  fields: [
    { name: 'quotaBytes', before: 2048, after: null, isSecret: false },
    { name: 'tgId', before: 14_429, after: null, isSecret: false },
    { name: 'uuid', before: '•••', after: null, isSecret: true },
  ],
};

it('lists who did what, shows before and after, and previews an undo before doing it', async () => {
  let refusals: unknown[] = [
    { code: 'journal.laterEntry', params: { name: 'anna', id: 9 }, msg: 'anna was changed again later', entryId: 9 },
  ];
  const { sent } = await renderPage(<JournalPage />, {
    [LIST]: { entries: [entry], hasMore: false },
    [ENTRY]: { entry, rows: [row], hasMore: false },
    [PREVIEW]: () => ({
      parts: [{ ...entry.parts[0], action: 'added' }],
      rows: [],
      hasMore: false,
      refusals,
    }),
    [UNDO]: { entryId: 8, parts: [], coreError: '', nodePending: false },
  });
  expect(await screen.findByText(/API token: shop <b> · 192\.0\.2\.7/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /7 clients deleted: .*anna <i>.*and 5 more/ }));
  const drawer = within(await screen.findByRole('dialog'));
  expect(await drawer.findByText('2 KiB')).toBeTruthy();
  expect(drawer.getByText('14429')).toBeTruthy();
  expect(drawer.getByText('secret')).toBeTruthy();

  await userEvent.click(drawer.getByRole('button', { name: 'Take it back' }));
  expect(await drawer.findByText(/7 clients will come back/)).toBeTruthy();
  expect(drawer.getByText('anna was changed again later')).toBeTruthy();
  expect(drawer.getByRole('button', { name: 'Take it back' })).toHaveProperty('disabled', true);
  await userEvent.click(drawer.getByRole('button', { name: 'Cancel' }));

  refusals = [];
  await userEvent.click(drawer.getByRole('button', { name: 'Take it back' }));
  await expect.poll(() => drawer.getByRole('button', { name: 'Take it back' }).hasAttribute('disabled')).toBe(false);
  await userEvent.click(drawer.getByRole('button', { name: 'Take it back' }));
  await expect.poll(() => sent.some(({ method, path }) => `${method} ${path}` === UNDO)).toBe(true);
});

it('restores items from the bin, and erases those whose name was typed', async () => {
  const item = { kind: 'client', id: 3, name: 'cleo', entryId: 7, deletedAt: entry.at, goneAt: entry.at + 1 };
  const { sent } = await renderPage(
    <JournalPageAtBin />,
    {
      'GET /panel/api/journal/bin': { items: [item], total: 1 },
      'POST /panel/api/journal/bin/restore': { restored: 1, skipped: [] },
      'POST /panel/api/journal/bin/erase': { erased: 1 },
    },
    '/panel/journal/bin',
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Bring back cleo' }));
  await expect.poll(() => sent.findLast(({ method }) => method === 'POST')?.body).toEqual({ kind: 'client', ids: [3] });

  await userEvent.click(screen.getByRole('button', { name: 'Delete for good: cleo' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('button', { name: 'Delete for good' })).toHaveProperty('disabled', true);
  await userEvent.type(dialog.getByRole('textbox'), 'cleo');
  await userEvent.click(dialog.getByRole('button', { name: 'Delete for good' }));
  await expect.poll(() => sent.findLast(({ method }) => method === 'POST')?.path).toBe('/panel/api/journal/bin/erase');
});

it('goes to the last page of the bin when the current one is empty', async () => {
  const item = { kind: 'client', id: 3, name: 'cleo', entryId: 7, deletedAt: entry.at, goneAt: entry.at + 1 };
  const { sent } = await renderPage(
    <JournalPageAtBin />,
    {
      'GET /panel/api/journal/bin': ({ path }: { path: string }) => ({
        items: path.includes('skip=0') ? [item] : [],
        total: 50,
      }),
    },
    '/panel/journal/bin?page=2',
  );
  await screen.findByRole('button', { name: 'Bring back cleo' });
  expect(sent.some(({ path }) => path.includes('skip=50'))).toBe(true);
});

function JournalPageAtBin() {
  return (
    <Routes>
      <Route path="/panel/journal/:section?" element={<JournalPage />} />
    </Routes>
  );
}

it('calls settings what their page calls them', async () => {
  const part = { kind: 'setting', action: 'changed', count: 2, names: ['expireDiff', 'elsewhere'], fields: [] };
  const changed = { ...entry, parts: [part] };
  const fields = [{ name: 'expireDiff', before: 1, after: 3, isSecret: false }];
  await renderPage(<JournalPage />, {
    [LIST]: { entries: [changed], hasMore: false },
    [ENTRY]: { entry: changed, rows: [{ ...row, kind: 'setting', action: 'changed', fields }], hasMore: false },
  });
  await userEvent.click(
    await screen.findByRole('button', { name: /2 settings changed: .*Expiring: days left.*elsewhere/ }),
  );
  expect(await screen.findByRole('rowheader', { name: 'Expiring: days left' })).toBeTruthy();
});

function Visits() {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setOpen(!isOpen)}>
        Another page
      </button>
      {isOpen && <JournalPage />}
    </>
  );
}

it('has what was changed since the last visit', async () => {
  let entries = [entry];
  await renderPage(<Visits />, { [LIST]: () => ({ entries, hasMore: false }) });
  await screen.findByRole('button', { name: /7 clients deleted/ });
  const elsewhere = screen.getByRole('button', { name: 'Another page' });
  await userEvent.click(elsewhere);
  entries = [{ ...entry, id: 8, parts: entry.parts.map((part) => ({ ...part, count: 3 })) }, entry];
  await userEvent.click(elsewhere);
  expect(await screen.findByRole('button', { name: /3 clients deleted/ })).toBeTruthy();
});
