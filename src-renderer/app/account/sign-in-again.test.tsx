import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { CallError } from '../../api/transport.ts';
import { GroupsPage } from '../../pages/groups/groups-page.tsx';
import { useConnection } from '../../stores/connection.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { SignInAgain } from './sign-in-again.tsx';

afterEach(() => useConnection.setState({ isSignedOut: false, wasSignedIn: false }));

it('asks for a first sign-in, and says that a session has ended only when there was one', async () => {
  let isSignedIn = false;
  await renderPage(
    <>
      <GroupsPage />
      <SignInAgain />
    </>,
    {
      'GET /panel/api/clients/groups': () =>
        isSignedIn
          ? [{ name: 'Family', clientCount: 1, trafficUsed: 0 }]
          : Promise.reject(new CallError('signedOut', '')),
      'POST /getTwoFactorEnable': false,
      'GET /getTwoFactorEnable': false,
      'POST /login': () => {
        isSignedIn = true;
        return null;
      },
    },
  );
  const prompt = await screen.findByRole('dialog', { name: 'Sign in to the panel' });
  const username = await screen.findByLabelText(/User name/);
  await expect.poll(() => document.activeElement).toBe(username);
  await userEvent.type(username, 'owner');
  await userEvent.type(screen.getByLabelText(/Password/), 'secret');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  await screen.findByText('Family');
  expect(prompt.isConnected).toBe(false);
  useConnection.getState().setSignedOut(true);
  await screen.findByRole('dialog', { name: 'Your session has ended. Sign in to go on.' });
});
