import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';
import { TypedAction } from './typed-action.tsx';

it('a number is typed in the digits of any keyboard, and a name as it is', async () => {
  const act = vi.fn();
  await renderPage(<TypedAction name="12" label="Type 12" action="Erase" failure={null} onAction={act} />, {});
  const field = screen.getByLabelText('Type 12');
  await userEvent.type(field, '۱۳');
  expect(screen.getByRole('button', { name: 'Erase' })).toHaveProperty('disabled', true);
  await userEvent.type(field, '{Backspace}۲{Enter}');
  expect(act).toHaveBeenCalledExactlyOnceWith('12');
});
