import { Notifications } from '@mantine/notifications';
import { act, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { announceUndo } from './announce-undo.tsx';

/** Long enough for the notification to close, and to fade away. */
function passTime(): void {
  for (const ms of [60_000, 1_000]) act(() => void vi.advanceTimersByTime(ms));
}

afterEach(() => vi.useRealTimers());

it('the offer goes after a moment, but not from under the keyboard', async () => {
  await renderPage(<Notifications />, {});
  vi.useFakeTimers();
  act(() => announceUndo('Deleted', () => undefined));
  act(() => screen.getByRole('button', { name: 'Undo' }).focus());
  passTime();
  expect(document.activeElement?.textContent).toBe('Undo');
  act(() => screen.getByRole('button', { name: 'Undo' }).blur());
  passTime();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});
