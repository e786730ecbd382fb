import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Choices, UpdateDownload } from '../../../src-main/bridge/contract.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { WindowChoices } from './window-choices.tsx';

afterEach(() => Reflect.deleteProperty(globalThis, 'desktop'));

it('two choices made at once are both stored', async () => {
  let choices: Choices = { onClose: 'ask', updates: 'stable', startAtLogin: false, notifications: true };
  const shell = {
    choices: async () => ({ ...choices, hasUpdater: false }),
    setChoices: async (next: Choices) => {
      choices = next;
    },
  };
  Object.assign(globalThis, { desktop: { shell } });
  await renderPage(<WindowChoices />, {});
  fireEvent.click(await screen.findByRole('switch', { name: 'Start at login, without a window' }));
  fireEvent.click(screen.getByRole('switch', { name: /otif/ }));
  await waitFor(() => expect(choices).toMatchObject({ startAtLogin: true, notifications: false }));
});

it('shows the download of a new version, and cancels it', async () => {
  let tell: (download: UpdateDownload | null) => void = () => undefined;
  const shell = {
    choices: async () => ({
      onClose: 'ask',
      updates: 'stable',
      startAtLogin: false,
      notifications: true,
      hasUpdater: true,
    }),
    onUpdateDownload: (listener: typeof tell) => {
      tell = listener;
      return () => undefined;
    },
    updateDownload: async () => ({ version: '1.1.0', receivedBytes: 0, totalBytes: 0 }),
    cancelUpdate: async () => tell(null),
  };
  Object.assign(globalThis, { desktop: { shell } });
  await renderPage(<WindowChoices />, {});
  const bar = await screen.findByRole('progressbar', { name: 'Version 1.1.0 is being downloaded' });
  expect(bar.getAttribute('aria-valuenow')).toBe('0');
  act(() => tell({ version: '1.1.0', receivedBytes: 26_214_400, totalBytes: 104_857_600 }));
  expect(await screen.findByText('25%: 25 MiB of 100 MiB')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
});
