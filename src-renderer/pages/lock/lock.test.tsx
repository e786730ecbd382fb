import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { PassphraseForm } from '../../ui/passphrase-form.tsx';
import { LockSettings } from './lock-settings.tsx';

const VIEW = {
  isSet: true,
  isLocked: true,
  waitMs: 0,
  idleMin: 5,
  asksAgain: false,
  usesSystem: false,
  hasSystem: false,
};
const fail = () => Promise.reject(new Error('the disk is full'));

afterEach(() => Reflect.deleteProperty(globalThis, 'desktop'));

it('says why a passphrase could not be checked, and takes another', async () => {
  Object.assign(globalThis, { desktop: { lock: { authenticate: fail } } });
  await renderPage(<PassphraseForm view={VIEW} action="Unlock" onOpen={() => undefined} />, {});
  await userEvent.type(screen.getByLabelText('Passphrase'), 'correct horse');
  await userEvent.click(screen.getByRole('button', { name: 'Unlock' }));
  expect(await screen.findByText('the disk is full')).toBeTruthy();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Unlock' })).toHaveProperty('disabled', false));
});

it('says why the settings of the lock could not be saved, and can save again', async () => {
  Object.assign(globalThis, { desktop: { lock: { set: fail } } });
  await renderPage(<LockSettings view={VIEW} onChange={() => undefined} />, {});
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('the disk is full')).toBeTruthy();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', false));
});
