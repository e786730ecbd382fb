import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';
import { AdjustDialog } from '../pages/clients/bulk/adjust-dialog.tsx';

test('takes a size with its unit, shows how it was understood, and explains refusals', async () => {
  const { sent } = await renderPage(<AdjustDialog emails={['a']} onClose={() => undefined} />, {
    'POST /panel/api/clients/bulkAdjust': { adjusted: 1, skipped: [] },
  });
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Traffic to add' });
  const type = (value: string) => fireEvent.change(field, { target: { value } });
  const action = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Adjust' });

  type('half of it');
  expect(screen.getByText(/^Not understood\. Write a number with a unit/)).toBeDefined();
  expect(action().disabled).toBe(true);

  type('20');
  expect(screen.getByText('Understood as 20 GiB.')).toBeDefined();
  type('500 MB');
  expect(screen.getByText('Understood as 500 MiB.')).toBeDefined();
  fireEvent.blur(field);
  expect(field.value).toBe('500 MiB');

  fireEvent.click(action());
  await expect
    .poll(() => sent.find(({ path }) => path.endsWith('/bulkAdjust'))?.body)
    .toMatchObject({ addBytes: 500 * 1024 ** 2 });
});
