import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { AddManyDialog } from './add-many-dialog.tsx';

it('keeps a count that is too large, and says so', async () => {
  await renderPage(<AddManyDialog onClose={() => undefined} />, {});
  await userEvent.type(await screen.findByLabelText(/Names begin with/), 'a');
  const count = screen.getByLabelText<HTMLInputElement>(/How many/);
  await userEvent.clear(count);
  await userEvent.type(count, '99999');
  expect(count.value).toBe('99999');
  screen.getByText('A whole number from 1 to 10000');
  expect(screen.queryByText('a1')).toBeNull();
});

it('stays open while the clients are made, shows how far that is, and stops it', async () => {
  const handleClose = vi.fn();
  const plan = { id: 4, name: 'Gold', quotaBytes: 0, days: 0, group: '', inboundIds: [9], startsAtFirstUse: false };
  const job = {
    id: 'j1',
    kind: 'bulkCreateClients',
    title: 'Create 5000 clients',
    state: 'running',
    isCancelling: false,
    done: 1250,
    total: 5000,
    stage: '',
    startedAt: Date.now(),
    finishedAt: 0,
    error: '',
    errorCode: '',
  };
  let refuse: (error: Error) => void = () => undefined;
  await renderPage(<AddManyDialog onClose={handleClose} />, {
    'GET /panel/api/plans': [plan],
    'GET /panel/api/jobs': [job, { ...job, id: 'j0', kind: 'installCore', title: 'Install the core' }],
    'POST /panel/api/clients/bulkCreate': () => new Promise((_resolve, reject) => (refuse = reject)),
    'POST /panel/api/jobs/j1/cancel': () => {
      refuse(Object.assign(new Error('cancelled'), { code: 'client.workCancelled' }));
      return { ...job, isCancelling: true };
    },
  });
  await userEvent.type(await screen.findByLabelText(/Names begin with/), 'a');
  await userEvent.click(screen.getByLabelText('Plan', { selector: 'input' }));
  await userEvent.click(await screen.findByText('Gold'));
  await userEvent.click(screen.getByRole('button', { name: 'Add 10 clients' }));
  await screen.findByRole('progressbar', { name: 'Create 5000 clients' });
  expect(screen.queryByText('Install the core')).toBeNull();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByText('Discard what you typed?')).toBeNull();
  expect(handleClose).not.toHaveBeenCalled();

  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByRole('alert');
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>(/Names begin with/).value).toBe('a');
});
