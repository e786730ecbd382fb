import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { ImportDatabase } from './import-database.tsx';

it('neither the file nor what to take from it changes while it is looked into', async () => {
  let refuse: ((reason: Error) => void) | undefined;
  await renderPage(<ImportDatabase />, {
    'POST /panel/api/server/importDB/preview': () => new Promise((resolve) => (refuse = resolve)),
  });
  await userEvent.upload(document.querySelector('input[type=file]')!, new File(['a'], 'a.db'));
  await userEvent.click(screen.getByRole('button', { name: 'Look into it' }));
  await expect.poll(() => refuse).toBeDefined();
  const file = screen.getByRole<HTMLButtonElement>('button', { name: 'File' });
  const clone = screen.getByRole<HTMLInputElement>('switch', { name: /^Take address/ });
  expect([file.disabled, clone.disabled]).toEqual([true, true]);
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  refuse?.(new Error('no database'));
  await waitFor(() => expect([file.disabled, clone.disabled]).toEqual([false, false]));
});
