import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { useColumns, WIDTHS } from './column-store.ts';

beforeEach(() => useColumns.getState().reset());

it('takes a width figure by figure, and keeps none that is out of the limits', async () => {
  await renderPage(<ColumnMenu />, {});
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  const field = await screen.findByRole('textbox', { name: 'Width of Traffic' });
  const width = () => useColumns.getState().widths.traffic;
  await userEvent.type(field, '180');
  expect(field).toHaveProperty('value', '180');
  expect(width()).toBe(180);
  await userEvent.type(field, '0');
  expect(width()).toBe(180);
  expect(1800).toBeGreaterThan(WIDTHS.most);
  await userEvent.tab();
  expect(field).toHaveProperty('value', '180');
  await userEvent.clear(field);
  expect(width()).toBeUndefined();
});
