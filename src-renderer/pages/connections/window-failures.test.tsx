import { Notifications } from '@mantine/notifications';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { ConnectionSwitcher } from '../../app/connection-switcher.tsx';
import { renderPage } from '../../testing/render-page.tsx';
import { StoppedPage } from './stopped-page.tsx';
import { WindowChoices } from './window-choices.tsx';

const fail = () => Promise.reject(new Error('the disk is full'));
const connection = (id: string, isCurrent: boolean) => ({ id, name: id, color: 'teal', isCurrent });

afterEach(() => Reflect.deleteProperty(globalThis, 'desktop'));

it('a choice that could not be stored says why, and is not shown as made', async () => {
  const choices = { onClose: 'ask', updates: 'stable', hasUpdater: false, startAtLogin: false, notifications: true };
  Object.assign(globalThis, { desktop: { shell: { choices: async () => choices, setChoices: fail } } });
  await renderPage(
    <>
      <Notifications />
      <WindowChoices />
    </>,
    {},
  );
  const login = await screen.findByRole('switch', { name: 'Start at login, without a window' });
  await userEvent.click(login);
  expect(await screen.findByText('the disk is full')).toBeTruthy();
  expect(login).toHaveProperty('checked', false);
});

it('a panel that could not be switched to says why', async () => {
  const connections = { list: async () => [connection('here', true), connection('there', false)], use: fail };
  Object.assign(globalThis, { desktop: { connections, live: { listen: () => () => undefined } } });
  await renderPage(
    <>
      <Notifications />
      <ConnectionSwitcher />
    </>,
    {},
  );
  await userEvent.click(await screen.findByRole('button', { name: /^Connected to here/ }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'there' }));
  expect(await screen.findByText('the disk is full')).toBeTruthy();
});

it('a panel that could not be started again says why', async () => {
  const state = { kind: 'failed', why: 'refused', lines: [] };
  const server = { state: async () => state, onState: () => () => undefined, backups: async () => [], retry: fail };
  Object.assign(globalThis, { desktop: { server } });
  await renderPage(
    <>
      <Notifications />
      <StoppedPage />
    </>,
    {},
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Start again' }));
  expect(await screen.findByText('the disk is full')).toBeTruthy();
});
