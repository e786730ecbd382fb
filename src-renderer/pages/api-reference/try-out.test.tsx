import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CALL } from '../../testing/api-call.ts';
import { renderPage } from '../../testing/render-page.tsx';
import * as files from '../../ui/files/save-file.ts';
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

it('downloads a file with the token that was typed, and shows why there is none', async () => {
  const saved = vi.spyOn(files, 'saveFile').mockImplementation(() => undefined);
  const network = vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
    if (new Headers(init?.headers).get('authorization') !== 'Bearer right')
      return Response.json({ success: false, msg: 'no such token' }, { status: 401 });
    return new Response('content', { headers: { 'content-disposition': 'attachment; filename=panel.db' } });
  });
  onTestFinished(() => [saved, network].forEach((spy) => spy.mockRestore()));
  await renderPage(<Tried call={{ ...CALL, path: '/panel/api/server/getDb', isFile: true }} />, {});
  const link = await screen.findByRole('link', { name: 'Download the file' });
  expect(link.getAttribute('href')).toBe('/panel/api/server/getDb');
  await userEvent.type(screen.getByLabelText('API token'), 'wrong');
  await userEvent.click(screen.getByRole('button', { name: 'Download the file' }));
  await screen.findByText('Answer: HTTP 401');
  expect(screen.getByText(/no such token/)).toBeTruthy();
  await userEvent.clear(screen.getByLabelText('API token'));
  await userEvent.type(screen.getByLabelText('API token'), 'right');
  await userEvent.click(screen.getByRole('button', { name: 'Download the file' }));
  await screen.findByText('Answer: HTTP 200');
  expect(saved).toHaveBeenCalledExactlyOnceWith('panel.db', expect.any(Blob));
  const [, content] = saved.mock.calls[0] ?? [];
  expect(await (content as Blob).text()).toBe('content');
});
