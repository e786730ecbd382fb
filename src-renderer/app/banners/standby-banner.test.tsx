import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { StandbyBanner } from './standby-banner.tsx';

it('says that this panel is on standby and links to the active one', async () => {
  const address = 'https://10.0.0.1:2053/';
  await renderPage(<StandbyBanner />, { 'GET /panel/api/server/status': { standby: { name: 'one', address } } });
  expect(await screen.findByText(/one is active and takes changes/)).toBeTruthy();
  expect(screen.getByRole<HTMLAnchorElement>('link').href).toBe(address);
});
