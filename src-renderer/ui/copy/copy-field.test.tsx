import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { CopyField } from './copy-field.tsx';

const giveClipboard = (writeText: (text: string) => Promise<void>): void =>
  void Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
afterEach(() => Reflect.deleteProperty(navigator, 'clipboard'));

function Renewed() {
  const [value, setValue] = useState('old');
  return (
    <>
      <CopyField label="Link" value={value} />
      <button onClick={() => setValue('new')}>Renew</button>
    </>
  );
}

const copied = (): boolean => document.querySelector('.tabler-icon-check') !== null;

test('a value that replaces the copied one is not shown as copied', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => undefined);
  giveClipboard(writeText);
  await renderPage(<Renewed />, {});
  fireEvent.click(screen.getByRole('button', { name: 'Copy Link' }));
  await expect.poll(copied).toBe(true);
  expect(writeText).toHaveBeenCalledWith('old');
  expect(screen.getByRole('status').textContent).toBe('Copied');
  fireEvent.click(screen.getByText('Renew'));
  expect(copied()).toBe(false);
});

test('a clipboard that refuses leaves the text selected, and says nothing else', async () => {
  giveClipboard(() => Promise.reject(new Error('not allowed')));
  await renderPage(<CopyField label="Link" value="text" />, {});
  fireEvent.click(screen.getByRole('button', { name: 'Copy Link' }));
  await new Promise((resolve) => setTimeout(resolve));
  const field = screen.getByLabelText<HTMLInputElement>('Link');
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 4]);
  expect(copied()).toBe(false);
});
