import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import type { ApiCall } from './api-document.ts';
import { TryOut } from './try-out.tsx';

const CALL: ApiCall = {
  id: 'status',
  group: 'server',
  method: 'GET',
  path: '/panel/api/server/status',
  summary: '',
  parameters: [],
  body: null,
  example: undefined,
  result: null,
  isEnvelope: true,
  isFile: false,
  isUpload: false,
};

function Tried() {
  const [token, setToken] = useState('');
  return <TryOut call={CALL} example="" token={token} onToken={setToken} />;
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
