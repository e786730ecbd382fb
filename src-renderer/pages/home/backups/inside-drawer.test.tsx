import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, onTestFinished } from 'vitest';
import type { BackupEntry } from '../../../../src-main/bridge/maintenance.ts';
import { renderPage } from '../../../testing/render-page.tsx';
import { InsideDrawer } from './inside-drawer.tsx';

const ENTRY: BackupEntry = {
  panelId: 'far',
  name: 'Far',
  takenAtMs: 1,
  bytes: 1,
  contentBytes: 1,
  state: 'good',
  checkedAtMs: 1,
  words: '',
  inbounds: 0,
  clients: 0,
};

it('no longer text is looked for in a backup than the window takes', async () => {
  const searches: string[] = [];
  const contents = async ({ text }: { text: string }) => {
    searches.push(text);
    return { inbounds: [], clients: [], foundClients: 0 };
  };
  Object.assign(globalThis, { desktop: { maintenance: { contents } } });
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'desktop'));
  await renderPage(<InsideDrawer backup={ENTRY} panels={[{ id: 'far', name: 'Far' }]} onClose={() => undefined} />, {});
  await userEvent.click(await screen.findByRole('textbox', { name: 'Find a client by e-mail or comment' }));
  await userEvent.paste('x'.repeat(1_001));
  await expect.poll(() => searches.at(-1)).toMatch(/^x+$/);
  expect(searches.at(-1)!.length).toBeLessThanOrEqual(1_000);
});
