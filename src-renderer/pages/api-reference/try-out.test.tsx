import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { CALL } from '../../testing/api-call.ts';
import { renderPage } from '../../testing/render-page.tsx';
import type { ApiCall } from './api-document.ts';
import { TryOut } from './try-out.tsx';

const UPLOAD: ApiCall = {
  ...CALL,
  id: 'importPreview',
  method: 'POST',
  path: '/panel/api/server/importDB/preview',
  upload: {
    type: 'object',
    required: ['db'],
    properties: {
      db: { type: 'string', format: 'binary' },
      keepHostSettings: { type: 'string', default: 'true' },
      passphrase: { type: 'string', default: '' },
    },
  },
};

function Tried({ call = CALL }: { call?: ApiCall }) {
  const [token, setToken] = useState('');
  return <TryOut call={call} example="" token={token} onToken={setToken} />;
}

it('says what is wrong with a token that no request can carry, and sends nothing', async () => {
  const { sent } = await renderPage(<Tried />, { 'GET /panel/api/server/status': {} });
  const field = await screen.findByLabelText('API token');
  await userEvent.type(field, 'ключ…');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await screen.findByText('A token has only Latin letters and digits.');
  expect(screen.queryByText('The panel cannot be reached.')).toBeNull();
  expect(sent).toEqual([]);
  await userEvent.clear(field);
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await screen.findByText('Answer: HTTP 200');
  expect(screen.queryByText('A token has only Latin letters and digits.')).toBeNull();
});

it('sends an upload as a form, with the chosen file and the other fields', async () => {
  const { sent } = await renderPage(<Tried call={UPLOAD} />, { 'POST /panel/api/server/importDB/preview': {} });
  expect(await screen.findByLabelText<HTMLInputElement>('keepHostSettings')).toHaveProperty('value', 'true');
  const file = new File(['content'], 'panel.db');
  // The button of a file field passes the click on to an input that is not shown.
  await userEvent.upload(document.querySelector<HTMLInputElement>('input[type="file"]')!, file);
  await userEvent.type(screen.getByLabelText('passphrase'), 'words');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await userEvent.click(await within(await screen.findByRole('dialog')).findByRole('button', { name: 'Send' }));
  await screen.findByText('Answer: HTTP 200');
  const form = sent[0]?.body as FormData;
  expect([...form]).toEqual([
    ['db', file],
    ['keepHostSettings', 'true'],
    ['passphrase', 'words'],
  ]);
});
