import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { useConnection } from '../../stores/connection.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { PageSignIn } from './page-sign-in.tsx';

const RESPONSES = { 'GET /getTwoFactorEnable': false, 'POST /getTwoFactorEnable': false };
const connectedBy = (signIn: string): void => {
  const address = 'https://far.example/';
  const list = async () => [{ id: 'far', name: 'Far', color: 'teal', address, isCurrent: true, signIn }];
  Object.assign(globalThis, { desktop: { connections: { list } } });
};

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'desktop');
  useConnection.setState({ isSignedOut: false });
});

it('a refused token is not asked for as a password, which could not help', async () => {
  connectedBy('token');
  useConnection.setState({ isSignedOut: true });
  await renderPage(<PageSignIn onDone={() => undefined} />, RESPONSES);
  await screen.findByText(/does not accept this connection's token/);
  expect(screen.queryByLabelText(/Password/)).toBeNull();
  const way = screen.getByRole('link', { name: 'Manage panels' });
  expect(way.getAttribute('href')).toBe('/desktop/connections?edit=far');
  await userEvent.click(way);
  expect(useConnection.getState().isSignedOut).toBe(false);
});

it('without a password the window still leads to the other panels', async () => {
  connectedBy('session');
  await renderPage(<PageSignIn onDone={() => undefined} />, RESPONSES);
  await screen.findByLabelText(/Password/);
  expect(screen.getByRole('link', { name: 'Manage panels' }).getAttribute('href')).toBe('/desktop/connections');
});

it('a browser has one panel', async () => {
  await renderPage(<PageSignIn onDone={() => undefined} />, RESPONSES);
  await screen.findByLabelText(/Password/);
  expect(screen.queryByRole('link', { name: 'Manage panels' })).toBeNull();
});
