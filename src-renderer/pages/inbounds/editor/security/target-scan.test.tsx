import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderPage } from '../../../../testing/render-page.tsx';
import { TargetScan } from './target-scan.tsx';

const FOUND = {
  target: 'site.example:443',
  feasible: true,
  serverNames: ['site.example'],
  latencyMs: 12,
  tlsVersion: '1.3',
  alpn: 'h2',
  curveID: 'X25519',
  reason: '',
};
const JOB = { id: 'j1', kind: 'scanRealityTargets', state: 'running', done: 1, total: 2, error: '' };

test('a scan under way is found again, and its result can be used', async () => {
  const handleUse = vi.fn();
  let isDone = false;
  await renderPage(<TargetScan onUse={handleUse} />, {
    'GET /panel/api/jobs': [JOB],
    'GET /panel/api/jobs/j1': () => (isDone ? { ...JOB, state: 'done', result: [FOUND] } : { ...JOB, result: null }),
  });
  expect(await screen.findByRole('progressbar')).toBeDefined();
  isDone = true;
  await userEvent.click(await screen.findByRole('button', { name: /site\.example:443/ }, { timeout: 3_000 }));
  expect(handleUse).toHaveBeenCalledWith(FOUND);
});

test('a scan that failed says why, in the language on show', async () => {
  await renderPage(
    <TargetScan onUse={() => undefined} />,
    {
      'GET /panel/api/jobs': [JOB],
      'GET /panel/api/jobs/j1': {
        ...JOB,
        state: 'failed',
        result: null,
        error: 'client not found',
        errorCode: 'client.notFound',
      },
    },
    '/',
    'fa',
  );
  expect(await screen.findByText('کاربر پیدا نشد')).toBeDefined();
});
