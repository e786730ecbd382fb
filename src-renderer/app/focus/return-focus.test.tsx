import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useReturnFocus } from './return-focus.ts';

function Page() {
  useReturnFocus();
  return (
    <>
      <button type="button">Row</button>
      <button type="button">Page 2</button>
      <button type="button">More</button>
      <input aria-label="Name" />
      <input type="checkbox" aria-label="On" />
    </>
  );
}

afterEach(() => document.querySelectorAll('#root, .portal').forEach((one) => one.remove()));

async function renderInRoot(): Promise<void> {
  const root = document.body.appendChild(document.createElement('div'));
  root.id = 'root';
  render(<Page />, { container: root });
  await screen.findByRole('button', { name: 'Row' });
  root.append(Object.assign(document.createElement('button'), { textContent: 'Passing' }));
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

/** The button that has the focus waits for a response. Browsers take the focus from what is disabled; the simulated one does not. */
async function waitForResponse(waiting: HTMLButtonElement | HTMLInputElement): Promise<void> {
  waiting.blur();
  if (waiting instanceof HTMLButtonElement) waiting.dataset['loading'] = 'true';
  waiting.disabled = true;
  await settle();
}

/** Opens a dialog beside the page as the interface does. @returns its container */
function openDialog(): HTMLElement {
  const portal = document.body.appendChild(document.createElement('div'));
  portal.className = 'portal';
  portal.innerHTML = '<div role="dialog" aria-modal="true" tabindex="-1"><button>Delete</button></div>';
  return portal;
}

test('the focus returns to where it was before a dialog, not to where a key led behind it', async () => {
  await renderInRoot();
  button('Row').focus();
  const portal = openDialog();
  await screen.findByRole('dialog');
  // The dialog takes the focus a moment after it is there; Tab leads to the page until then.
  screen.getByRole('button', { name: 'Page 2' }).focus();
  screen.getByRole('button', { name: 'Delete' }).focus();
  portal.firstElementChild!.remove();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Row' })));
});

test('the focus returns when the question that closed the dialog has gone after it', async () => {
  await renderInRoot();
  button('Row').focus();
  const dialog = openDialog();
  const question = document.body.appendChild(document.createElement('div'));
  question.className = 'portal';
  question.innerHTML = '<div><div role="dialog" aria-modal="true" tabindex="-1"><button>Discard</button></div></div>';
  await screen.findByRole('button', { name: 'Discard' });
  screen.getByRole('button', { name: 'Discard' }).focus();
  dialog.firstElementChild!.remove();
  await Promise.resolve();
  // The kit keeps the outermost element of a question.
  question.firstElementChild!.firstElementChild!.remove();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Row' })));
});

test('a dialog over another gives the focus back to the one below, not to the page', async () => {
  await renderInRoot();
  button('Row').focus();
  openDialog();
  button('Delete').focus();
  const upper = openDialog();
  upper.querySelector('button')!.textContent = 'Copy';
  button('Copy').focus();
  upper.firstElementChild!.remove();
  await waitFor(() => expect(document.activeElement).toBe(button('Delete')));
});

test('what is removed leaves the focus to the place before', async () => {
  await renderInRoot();
  button('Row').focus();
  button('Passing').focus();
  button('Passing').remove();
  await waitFor(() => expect(document.activeElement).toBe(button('Row')));
});

test('the focus that was left by a click beside everything stays away', async () => {
  await renderInRoot();
  button('Row').focus();
  button('Passing').focus();
  button('Passing').blur();
  await settle();
  button('Passing').remove();
  await settle();
  expect(document.activeElement).toBe(document.body);
});

test('a button that waited for an answer has the focus again', async () => {
  await renderInRoot();
  const more = button('More');
  button('Row').focus();
  more.focus();
  await waitForResponse(more);
  expect(document.activeElement).toBe(document.body);
  delete more.dataset['loading'];
  more.disabled = false;
  await waitFor(() => expect(document.activeElement).toBe(more));
});

test('a switch that waited for an answer has the focus again', async () => {
  await renderInRoot();
  const on = screen.getByRole<HTMLInputElement>('checkbox');
  button('Row').focus();
  on.focus();
  await waitForResponse(on);
  expect(document.activeElement).toBe(document.body);
  on.disabled = false;
  await waitFor(() => expect(document.activeElement).toBe(on));
});

test('a button that goes leaves the focus to a field before it only if it was pressed by key', async () => {
  await renderInRoot();
  const save = async (press: () => void): Promise<void> => {
    button('Row').focus();
    screen.getByRole('textbox').focus();
    const passing = document.querySelector('#root')!.appendChild(document.createElement('button'));
    passing.focus();
    press();
    passing.remove();
    await settle();
  };
  await save(() => fireEvent.pointerDown(document.activeElement!));
  expect(document.activeElement).toBe(button('Row'));
  await save(() => fireEvent.keyDown(document.activeElement!, { key: 'Enter' }));
  expect(document.activeElement).toBe(screen.getByRole('textbox'));
});

test('a button with nothing more to do leaves the focus to the one beside it', async () => {
  await renderInRoot();
  const page2 = button('Page 2');
  page2.focus();
  page2.disabled = true;
  await waitFor(() => expect(document.activeElement).toBe(button('Row')));
});

test('a popover keeps the focus while it is open', async () => {
  await renderInRoot();
  button('Row').focus();
  const popover = document.body.appendChild(document.createElement('div'));
  popover.className = 'portal';
  popover.innerHTML = '<div role="dialog"><button>Earlier</button><button>Later</button></div>';
  button('Earlier').focus();
  button('Earlier').disabled = true;
  await waitFor(() => expect(document.activeElement).toBe(button('Later')));
  popover.firstElementChild!.remove();
  await waitFor(() => expect(document.activeElement).toBe(button('Row')));
});

test('a key that is held down presses nothing where the focus is returned to', async () => {
  await renderInRoot();
  button('Row').focus();
  button('Passing').focus();
  button('Passing').remove();
  await waitFor(() => expect(document.activeElement).toBe(button('Row')));
  expect(fireEvent.keyDown(button('Row'), { key: 'Enter', repeat: true })).toBe(false);
  expect(fireEvent.keyDown(button('Row'), { key: 'Enter' })).toBe(true);
});

test('a button that went while it waited leaves the focus to the place before', async () => {
  await renderInRoot();
  const passing = button('Passing');
  button('Row').focus();
  passing.focus();
  await waitForResponse(passing);
  passing.remove();
  await waitFor(() => expect(document.activeElement).toBe(button('Row')));
});
