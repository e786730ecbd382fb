import { Modal } from '@mantine/core';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { beforeEach, expect, it } from 'vitest';
import { renderPage } from '../testing/render-page.tsx';
import { useDialogParam } from '../ui/address/use-dialog-param.ts';
import { useOpenPage } from './leave-blocker.tsx';
import { useLeaveGuard } from './use-leave-guard.ts';

let goBack = (): void => undefined;
let openPage = (_path: string): void => undefined;
let closeForm = (): void => undefined;

function List() {
  const dialog = useDialogParam('client');
  const navigate = useNavigate();
  const openAnyPage = useOpenPage();
  useEffect(() => {
    goBack = () => void navigate(-1);
    openPage = openAnyPage;
  }, [navigate, openAnyPage]);
  return (
    <>
      <button type="button" onClick={() => dialog.open('new')}>
        Add
      </button>
      {dialog.value !== null && <Form onClose={dialog.close} />}
    </>
  );
}

function Form({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const handleClose = useLeaveGuard(text !== '', onClose);
  useEffect(() => {
    closeForm = onClose;
  }, [onClose]);
  return (
    <Modal opened onClose={handleClose} title="Client" closeButtonProps={{ 'aria-label': 'Close' }}>
      <input aria-label="Name" value={text} onChange={(event) => setText(event.currentTarget.value)} />
      <button type="button" onClick={onClose}>
        Save
      </button>
    </Modal>
  );
}

beforeEach(async () => {
  await renderPage(<List />, {});
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  await userEvent.type(await screen.findByLabelText('Name'), 'anna');
});

it('Back asks before typed text is lost', async () => {
  goBack();
  await userEvent.click(await screen.findByRole('button', { name: 'Go on editing' }));
  await expect.poll(() => screen.queryByRole('button', { name: 'Discard' })).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('anna');
  goBack();
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  await expect.poll(() => screen.queryByLabelText('Name')).toBeNull();
});

it('Back pressed twice asks once', async () => {
  goBack();
  await screen.findByRole('button', { name: 'Discard' });
  goBack();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  await expect.poll(() => screen.queryByLabelText('Name')).toBeNull();
  await expect.poll(() => screen.queryByRole('button', { name: 'Discard' })).toBeNull();
});

it('Back while the question is shown leaves the form below it, and asks no second time', async () => {
  await userEvent.keyboard('{Escape}');
  await screen.findByRole('button', { name: 'Discard' });
  goBack();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('anna');
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  await expect.poll(() => screen.queryByLabelText('Name')).toBeNull();
  await expect.poll(() => screen.queryByRole('button', { name: 'Discard' })).toBeNull();
});

it('a page that is opened from elsewhere asks before typed text is lost, also where the page below stays the same', async () => {
  openPage('/?client=bob');
  await userEvent.click(await screen.findByRole('button', { name: 'Go on editing' }));
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('anna');
  openPage('/');
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  await expect.poll(() => screen.queryByLabelText('Name')).toBeNull();
});

it('the last of several pages that are opened while it asks is the one that opens', async () => {
  openPage('/?client=bob');
  await screen.findByRole('button', { name: 'Discard' });
  openPage('/');
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  await expect.poll(() => screen.queryByLabelText('Name')).toBeNull();
  await expect.poll(() => screen.queryByRole('button', { name: 'Discard' })).toBeNull();
});

it('a saved form closes without a question', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => screen.queryByLabelText('Name')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull();
});

it('a form that was being saved takes the question along when it closes', async () => {
  await userEvent.keyboard('{Escape}');
  await screen.findByRole('button', { name: 'Discard' });
  act(closeForm);
  await expect.poll(() => screen.queryByLabelText('Name')).toBeNull();
  await expect.poll(() => screen.queryByRole('button', { name: 'Discard' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  await userEvent.type(await screen.findByLabelText('Name'), 'bob');
  await userEvent.keyboard('{Escape}');
  expect(await screen.findByRole('button', { name: 'Discard' })).toBeTruthy();
});
