import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { RestartNotice } from './restart-notice.tsx';
import { usePanelRestart } from './restart-store.ts';

it('is read out once, not with each second, and so is its end', async () => {
  await renderPage(<RestartNotice />, {});
  act(() => usePanelRestart.getState().begin(Date.now()));
  const seconds = await screen.findByText(/so far/);
  expect(screen.getByRole('alert').contains(seconds)).toBe(true);
  expect(seconds.closest('[aria-live], [role="alert"]')?.getAttribute('aria-live')).toBe('off');
  act(() => usePanelRestart.getState().reach('back'));
  expect((await screen.findByRole('alert')).textContent).toBe('The panel is back.');
});
