import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { InboundLinks } from './inbound-links.tsx';

it('tells the links of one client apart', async () => {
  const link = (host: string) => ({ email: 'anna', link: `vless://u@${host}.example:443#${host}-anna`, config: '' });
  await renderPage(<InboundLinks id={1} />, { 'GET /panel/api/inbounds/1/links': [link('Direct'), link('Relay')] });
  await screen.findByRole('button', { name: 'anna vless · Direct-anna' });
  expect(screen.getByRole('button', { name: 'anna vless · Relay-anna' })).toBeTruthy();
});

it('draws a code only for the link that is opened', async () => {
  const rows = ['anna', 'bert'].map((email) => ({ email, link: `vless://u@a.example:443#${email}`, config: '' }));
  await renderPage(<InboundLinks id={1} />, { 'GET /panel/api/inbounds/1/links': rows });
  await userEvent.click(await screen.findByRole('button', { name: /^anna/ }));
  await screen.findByRole('img', { name: /anna/ });
  expect(screen.getAllByRole('img', { hidden: true })).toHaveLength(1);
});
