import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { NodesPage } from '../nodes-page.tsx';
import { nodeRow } from '../testing-node.ts';

const API = '/panel/api/nodes';

test('another admin’s save of a node is shown before it would be lost, and both can be kept', async () => {
  let stored = nodeRow({ id: 4 });
  const { sent } = await renderPage(
    <NodesPage />,
    {
      [`GET ${API}/list`]: [stored],
      [`GET ${API}/get/4`]: () => stored,
      'POST /panel/api/core/': { xraySetting: '{}', inboundTags: '[]', clientReverseTags: '[]', outboundTestUrl: '' },
      'GET /panel/api/inbounds/options': [],
      [`POST ${API}/update/4`]: null,
    },
    '/?node=4',
  );
  const saves = () => sent.filter(({ path }) => path === `${API}/update/4`).map(({ body }) => body);
  await userEvent.type(await screen.findByLabelText('Remark'), 'mine');
  await userEvent.type(screen.getByLabelText('API token'), 'typed');
  stored = { ...stored, port: 8443, remoteEdits: 'show', hasApiToken: false };
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const notice = (await screen.findByText('Another admin changed this node')).closest('[role=alert]');
  for (const line of ['Port: 8443', 'Edits made on the node: Only show them'])
    expect(notice?.textContent).toContain(line);
  expect(notice?.textContent).not.toContain('API token');
  expect(saves()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(saves).toMatchObject([{ port: 8443, remoteEdits: 'show', remark: 'mine', apiToken: 'typed' }]);
});
