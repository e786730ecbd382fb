import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';
import { NumberField } from './number-field.tsx';

function Field({ empty }: { empty?: number }) {
  const [value, setValue] = useState(10);
  return (
    <>
      <NumberField label="Days" min={0} value={value} onChange={setValue} {...(empty !== undefined && { empty })} />
      <output>{value}</output>
      <button onClick={() => setValue(30)}>A month</button>
    </>
  );
}
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Days' });
const value = () => screen.getByRole('status').textContent;

it('stays empty while another number is typed, and reports the value of an empty field on blur', async () => {
  await renderPage(<Field empty={0} />, {});
  await userEvent.clear(field());
  expect([field().value, value()]).toEqual(['', '0']);
  await userEvent.type(field(), '25');
  expect([field().value, value()]).toEqual(['25', '25']);
  await userEvent.clear(field());
  await userEvent.tab();
  expect([field().value, value()]).toEqual(['0', '0']);
  await userEvent.click(screen.getByRole('button', { name: 'A month' }));
  expect(field().value).toBe('30');
  // The form refuses it.
  await userEvent.clear(field());
  await userEvent.type(field(), '99999999999999999999');
  expect(value()).toBe('100000000000000000000');
});

it('restores its number where an empty field has no value', async () => {
  await renderPage(<Field />, {});
  await userEvent.clear(field());
  expect([field().value, value()]).toEqual(['', '10']);
  await userEvent.tab();
  expect(field().value).toBe('10');
  await userEvent.clear(field());
  await userEvent.type(field(), '7');
  expect(value()).toBe('7');
});
