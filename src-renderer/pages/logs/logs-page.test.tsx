import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { panelLogs } from '#contract/logs';
import { renderPage } from '../../testing/render-page.tsx';
import { LogsPage } from './logs-page.tsx';

it('counts and downloads no lines of a log that was not read', async () => {
  let isThere: (text: string) => void = () => undefined;
  const path = `POST ${panelLogs.path.replace(':count', '5000')}`;
  await renderPage(<LogsPage />, { [path]: () => new Promise((resolve) => (isThere = resolve)) });
  const download = screen.getByRole('button', { name: 'Download' });
  expect(screen.queryByText('0 lines')).toBeNull();
  expect(download).toHaveProperty('disabled', true);
  isThere('2026/01/02 03:04:05 INFO - started\n');
  expect(await screen.findByText('1 line')).toBeTruthy();
  expect(download).toHaveProperty('disabled', false);
});
