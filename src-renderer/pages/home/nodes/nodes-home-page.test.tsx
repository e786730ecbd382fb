import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router';
import { expect, it } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { nodeRow } from '../../nodes/testing-node.ts';
import { NodesHomePage } from './nodes-home-page.tsx';

function Here() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

it('shows the nodes of this panel as the window shows all panels, with a link to each', async () => {
  await renderPage(
    <>
      <NodesHomePage />
      <Here />
    </>,
    {
      'GET /panel/api/nodes/list': [
        nodeRow(),
        nodeRow({
          id: 2,
          name: 'Paris',
          guid: 'guid-par',
          status: 'offline',
          panelVersion: '',
          coreVersion: '',
          lastHeartbeat: Date.now() / 1000,
          lastError: 'h:9: connect ECONNREFUSED 192.0.2.1:9',
        }),
      ],
      'GET /panel/api/nodes/history/1/netUp/60': [],
      'GET /panel/api/nodes/history/1/netDown/60': [],
      'GET /panel/api/nodes/history/2/netUp/60': [],
      'GET /panel/api/nodes/history/2/netDown/60': [],
    },
    '/panel/nodes/home',
  );
  const tile = await screen.findByRole('article', { name: 'Paris' });
  expect(await within(tile).findByText('the connection was refused')).toBeTruthy();
  // Its last probe read nothing, and no separator is left without its neighbours.
  expect(tile.textContent).not.toMatch(/read this|·/);
  expect(screen.getByText('1 of 2')).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: 'Rows' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Frankfurt' }));
  expect(await screen.findByText('/panel/nodes?show=1')).toBeTruthy();
});
