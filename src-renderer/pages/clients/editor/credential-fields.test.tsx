import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { ClientEditor } from './client-editor.tsx';

const OPTIONS = [
  { id: 1, remark: 'vision', tag: 't1', port: 443, protocol: 'vless', tlsFlowCapable: true },
  { id: 2, remark: 'plain', tag: 't2', port: 80, protocol: 'vmess', tlsFlowCapable: false },
];

async function openNew(options: object[]) {
  const { sent } = await renderPage(<ClientEditor email="" onClose={() => undefined} />, {
    'GET /panel/api/inbounds/options': options,
    'POST /panel/api/clients/add': null,
  });
  await userEvent.type(await screen.findByLabelText('E-mail or name'), 'n');
  await userEvent.click(screen.getByRole('button', { name: 'Credentials and protocol' }));
  return sent;
}

it('offers a flow where an inbound takes one, and sends what was chosen', async () => {
  const sent = await openNew(OPTIONS.slice(0, 1));
  await userEvent.click(await screen.findByRole('combobox', { name: 'Flow' }));
  await userEvent.click(await screen.findByRole('option', { name: 'xtls-rprx-vision' }));
  expect(await screen.findByText('None of the chosen inbounds is vmess.')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Telegram id, 0 = none'), '42');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect
    .poll(() => sent.find(({ method }) => method === 'POST')?.body)
    .toMatchObject({
      client: { email: 'n', flow: 'xtls-rprx-vision', tgId: 42 },
      inboundIds: [1],
    });
});

it('offers only inbounds that clients can be on', async () => {
  await openNew([...OPTIONS, { id: 3, remark: 'peers', tag: 't3', port: 51820, protocol: 'wireguard' }]);
  await userEvent.click(screen.getByRole('combobox', { name: 'Inbounds' }));
  const offered = (await screen.findAllByRole('option')).map(({ textContent }) => textContent);
  expect(offered).toEqual(['vision · 443', 'plain · 80']);
});

it('says when no inbound takes a flow', async () => {
  await openNew(OPTIONS.slice(1));
  expect(await screen.findByText('None of the chosen inbounds uses a flow.')).toBeTruthy();
  expect(await screen.findByRole('combobox', { name: 'Flow' })).toHaveProperty('disabled', true);
  expect(screen.getByRole('combobox', { name: 'Cipher of vmess' })).toHaveProperty('disabled', false);
});
