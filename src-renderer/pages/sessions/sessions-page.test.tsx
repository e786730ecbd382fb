import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { LiveSession } from '#contract/liveSessions';
import { renderPage } from '../../testing/render-page.tsx';
import { SessionsPage } from './sessions-page.tsx';

const NOW = Date.UTC(2026, 4, 5);
const session = (email: string, part: Partial<LiveSession> = {}): LiveSession => ({
  email,
  guid: 'g',
  place: '',
  isHere: true,
  since: NOW - 65_000,
  addresses: [{ ip: '192.0.2.7', seen: NOW }],
  inbounds: [{ id: 1, name: 'Door', protocol: 'vless' }],
  up: 100,
  down: 2048,
  ...part,
});
const FAR = { guid: 'far-guid-1', place: 'Far', isHere: false, since: 0, up: null, down: null, addresses: [] };

async function show(address = '/') {
  const { sent } = await renderPage(
    <SessionsPage />,
    {
      'GET /panel/api/clients/sessions/live': {
        items: [session('ann'), session('ben', FAR)],
        total: 120,
        filtered: 120,
        places: [
          { guid: 'g', place: '', isHere: true, count: 100 },
          { guid: 'far-guid-1', place: 'Far', isHere: false, count: 20 },
        ],
        now: NOW,
      },
      'POST /panel/api/server/countries': { '192.0.2.7': 'NL' },
      'GET /panel/api/inbounds/options': [],
      'GET /panel/api/clients/sessions': { canCut: true, reason: '', recent: [] },
      'POST /panel/api/clients/sessions/end': {
        step: 'cut',
        connections: 1,
        left: [],
        leftCount: 0,
        offers: [],
        note: '',
      },
      'POST /panel/api/clients/sessions/endLive': {
        step: 'cut',
        connections: 9,
        left: [],
        leftCount: 0,
        offers: [],
        note: '',
      },
    },
    address,
  );
  const paths = () => sent.filter(({ path }) => path.includes('/sessions/live')).map(({ path }) => path);
  return { paths, bodyOf: (end: string) => sent.find(({ path }) => path.endsWith(end))?.body };
}

it('shows who is connected, from where, where to, since when and how fast', async () => {
  const { paths } = await show();
  const ann = within((await screen.findByRole('link', { name: 'ann' })).closest('tr')!);
  for (const words of ['192.0.2.7', 'Door', 'This panel', '1:05', '100 B/s', '2 KiB/s'])
    expect(ann.getByText(words)).toBeDefined();
  expect(await ann.findByRole('img', { name: 'Netherlands' })).toBeDefined();
  const ben = within(screen.getByRole('link', { name: 'ben' }).closest('tr')!);
  for (const words of ['not reported', 'Far', 'before the start of the panel'])
    expect(ben.getByText(words)).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Down' }));
  await waitFor(() => expect(paths().at(-1)).toContain('sort=down&order=descend'));
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
  await waitFor(() => expect(paths().at(-1)).toContain('page=2'));
});

it('goes to the last page when the current one is empty', async () => {
  const { paths } = await show('/?page=9');
  await waitFor(() => expect(paths().at(-1)).toContain('page=3'));
  expect(await screen.findByRole('link', { name: 'ann' })).toBeDefined();
});

it('shows the columns chosen in this browser, in their order', async () => {
  await show();
  await screen.findByRole('link', { name: 'ann' });
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  const [, , second = '', third = ''] = heads();
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  await userEvent.click(await screen.findByRole('button', { name: `Move ${third} earlier` }));
  expect(heads().slice(2, 4)).toEqual([third, second]);
  await userEvent.click(screen.getByRole('checkbox', { name: second }));
  expect(heads()).not.toContain(second);
  expect(screen.queryByText('192.0.2.7')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Reset columns' }));
  expect(heads().slice(2, 4)).toEqual([second, third]);
});

it('ends one session, several, or all that match, after a question', async () => {
  const { bodyOf } = await show('/?q=192.');
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
  expect(within(screen.getByRole('region', { name: 'Selected sessions' })).getByRole('status').textContent).toBe(
    '2 selected',
  );
  await userEvent.click(screen.getByRole('button', { name: 'End sessions' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'End the sessions of 2 clients?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'End sessions' }));
  await waitFor(() => expect(bodyOf('/sessions/end')).toEqual({ emails: ['ann', 'ben'], how: 'cut' }));
  await userEvent.click(await screen.findByRole('button', { name: 'End all 120 that match…' }));
  const all = within(await screen.findByRole('dialog', { name: 'End the sessions of 120 clients?' }));
  await userEvent.click(all.getByRole('button', { name: 'End sessions' }));
  await waitFor(() => expect(bodyOf('/sessions/endLive')).toEqual({ q: '192.', guid: '', inbound: 0, how: 'cut' }));
});
