import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { Route, Routes, useNavigate } from 'react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { useDialogParam } from '../../ui/address/use-dialog-param.ts';
import { useLeaveGuard } from '../use-leave-guard.ts';
import { useLeaveConfirmation } from './use-leave-confirmation.ts';

let navigate: ReturnType<typeof useNavigate>;
const handleLeave = vi.fn();
const warn = vi.spyOn(console, 'warn');

/** A page with a draft, and a dialog over it with a form of its own. */
function Editor() {
  const dialog = useDialogParam('item');
  const [draft, setDraft] = useState('');
  useLeaveConfirmation(draft !== '', undefined, handleLeave);
  return (
    <>
      <input aria-label="Draft" value={draft} onChange={(event) => setDraft(event.currentTarget.value)} />
      <button type="button" onClick={() => dialog.open('new')}>
        Add
      </button>
      {dialog.value !== null && <Item onClose={dialog.close} />}
    </>
  );
}

function Item({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  useLeaveGuard(name !== '', onClose);
  return <input aria-label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} />;
}

function Pages() {
  const go = useNavigate();
  useEffect(() => {
    navigate = go;
  }, [go]);
  return (
    <Routes>
      <Route path="/core" element={<Editor />} />
      <Route path="*" element={<p>Elsewhere</p>} />
    </Routes>
  );
}

beforeEach(async () => {
  handleLeave.mockClear();
  warn.mockClear();
  await renderPage(<Pages />, {}, '/core');
  await userEvent.type(screen.getByLabelText('Draft'), 'x');
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  await screen.findByLabelText('Name');
});

it('a page with a draft is not left without a question while a dialog is open over it', async () => {
  void navigate('/elsewhere');
  await userEvent.click(await screen.findByRole('button', { name: 'Go on editing' }));
  expect(screen.getByLabelText<HTMLInputElement>('Draft').value).toBe('x');
  expect(handleLeave).not.toHaveBeenCalled();
  void navigate('/elsewhere');
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  await screen.findByText('Elsewhere');
  expect(handleLeave).toHaveBeenCalledOnce();
});

it('Back asks once about what was typed in the dialog, and the draft below stays', async () => {
  await userEvent.type(screen.getByLabelText('Name'), 'anna');
  void navigate(-1);
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  await expect.poll(() => screen.queryByLabelText('Name')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Draft').value).toBe('x');
  expect(handleLeave).not.toHaveBeenCalled();
  // The router warns of a second blocker.
  expect(warn).not.toHaveBeenCalled();
});
