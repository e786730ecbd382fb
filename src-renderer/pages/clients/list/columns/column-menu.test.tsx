import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { renderPage } from '../../../../testing/render-page.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { useColumns, WIDTHS } from './column-store.ts';

beforeEach(() => useColumns.getState().reset());

it('takes a width within the limits when its field is left', async () => {
  await renderPage(<ColumnMenu />, {});
  await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
  const field = await screen.findByRole('textbox', { name: 'Width of Traffic' });
  const width = () => useColumns.getState().widths.traffic;
  await userEvent.type(field, '180');
  expect(field).toHaveProperty('value', '180');
  expect(width()).toBeUndefined();
  await userEvent.tab();
  expect(width()).toBe(180);
  await userEvent.type(field, '0');
  await userEvent.tab();
  expect(field).toHaveProperty('value', '1800');
  screen.getByText(`A whole number from ${WIDTHS.least} to ${WIDTHS.most}`);
  expect(width()).toBe(180);
  await userEvent.clear(field);
  await userEvent.tab();
  expect(width()).toBeUndefined();
});
