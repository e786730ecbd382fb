import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { AddManyDialog } from './add-many-dialog.tsx';

it('keeps a count that is too large, and says so', async () => {
  await renderPage(<AddManyDialog onClose={() => undefined} />, {});
  await userEvent.type(await screen.findByLabelText(/Names begin with/), 'a');
  const count = screen.getByLabelText<HTMLInputElement>(/How many/);
  await userEvent.clear(count);
  await userEvent.type(count, '99999');
  expect(count.value).toBe('99999');
  screen.getByText('A whole number from 1 to 10000');
  expect(screen.queryByText('a1')).toBeNull();
});
