import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { DirectoryPlan, DirectoryRun, DirectoryState, DirectoryTest } from '#contract/directory';
import { renderPage } from '../../../testing/render-page.tsx';
import { DirectorySection } from './directory-section.tsx';

const COUNTS = { create: 0, attach: 0, enable: 0, disable: 0, detach: 0 };
const HELD: DirectoryRun = {
  at: Date.UTC(2026, 0, 5, 12),
  isScheduled: true,
  outcome: 'held',
  entries: 9,
  counts: { ...COUNTS, detach: 11 },
  heldFor: 'tenth',
  unknownTags: ['no-such-tag'],
  skipped: [],
  failure: null,
};
const STATE: DirectoryState = { isEnabled: true, isRunning: false, lastRun: HELD, lastDoneAt: HELD.at };
const PLAN: DirectoryPlan = {
  id: 'this one',
  entries: 9,
  clients: 20,
  create: [],
  attach: [],
  enable: ['back@example.org'],
  disable: [],
  detach: ['gone@example.org', 'away@example.org'],
  leftOut: [{ name: 'a b', why: 'unusable' }],
  unknownTags: [],
  heldFor: 'tenth',
};
const FAILED: DirectoryTest = {
  stage: 'bind',
  unused: ['tls'],
  entries: 0,
  failure: { stage: 'bind', code: 'directory.credentials', params: { text: '0x31' }, reason: 'refused: Code: 0x31' },
};

it('shows what a run waits for, shows the plan, and confirms exactly that one', async () => {
  const { sent } = await renderPage(<DirectorySection />, {
    'GET /panel/api/directory/state': STATE,
    'POST /panel/api/directory/plan': PLAN,
    'POST /panel/api/directory/apply': { ...HELD, outcome: 'done' },
  });
  await screen.findByText(/More than a tenth of the clients would lose access/);
  expect(screen.getByText('9 entries found · 11 clients leave the inbounds')).toBeTruthy();
  expect(screen.getByText('no-such-tag')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show what a run would change' }));
  const dialog = within(await screen.findByRole('dialog'));
  const gone = within(await dialog.findByRole('group', { name: '2 clients leave the inbounds' }));
  expect(gone.getByText('gone@example.org')).toBeTruthy();
  expect(dialog.getByRole('group', { name: '1 client enabled' })).toBeTruthy();
  expect(dialog.getByText('a b (no client can have this name)')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Make 3 changes' }));
  await expect
    .poll(() => sent.filter(({ path }) => path.endsWith('/apply')).map(({ body }) => body))
    .toEqual([{ id: 'this one' }]);
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  // Another would be read from the whole directory.
  expect(sent.filter(({ path }) => path.endsWith('/plan'))).toHaveLength(1);
});

it('shows the stage a test reached and the directory’s message', async () => {
  await renderPage(<DirectorySection />, {
    'GET /panel/api/directory/state': { ...STATE, lastRun: null },
    'POST /panel/api/directory/test': FAILED,
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Test the connection' }));
  const result = within(await screen.findByRole('alert', { name: 'Connection test' }));
  expect(result.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Connectionpassed',
    'TLS(not used)',
    'Signing in(stopped here)',
    'Search(not reached)',
  ]);
  expect(result.getByText(/0x31/)).toBeTruthy();
});

it('shows the new plan when the directory has changed meanwhile', async () => {
  const changed = Object.assign(new Error('it has changed'), { code: 'directory.planChanged' });
  let plans = 0;
  await renderPage(
    <DirectorySection />,
    {
      'GET /panel/api/directory/state': STATE,
      'POST /panel/api/directory/plan': () => ({ ...PLAN, entries: 9 + plans++ }),
      'POST /panel/api/directory/apply': changed,
    },
    '/?plan=now',
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Make 3 changes' }));
  await screen.findByText('10 entries found');
  expect(screen.getByText('it has changed')).toBeTruthy();
});
