import { screen } from '@testing-library/react';
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
  tag: 'in-443-tcp',
  streamSettings: { network: 'ws', security: 'tls' },
  clientStats: [{}, {}],
};

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
