import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { BackupKeyNotice } from './backup-key-notice.tsx';

afterEach(() => Reflect.deleteProperty(globalThis, 'desktop'));

async function refused(state: 'none' | 'locked', words: string): Promise<void> {
  const usePassphrase = () => Promise.reject(new Error(words));
  Object.assign(globalThis, { desktop: { maintenance: { usePassphrase } } });
  await renderPage(<BackupKeyNotice state={state} onChange={() => undefined} />, {});
  await userEvent.type(await screen.findByLabelText('Passphrase'), 'long enough');
  if (state === 'none') await userEvent.type(screen.getByLabelText('Once more'), 'long enough');
  await userEvent.keyboard('{Enter}');
}

it('a first passphrase that cannot be stored says why, not that it is wrong', async () => {
  await refused('none', 'the disk is full');
  expect(await screen.findByText('the disk is full')).toBeTruthy();
});

it('a passphrase that opens nothing is called wrong', async () => {
  await refused('locked', 'this is not the passphrase');
  expect(await screen.findByText('This is not the passphrase.')).toBeTruthy();
});
