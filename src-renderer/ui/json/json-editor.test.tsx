import { Modal } from '@mantine/core';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { JsonEditorCode } from './json-editor-code.tsx';

// The simulated browser measures no text.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;

it('Escape closes the search of the text first, then the dialog around it', async () => {
  const close = vi.fn<() => void>();
  await renderPage(
    <Modal opened onClose={close}>
      <JsonEditorCode label="Text" value="{}" />
    </Modal>,
    {},
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Find' }));
  const field = await screen.findByRole('textbox', { name: 'Find' });
  field.focus();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(field.isConnected).toBe(false));
  expect(close).not.toHaveBeenCalled();
  await userEvent.keyboard('{Escape}');
  expect(close).toHaveBeenCalledOnce();
});
