import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { noteServerTime } from '../stores/server-clock.ts';
import { renderPage } from '../testing/render-page.tsx';
import { JobsTray } from './jobs-tray.tsx';

const JOB = { id: 'a', kind: 'x', title: 'Adding', isCancelling: false, stage: '', error: '', errorCode: '' };
const startedAt = new Date(2026, 0, 2, 10, 5).getTime();

afterEach(() => void vi.useRealTimers());

it('shows the progress of a job and when it ran', async () => {
  const finishedAt = startedAt + 60_000;
  await renderPage(<JobsTray />, {
    'GET /panel/api/jobs': [
      { ...JOB, state: 'running', done: 1200, total: 5000, startedAt, finishedAt: 0 },
      { ...JOB, id: 'b', state: 'done', done: 0, total: 0, startedAt, finishedAt },
    ],
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Jobs, 1 running' }));
  expect(await screen.findByText('1,200 / 5,000')).toBeTruthy();
  expect(screen.getByText('10:05 AM – 10:06 AM')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' })));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByText('1,200 / 5,000')).toBeNull());
});

it('says why the jobs cannot be read, and not that there were none', async () => {
  await renderPage(<JobsTray />, { 'GET /panel/api/jobs': new Error('the disk is full') });
  await userEvent.click(await screen.findByRole('button', { name: /^Jobs/ }));
  expect(await screen.findByText('the disk is full')).toBeTruthy();
  expect(screen.queryByText('Nothing was started yet.')).toBeNull();
});

it('counts running jobs in the language’s digits', async () => {
  const route = { 'GET /panel/api/jobs': [{ ...JOB, state: 'running', done: 0, total: 0, startedAt, finishedAt: 0 }] };
  await renderPage(<JobsTray />, route, '/', 'fa');
  expect(await screen.findByText('۱')).toBeTruthy();
});

it('measures how long a job has run by the clock of the server, which started it', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: startedAt });
  noteServerTime(startedAt + 70_000);
  await renderPage(<JobsTray />, {
    'GET /panel/api/jobs': [{ ...JOB, state: 'running', done: 0, total: 0, startedAt, finishedAt: 0 }],
  });
  const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });
  await user.click(await screen.findByRole('button', { name: 'Jobs, 1 running' }));
  expect(await screen.findByText(/1:1\d/)).toBeTruthy();
  act(() => void vi.advanceTimersByTime(3_600_000));
  expect(screen.getByText(/1:01:1\d/)).toBeTruthy();
});
