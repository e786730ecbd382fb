import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { InboundsPage } from './inbounds-page.tsx';

const ROW = {
  id: 7,
  enable: true,
  remark: 'Home',
  listen: '',
  port: 443,
  protocol: 'vless',
  up: 1024,
  down: 0,
  total: 0,
  expiryTime: 0,
  tag: 'in-443-tcp',
  settings: { clients: [] },
  streamSettings: { network: 'ws', security: 'tls' },
  clientStats: [{ email: 'a' }, { email: 'b' }],
};
const OTHER = { ...ROW, id: 8, remark: 'Away', port: 444, tag: 'in-444-tcp', clientStats: [{ email: 'b' }] };

test('shows what an inbound is and switches it off', async () => {
  const { sent } = await renderPage(<InboundsPage />, {
    'GET /panel/api/inbounds/list/slim': [ROW],
    'POST /panel/api/inbounds/setEnable/7': null,
  });
  expect(await screen.findByText('Home')).toBeDefined();
  for (const word of ['vless', 'ws', 'tls']) expect(screen.getByText(word)).toBeDefined();
  await userEvent.click(screen.getByRole('switch', { name: 'Home is enabled' }));
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toContain('POST /panel/api/inbounds/setEnable/7');
});

test('makes an inbound from a recipe', async () => {
  const { sent } = await renderPage(
    <InboundsPage />,
    {
      'GET /panel/api/inbounds/list/slim': [],
      'GET /panel/api/server/getNewX25519Cert': { privateKey: 'p', publicKey: 'q' },
      'POST /panel/api/inbounds/add': ROW,
    },
    '/?inbound=new',
  );
  await userEvent.type(await screen.findByLabelText('Name'), 'Door');
  await userEvent.click(screen.getAllByRole('button', { name: 'Add inbound' }).at(-1)!);
  await expect.poll(() => sent.find(({ path }) => path.endsWith('/add'))).toBeDefined();
  expect(JSON.stringify(sent.find(({ path }) => path.endsWith('/add')))).toContain('Door');
});

test('a deletion names the inbound and says what its clients lose', async () => {
  const { sent } = await renderPage(<InboundsPage />, {
    'GET /panel/api/inbounds/list/slim': [ROW, OTHER],
    'POST /panel/api/inbounds/bulkDel': { deleted: 1, skipped: [] },
  });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Home' }));
  await userEvent.click(screen.getByRole('button', { name: 'Delete inbound' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete inbound Home?' }));
  expect(dialog.getByText(/1 client has no other inbound/)).toBeDefined();
  expect(sent.some(({ path }) => path.endsWith('/bulkDel'))).toBe(false);
  await userEvent.click(dialog.getByRole('button', { name: 'Delete inbound' }));
  await expect.poll(() => sent.find(({ path }) => path.endsWith('/bulkDel'))?.body).toEqual({ ids: [7] });
});
