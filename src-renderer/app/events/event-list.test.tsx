import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { EVENT_KINDS } from '#contract/events';
import { renderPage } from '../../testing/render-page.tsx';
import { EVENT_GROUPS } from './event-groups.ts';
import { EventList } from './event-list.tsx';

it('says why the notifications cannot be read, and not that there are none', async () => {
  await renderPage(<EventList language="en" onLeave={() => undefined} />, {
    'GET /panel/api/events/list': new Error('the disk is full'),
  });
  expect(await screen.findByText('the disk is full')).toBeTruthy();
  expect(screen.queryByText('Nothing has happened yet.')).toBeNull();
});

it('says why older ones cannot be read', async () => {
  const events = Array.from({ length: 20 }, (_, at) => ({
    id: 40 - at,
    kind: 'core.crash',
    at: 0,
    title: `Crash ${at}`,
    body: '',
    facts: {},
  }));
  await renderPage(<EventList language="en" onLeave={() => undefined} />, {
    'GET /panel/api/events/list': ({ path }: { path: string }) =>
      path.includes('before=21') ? new Error('the disk is full') : { events, unread: 0, readUpTo: 40 },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Show older' }));
  expect(await screen.findByText('the disk is full')).toBeTruthy();
  expect(screen.getByText('Crash 19')).toBeTruthy();
});

it('every kind is found under a group, except for links that were sent', () => {
  const grouped = Object.values(EVENT_GROUPS).flat() as string[];
  expect(EVENT_KINDS.filter((kind) => !grouped.includes(kind))).toEqual(['client.link']);
});
