import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { ConnectionDialog } from './connection-dialog.tsx';

afterEach(() => Reflect.deleteProperty(globalThis, 'desktop'));

it('a refused field says in the words of the page what to enter', async () => {
  const save = async () => ({ ok: false, refused: ['address', 'name', 'token'] });
  Object.assign(globalThis, { desktop: { connections: { save } } });
  const nothing = (): void => undefined;
  await renderPage(
    <ConnectionDialog connection={null} prefilled={{ address: '', name: '' }} onClose={nothing} onSaved={nothing} />,
    {},
  );
  await userEvent.click(await screen.findByRole('combobox', { name: 'Sign in with' }));
  await userEvent.click(await screen.findByRole('option', { name: 'API token' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(/Enter an address with http/);
  expect(screen.getByText(/Enter the token\./)).toBeTruthy();
  // The host of the address is the name.
  expect(screen.queryByText('Enter a name.')).toBeNull();
});

it('a panel that could not be stored says why, and keeps what was typed', async () => {
  const save = () => Promise.reject(new Error('the disk is full'));
  Object.assign(globalThis, { desktop: { connections: { save } } });
  const nothing = (): void => undefined;
  const prefilled = { address: 'https://panel.example/', name: 'Far' };
  await renderPage(
    <ConnectionDialog connection={null} prefilled={prefilled} onClose={nothing} onSaved={nothing} />,
    {},
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  expect(await screen.findByText('the disk is full')).toBeTruthy();
  expect(screen.getByDisplayValue('Far')).toBeTruthy();
});

it('a fetched certificate is shown with its end as the language writes dates', async () => {
  const validToMs = Date.UTC(2027, 2, 5, 12, 30);
  const certificate = async () => ({ fingerprint: 'ab'.repeat(32), subject: 'panel.example', validToMs });
  Object.assign(globalThis, { desktop: { connections: { certificate } } });
  const nothing = (): void => undefined;
  const prefilled = { address: 'https://panel.example/', name: 'Far' };
  await renderPage(
    <ConnectionDialog connection={null} prefilled={prefilled} onClose={nothing} onSaved={nothing} />,
    {},
    '/',
    'ru',
  );
  await userEvent.click(await screen.findByRole('combobox', { name: 'Сертификат' }));
  await userEvent.click(await screen.findByRole('option', { name: /отпечат/i }));
  await userEvent.click(screen.getByRole('button', { name: 'Показать текущий' }));
  expect(await screen.findByText(/^panel\.example, действителен до 5 мар\. 2027 г\./)).toBeTruthy();
});
