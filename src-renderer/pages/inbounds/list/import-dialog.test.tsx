import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { ImportDialog } from './import-dialog.tsx';

vi.mock('../../../ui/json/json-editor.tsx', () => ({
  JsonEditor: ({ value, onChange }: { value: string; onChange: (text: string) => void }) => (
    <textarea aria-label="json" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
  ),
}));

test('a file can be chosen again, as after it was corrected', async () => {
  await renderPage(<ImportDialog onClose={() => undefined} />, {});
  const json = await screen.findByLabelText<HTMLTextAreaElement>('json');
  const picker = document.querySelector<HTMLInputElement>('input[type=file]')!;
  const file = new File(['{"port":1}'], 'inbound.json', { type: 'application/json' });
  await userEvent.upload(picker, file);
  await expect.poll(() => json.value).toBe('{"port":1}');
  await userEvent.clear(json);
  await userEvent.upload(picker, file);
  await expect.poll(() => json.value).toBe('{"port":1}');
});
