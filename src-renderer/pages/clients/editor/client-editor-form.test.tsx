import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { ClientEditorForm } from './client-editor-form.tsx';

const refusal = (code: string, message: string): Error => Object.assign(new Error(message), { code });

it.each([
  ['client.inboundRequired', 'at least one inbound is required', 'Inbounds'],
  ['client.emailTaken', 'email already in use: anna', 'E-mail or name'],
])('shows %s at its field, with the focus there', async (code, message, label) => {
  await renderPage(<ClientEditorForm stored={null} options={[]} preferredInbound={0} onClose={() => undefined} />, {
    'POST /panel/api/clients/add': refusal(code, message),
  });
  await userEvent.type(await screen.findByLabelText('E-mail or name'), 'anna');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const field = await screen.findByLabelText(label, { selector: 'input:not([type=hidden])' });
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText(message)).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.activeElement).toBe(field);
});

it('opens the folded part for a refusal of a field in it', async () => {
  await renderPage(<ClientEditorForm stored={null} options={[]} preferredInbound={0} onClose={() => undefined} />, {
    'POST /panel/api/clients/add': refusal('client.subIdTaken', 'subId already in use: anna'),
  });
  await userEvent.type(await screen.findByLabelText('E-mail or name'), 'anna');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('subId already in use: anna')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Credentials and protocol', expanded: true })).toBeTruthy();
  await expect.poll(() => document.activeElement).toBe(screen.getByLabelText('Subscription id'));
});

it('says why there is no plan to choose', async () => {
  await renderPage(<ClientEditorForm stored={null} options={[]} preferredInbound={0} onClose={() => undefined} />, {
    'GET /panel/api/plans': new Error('the disk is full'),
  });
  expect(await screen.findByText('the disk is full')).toBeTruthy();
});
