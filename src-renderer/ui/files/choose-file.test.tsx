import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { ChooseFile } from './choose-file.tsx';

test('a file can be chosen again, as after it was corrected', async () => {
  const onChange = vi.fn();
  await renderPage(<ChooseFile onChange={onChange}>{(props) => <button {...props}>Choose</button>}</ChooseFile>, {});
  await screen.findByText('Choose');
  const picker = document.querySelector<HTMLInputElement>('input[type=file]')!;
  const file = new File(['{"port":1}'], 'inbound.json', { type: 'application/json' });
  await userEvent.upload(picker, file);
  await userEvent.upload(picker, file);
  expect(onChange.mock.calls).toEqual([[file], [file]]);
});
