import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { LocalStart } from './local-start.tsx';
import { WelcomePage } from './welcome-page.tsx';

const fail = () => Promise.reject(new Error('the disk is full'));

afterEach(() => Reflect.deleteProperty(globalThis, 'desktop'));

it('offers both ways again if this computer could not be chosen', async () => {
  Object.assign(globalThis, {
    desktop: {
      shell: { useThisComputer: fail },
      server: { state: async () => null, onState: () => () => undefined },
    },
  });
  await renderPage(<WelcomePage />, {});
  await userEvent.click(screen.getByRole('button', { name: 'Use this computer' }));
  expect(await screen.findByRole('button', { name: 'Use this computer' })).toBeTruthy();
});

it('says why the first credentials cannot be shown', async () => {
  const state = { kind: 'running' };
  Object.assign(globalThis, {
    desktop: {
      shell: { takeFirstCredentials: fail },
      server: { state: async () => state, onState: () => () => undefined },
    },
  });
  await renderPage(<LocalStart />, {});
  expect(await screen.findByText('the disk is full')).toBeTruthy();
});
