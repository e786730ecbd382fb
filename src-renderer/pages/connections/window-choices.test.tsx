import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Choices } from '../../../src-main/bridge/contract.ts';
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
