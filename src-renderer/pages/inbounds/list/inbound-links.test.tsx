import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { InboundLinks } from './inbound-links.tsx';

it('tells the links of one client apart', async () => {
  const link = (host: string) => ({ email: 'anna', link: `vless://u@${host}.example:443#${host}-anna`, config: '' });
  await renderPage(<InboundLinks id={1} />, { 'GET /panel/api/inbounds/1/links': [link('Direct'), link('Relay')] });
  await screen.findByRole('button', { name: 'anna vless · Direct-anna' });
  expect(screen.getByRole('button', { name: 'anna vless · Relay-anna' })).toBeTruthy();
});
