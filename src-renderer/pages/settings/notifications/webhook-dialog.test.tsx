import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

it('asks before it closes while the save is under way: it may be refused', async () => {
  const close = vi.fn<() => void>();
  const { sent } = await renderPage(<WebhookDialog webhook={null} onClose={close} />, {
    'POST /panel/api/webhooks/save': () => new Promise(() => undefined),
  });
  await userEvent.type(await screen.findByLabelText(/Name/), 'Shop');
  await userEvent.type(screen.getByLabelText(/Address/), 'https://shop.example/');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await screen.findByText('Discard what you typed?')).toBeTruthy();
  expect(close).not.toHaveBeenCalled();
});
