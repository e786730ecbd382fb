import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { ClientStep } from './client-step.tsx';

const inbound = (id: number, protocol: string) => ({
  id,
  remark: '',
  tag: `in-${id}`,
  protocol,
  port: id,
  enable: true,
});

it('puts the first client on the inbounds that take clients', async () => {
  const { sent } = await renderPage(<ClientStep />, {
    'GET /panel/api/inbounds/options': [inbound(1, 'vless'), inbound(2, 'wireguard'), inbound(3, 'trojan')],
    'POST /panel/api/clients/add': null,
    'GET /panel/api/clients/get/anna': new Error('no more to see here'),
  });
  await userEvent.type(await screen.findByRole('textbox'), 'anna');
  await userEvent.click(screen.getByRole('button', { name: 'Add client' }));
  await expect.poll(() => sent.find(({ method }) => method === 'POST')?.body).toMatchObject({ inboundIds: [1, 3] });
});
