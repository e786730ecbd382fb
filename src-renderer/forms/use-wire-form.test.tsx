import { TextInput } from '@mantine/core';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { CallError } from '../api/transport.ts';
import { renderPage } from '../testing/render-page.tsx';
import { FormFields } from './form-fields.tsx';
import { registered } from './registered.ts';
import { useWireForm } from './use-wire-form.ts';

const Fields = z.object({ name: z.string().min(1), address: z.string() });

let save = (): Promise<unknown> => Promise.resolve();

function Form() {
  const form = useWireForm(Fields, { name: 'a', address: '' });
  const handleSave = form.handleSubmit(async () => void (await form.attempt(() => save())));
  return (
    <form onSubmit={(event) => void handleSave(event)}>
      <FormFields isSaving={form.isSaving}>
        <TextInput label="Name" {...registered(form, 'name')} />
        <TextInput label="Address" {...registered(form, 'address')} />
      </FormFields>
      <button>Save</button>
    </form>
  );
}

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

it('fields cannot be changed while they are saved; a refused one has the focus', async () => {
  let refuse = (_error: Error): void => undefined;
  save = () => new Promise((_resolve, reject) => (refuse = reject));
  await renderPage(<Form />, {});
  await userEvent.type(field('Name'), 'b{Enter}');
  await expect.poll(() => field('Name').matches(':disabled')).toBe(true);
  await userEvent.type(field('Address'), 'late');
  expect(field('Address').value).toBe('');
  refuse(
    new CallError('refused', '', 'invalid', [
      { field: 'address', rule: 'url', code: 'url', params: {}, message: 'no address' },
    ]),
  );
  await screen.findByText('no address');
  expect(document.activeElement).toBe(field('Address'));
  await userEvent.type(field('Address'), 'x');
  expect([field('Name').value, field('Address').value]).toEqual(['ab', 'x']);
});

it('a field that does not fit has the focus, and nothing is saved', async () => {
  save = () => Promise.reject(new Error('saved'));
  await renderPage(<Form />, {});
  await userEvent.clear(field('Name'));
  await userEvent.type(field('Address'), 'x{Enter}');
  await expect.poll(() => document.activeElement).toBe(field('Name'));
  expect(field('Name').matches(':disabled')).toBe(false);
});
