import { render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useReturnFocus } from './return-focus.ts';

function Page() {
  useReturnFocus();
  return (
    <>
      <button type="button">Row</button>
      <button type="button">Page 2</button>
    </>
  );
}

afterEach(() => document.querySelectorAll('#root, .portal').forEach((one) => one.remove()));

/** Opens a dialog beside the page as the interface does. @returns its container */
function openDialog(): HTMLElement {
  const portal = document.body.appendChild(document.createElement('div'));
  portal.className = 'portal';
  portal.innerHTML = '<div role="dialog"><button>Delete</button></div>';
  return portal;
}

test('the focus returns to where it was before a dialog, not to where a key led behind it', async () => {
  const root = document.body.appendChild(document.createElement('div'));
  root.id = 'root';
  render(<Page />, { container: root });
  screen.getByRole('button', { name: 'Row' }).focus();
  const portal = openDialog();
  await screen.findByRole('dialog');
  // The dialog takes the focus a moment after it is there; Tab leads to the page until then.
  screen.getByRole('button', { name: 'Page 2' }).focus();
  screen.getByRole('button', { name: 'Delete' }).focus();
  portal.firstElementChild!.remove();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Row' })));
});

test('the focus returns when the question that closed the dialog has gone after it', async () => {
  const root = document.body.appendChild(document.createElement('div'));
  root.id = 'root';
  render(<Page />, { container: root });
  screen.getByRole('button', { name: 'Row' }).focus();
  const dialog = openDialog();
  const question = document.body.appendChild(document.createElement('div'));
  question.className = 'portal';
  question.innerHTML = '<div><div role="dialog"><button>Discard</button></div></div>';
  await screen.findByRole('button', { name: 'Discard' });
  screen.getByRole('button', { name: 'Discard' }).focus();
  dialog.firstElementChild!.remove();
  await Promise.resolve();
  // The kit keeps the outermost element of a question.
  question.firstElementChild!.firstElementChild!.remove();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Row' })));
});
