import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';
import { ShortcutList } from './shortcut-list.tsx';

test('lists the shortcut that saves', async () => {
  await renderPage(<ShortcutList onClose={vi.fn()} />, {});
  expect(await screen.findByRole('row', { name: 'Ctrl S Save' })).toBeTruthy();
});
