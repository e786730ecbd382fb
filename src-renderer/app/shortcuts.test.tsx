import { Modal, Switch } from '@mantine/core';
import { spotlight } from '@mantine/spotlight';
import { fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useLocation } from 'react-router';
import { expect, it, vi } from 'vitest';
import { FormFields } from '../forms/form-fields.tsx';
import { SaveBar } from '../forms/draft/save-bar.tsx';
import { renderPage } from '../testing/render-page.tsx';
import { PaletteButton } from './palette/palette-button.tsx';
import { ShortcutHelp } from './shortcuts.tsx';

function Here() {
  return <output>{useLocation().pathname}</output>;
}

const press = (key: string, code: string, more: object = {}) =>
  fireEvent.keyDown(document.body, { key, code, ...more });

it.each([
  ['Russian', 'п', 'с', ','],
  ['Persian', 'ل', 'ز', '؟'],
])('shortcuts are the same keys under a %s layout', async (_layout, g, c, question) => {
  await renderPage(
    <>
      <ShortcutHelp />
      <Here />
    </>,
    {},
  );
  press(g, 'KeyG');
  press(c, 'KeyC');
  expect(await screen.findByText('/panel/clients')).toBeTruthy();
  if (question === ',') return;
  press(question, 'Slash', { shiftKey: true });
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy();
});

it('letters typed on while a form is saved open nothing', async () => {
  await renderPage(
    <>
      <ShortcutHelp />
      <Here />
      <FormFields isSaving>
        <input />
      </FormFields>
    </>,
    {},
  );
  press('g', 'KeyG');
  press('c', 'KeyC');
  press('?', 'Slash', { shiftKey: true });
  expect(screen.getByText('/')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('saves and searches by the same keys under another layout', async () => {
  const save = vi.fn();
  await renderPage(
    <>
      <SaveBar isSaving={false} onSave={save} notices={null} actions={null} />
      <PaletteButton />
    </>,
    { 'GET /panel/api/server/status': { core: { state: 'running' } } },
  );
  const event = new KeyboardEvent('keydown', {
    key: 'ы',
    code: 'KeyS',
    ctrlKey: true,
    bubbles: true,
    cancelable: true,
  });
  document.body.dispatchEvent(event);
  expect(save).toHaveBeenCalledOnce();
  // The browser would save the page.
  expect(event.defaultPrevented).toBe(true);
  press('л', 'KeyK', { ctrlKey: true });
  expect(await screen.findByRole('dialog')).toBeTruthy();
  spotlight.close();
});

it('a slash in an open dialog leaves the search behind it alone', async () => {
  await renderPage(
    <>
      <ShortcutHelp />
      <main>
        <input type="search" aria-label="Search" />
      </main>
      <Modal opened onClose={() => undefined} title="Delete?">
        <button>Delete</button>
      </Modal>
    </>,
    {},
  );
  const remove = await screen.findByRole('button', { name: 'Delete' });
  remove.focus();
  fireEvent.keyDown(remove, { key: '/', code: 'Slash' });
  expect(document.activeElement).toBe(remove);
});

it('a question mark in a text of several lines is part of the text', async () => {
  await renderPage(
    <>
      <ShortcutHelp />
      <textarea aria-label="Comment" />
    </>,
    {},
  );
  fireEvent.keyDown(screen.getByRole('textbox'), { key: '?', code: 'Slash', shiftKey: true });
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('a switch that has the focus takes no letters', async () => {
  await renderPage(
    <>
      <ShortcutHelp />
      <Here />
      <Switch aria-label="On" />
    </>,
    {},
  );
  const on = screen.getByRole('switch', { name: 'On' });
  fireEvent.keyDown(on, { key: 'g', code: 'KeyG' });
  fireEvent.keyDown(on, { key: 'c', code: 'KeyC' });
  expect(await screen.findByText('/panel/clients')).toBeTruthy();
});

it('Ctrl+S does not save what lies beneath an open dialog', async () => {
  const save = vi.fn<() => void>();
  await renderPage(
    <>
      <SaveBar isSaving={false} onSave={save} notices={null} actions={null} />
      <Modal opened onClose={() => undefined} title="Delete?">
        <button>Delete</button>
      </Modal>
    </>,
    {},
  );
  const remove = await screen.findByRole('button', { name: 'Delete' });
  // The browser would save the page.
  expect(fireEvent.keyDown(remove, { key: 's', code: 'KeyS', ctrlKey: true })).toBe(false);
  expect(save).not.toHaveBeenCalled();
});

it('the words of a button without any are shown to the keyboard too', async () => {
  await renderPage(<PaletteButton />, {});
  await userEvent.tab();
  expect((await screen.findByRole('tooltip')).textContent).toContain('Ctrl');
});
