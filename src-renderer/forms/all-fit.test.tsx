import { Modal } from '@mantine/core';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { ItemEditor } from '../pages/core/parts/item-editor.tsx';
import { renderPage } from '../testing/render-page.tsx';
import { SaveBar } from './draft/save-bar.tsx';
import { NumberField } from './number-field.tsx';

const handleSave = vi.fn();
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Port' });

/** A page with a bar, and what may be open over it. */
function Page({ hasDialog = false }: { hasDialog?: boolean }) {
  const [port, setPort] = useState(443);
  const number = <NumberField label="Port" min={1} max={65_535} value={port} onChange={(next) => setPort(next)} />;
  return (
    <main>
      {!hasDialog && number}
      <SaveBar isSaving={false} onSave={handleSave} notices={null} actions={null} />
      {hasDialog && (
        <Modal opened onClose={() => undefined}>
          {number}
        </Modal>
      )}
    </main>
  );
}

beforeEach(() => handleSave.mockClear());

it('a number that does not fit is not saved outside of a form either', async () => {
  await renderPage(<Page />, {});
  await userEvent.clear(field());
  await userEvent.type(field(), '99999');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(handleSave).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(field());
  await userEvent.type(field(), '{Backspace}');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(handleSave).toHaveBeenCalledOnce();
});

it('what is typed in a dialog over the page is no matter of the page', async () => {
  await renderPage(<Page hasDialog />, {});
  await userEvent.clear(field());
  await userEvent.type(field(), '99999');
  screen.getByRole('button', { name: 'Save', hidden: true }).click();
  expect(handleSave).toHaveBeenCalledOnce();
});

it('an entry of the template is not taken with a number that does not fit', async () => {
  await renderPage(
    <ItemEditor title="Server" item={{ port: 443 }} check={() => null} onDone={handleSave} onClose={() => undefined}>
      {(item, edit) => (
        <NumberField
          label="Port"
          max={65_535}
          value={Number(item['port'])}
          onChange={(port) => edit({ ...item, port })}
        />
      )}
    </ItemEditor>,
    {},
  );
  await userEvent.clear(field());
  await userEvent.type(field(), '99999');
  await userEvent.click(screen.getByRole('button', { name: 'Apply to draft' }));
  expect(handleSave).not.toHaveBeenCalled();
});
