import { fireEvent, screen } from '@testing-library/react';
import { useQueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { useStatus } from '../../pages/overview/use-status.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { StatusBanners } from './status-banners.tsx';

/** The time that the status was read; a click reads it again, as the live stream does. */
function Read() {
  const cache = useQueryClient();
  const { data } = useStatus(({ uptime }) => uptime);
  return <button onClick={() => void cache.invalidateQueries()}>read {data}</button>;
}

it('says that the panel was updated while the page was open, and offers the new interface', async () => {
  let panelVersion = '1.0.0';
  let uptime = 0;
  await renderPage(
    <>
      <StatusBanners />
      <Read />
    </>,
    { 'GET /panel/api/server/status': () => ({ panelVersion, uptime: (uptime += 1) }) },
  );
  fireEvent.click(await screen.findByText('read 1'));
  await screen.findByText('read 2');
  expect(screen.queryByRole('status')).toBeNull();
  panelVersion = '1.1.0';
  fireEvent.click(screen.getByText('read 2'));
  expect(await screen.findByText('The panel was updated to 1.1.0')).toBeTruthy();
  expect(screen.getByText('This page still shows the interface of 1.0.0.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Load again' })).toBeTruthy();
});
