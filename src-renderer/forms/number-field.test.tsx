import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
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

it.each(['۴۴۳', '٤٤٣'])('reads the digits of %s', async (digits) => {
  await renderPage(<Field />, {});
  await userEvent.clear(field());
  await userEvent.type(field(), digits);
  expect([field().value, value()]).toEqual(['443', '443']);
  await userEvent.clear(field());
  await userEvent.click(field());
  await userEvent.paste(digits);
  expect([field().value, value()]).toEqual(['443', '443']);
});

it.each(['1.5', '-3', '99999'])('keeps %s as it was typed, and says what fits', async (typed) => {
  await renderPage(<NumberField label="Days" min={1} max={365} value={10} onChange={() => {}} />, {});
  await userEvent.clear(field());
  expect(field().validationMessage).toBe('');
  await userEvent.type(field(), typed);
  await userEvent.tab();
  expect(field().value).toBe(typed);
  expect(field().validationMessage).toBe('A whole number from 1 to 365');
  expect(screen.getByText('A whole number from 1 to 365')).toBeDefined();
  await userEvent.clear(field());
  await userEvent.type(field(), '7');
  expect(field().validationMessage).toBe('');
});

it('reports a number that counts when left only if it fits', async () => {
  const handleChange = vi.fn();
  await renderPage(<NumberField label="Days" min={1} value={10} countsWhenLeft onChange={handleChange} />, {});
  await userEvent.clear(field());
  await userEvent.type(field(), '0');
  await userEvent.tab();
  expect(handleChange).not.toHaveBeenCalled();
  expect(screen.getByText('A whole number of 1 or more')).toBeDefined();
  await userEvent.type(field(), '{Backspace}2{Enter}');
  expect(handleChange).toHaveBeenCalledWith(2);
});
