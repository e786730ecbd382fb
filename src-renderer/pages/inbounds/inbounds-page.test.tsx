import { Notifications } from '@mantine/notifications';
import { fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { nodeRow } from '../nodes/testing-node.ts';
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
  settings: {},
  nodeId: null,
  streamSettings: { network: 'ws', security: 'tls' },
  clientCount: 1200,
  onlineCount: 3,
};
const OTHER = { ...ROW, id: 8, remark: 'Away', port: 444, tag: 'in-444-tcp' };

test('shows the kind of an inbound and switches it off', async () => {
  const { sent } = await renderPage(
    <>
      <Notifications />
      <InboundsPage />
    </>,
    {
      'GET /panel/api/nodes/list': [],
      'GET /panel/api/servers/list': [],
      'GET /panel/api/inbounds/list/counted': [ROW],
      'POST /panel/api/inbounds/setEnable/7': null,
    },
  );
  expect(await screen.findByText('Home')).toBeDefined();
  for (const word of ['vless', 'ws', 'tls']) expect(within(screen.getByRole('table')).getByText(word)).toBeDefined();
  expect(screen.getByRole('link', { name: '1,200 clients of Home, 3 online' }).textContent).toBe('1,200 (3 online)');
  const switched = () => sent.filter(({ path }) => path.endsWith('/setEnable/7')).map(({ body }) => body);
  await userEvent.click(screen.getByRole('switch', { name: 'Home is enabled' }));
  await expect.poll(switched).toEqual([{ enable: false }]);
  expect(await screen.findByText('Home is off.')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await expect.poll(switched).toEqual([{ enable: false }, { enable: true }]);
});

test('an inbound that is on but does not run shows its reason', async () => {
  const leftOut = [
    {
      kind: 'inbound',
      name: ROW.tag,
      reason: `Inbound ${ROW.tag} does not run: its port 443 is used by another program.`,
    },
    { kind: 'inbound', name: OTHER.tag, reason: `Inbound ${OTHER.tag} does not run: no matter.` },
  ];
  await renderPage(<InboundsPage />, {
    'GET /panel/api/nodes/list': [],
    'GET /panel/api/servers/list': [],
    'GET /panel/api/inbounds/list/counted': [ROW, { ...OTHER, enable: false }],
    'GET /panel/api/server/status': { core: { state: 'running', leftOut } },
  });
  const home = within((await screen.findByText('Home')).closest('tr') ?? document.body);
  const words = await home.findByText(/^Not running/);
  expect(words.textContent.replaceAll(/[\u2068\u2069]/g, '').trim()).toBe(
    'Not running: its port 443 is used by another program.',
  );
  expect(screen.getAllByText(/^Not running/)).toHaveLength(1);
});

test('names the server of each inbound where there are several, and marks the unreachable ones', async () => {
  const server = { address: '', lastSeen: 0, inboundCount: 1, core: null, isHere: false };
  await renderPage(<InboundsPage />, {
    'GET /panel/api/nodes/list': [],
    'GET /panel/api/servers/list': [
      { ...server, id: 'here', name: 'near', state: 'active', isHere: true },
      { ...server, id: 'there', name: 'far', state: 'away' },
    ],
    'GET /panel/api/server/status': { core: { state: 'running', leftOut: [] } },
    'GET /panel/api/inbounds/list/counted': [
      { ...ROW, serverId: null },
      { ...OTHER, serverId: 'there' },
    ],
  });
  const away = within((await screen.findByText('Away')).closest('tr') ?? document.body);
  expect(await away.findByText('far')).toBeDefined();
  expect((await away.findByText(/^Not running/)).textContent.replaceAll(/[\u2068\u2069]/g, '').trim()).toBe(
    'Not running: far is away',
  );
  const home = within((await screen.findByText('Home')).closest('tr') ?? document.body);
  expect(home.getByText('The active panel')).toBeDefined();
  expect(home.queryByText(/^Not running/)).toBeNull();
});

test('names the node of each inbound, and filters by one', async () => {
  await renderPage(
    <InboundsPage />,
    {
      'GET /panel/api/nodes/list': [nodeRow({ id: 3, name: 'Far' })],
      'GET /panel/api/servers/list': [],
      'GET /panel/api/inbounds/list/counted': [ROW, { ...OTHER, nodeId: 3 }],
    },
    '/?node=3',
  );
  const away = within((await screen.findByText('Away')).closest('tr') ?? document.body);
  expect((await away.findByRole('link', { name: 'Far' })).getAttribute('href')).toBe('/panel/nodes?show=3');
  expect(screen.queryByText('Home')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
  const home = within((await screen.findByText('Home')).closest('tr') ?? document.body);
  expect(home.getByText('This panel')).toBeDefined();
});

test.each([false, true])('makes an inbound from a recipe, on 443 unless it is taken: %s', async (isHttpsTaken) => {
  const { sent } = await renderPage(
    <InboundsPage />,
    {
      'GET /panel/api/nodes/list': [],
      'GET /panel/api/servers/list': [],
      'GET /panel/api/inbounds/list/counted': [],
      'GET /panel/api/jobs/list': [],
      'GET /panel/api/server/getNewX25519Cert': { privateKey: 'p', publicKey: 'q' },
      'POST /panel/api/inbounds/checkPlace': ({ body }: { body: { port: number } }) =>
        isHttpsTaken && body.port === 443 ? new Error('taken') : null,
      'POST /panel/api/inbounds/add': { ...ROW, coreWarnings: [] },
    },
    '/?inbound=new',
  );
  const first = await screen.findByRole('radio', { name: /^VLESS with REALITY/ });
  // The fields below the recipes are out of view in a small window.
  await expect.poll(() => document.activeElement).toBe(first);
  await userEvent.type(await screen.findByLabelText('Name'), 'Door');
  const port = screen.getByRole<HTMLInputElement>('textbox', { name: /^Port/ });
  await expect.poll(() => port.value).not.toBe('');
  expect(port.value === '443').toBe(!isHttpsTaken);
  const proposed = port.value;
  await userEvent.clear(port);
  await userEvent.type(port, '-5');
  await userEvent.tab();
  expect(port.value).toBe('-5');
  expect(screen.getByText('A whole number from 1 to 65535')).toBeDefined();
  await userEvent.clear(port);
  await userEvent.type(port, proposed);
  const site = screen.getByLabelText<HTMLInputElement>(/^Answers as this site/);
  expect(site.value).toBe('');
  expect(screen.getByRole('button', { name: 'Find sites' })).toBeDefined();
  await userEvent.type(site, 'site.example:443');
  await userEvent.click(screen.getAllByRole('button', { name: 'Add inbound' }).at(-1)!);
  await expect.poll(() => sent.find(({ path }) => path.endsWith('/add'))).toBeDefined();
  expect(JSON.stringify(sent.find(({ path }) => path.endsWith('/add')))).toContain('Door');
});

test('a deletion names the inbound and what its clients lose', async () => {
  const { sent } = await renderPage(<InboundsPage />, {
    'GET /panel/api/nodes/list': [],
    'GET /panel/api/servers/list': [],
    'GET /panel/api/inbounds/list/counted': [ROW, OTHER],
    'POST /panel/api/inbounds/soleClients': { count: 1 },
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

test('a deletion of many names three, counts the rest, and shows refusals in one place', async () => {
  const rows = Array.from({ length: 5 }, (_, at) => ({ ...ROW, id: at + 1, remark: `Door ${at + 1}` }));
  const { sent } = await renderPage(
    <>
      <Notifications />
      <InboundsPage />
    </>,
    {
      'GET /panel/api/nodes/list': [],
      'GET /panel/api/servers/list': [],
      'GET /panel/api/inbounds/list/counted': rows,
      'POST /panel/api/inbounds/soleClients': { count: 0 },
      'POST /panel/api/inbounds/bulkDel': {
        deleted: 0,
        skipped: rows.map(({ id }) => ({ id, reason: 'busy' })),
      },
    },
  );
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all' }));
  fireEvent.click(screen.getByRole('button', { name: 'Delete 5 inbounds' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete 5 inbounds?' }));
  expect(dialog.getByText(/2 more/).textContent).toBe('Door 1 · Door 2 · Door 3 · 2 more');
  fireEvent.click(dialog.getByRole('button', { name: 'Delete 5 inbounds' }));
  await expect.poll(() => sent.some(({ path }) => path.endsWith('/bulkDel'))).toBe(true);
  const refusal = await screen.findByRole('alert');
  expect(refusal.textContent).toBe('Door 1: busy\nDoor 2: busy\nDoor 3: busy\n2 more');
});

test('a recipe for a CDN adds its address, one for TLS uses the panel’s certificate', async () => {
  const { sent } = await renderPage(
    <InboundsPage />,
    {
      'GET /panel/api/nodes/list': [],
      'GET /panel/api/servers/list': [],
      'GET /panel/api/inbounds/list/counted': [],
      'GET /panel/api/jobs/list': [],
      'GET /panel/api/server/getWebCertFiles': { webCertFile: '/c.pem', webKeyFile: '/k.pem' },
      'POST /panel/api/inbounds/checkPlace': null,
      'POST /panel/api/inbounds/checkCertificates': [],
      'POST /panel/api/inbounds/add': { ...ROW, id: 7, coreWarnings: [] },
      'POST /panel/api/hosts/add': {},
    },
    '/?inbound=new',
  );
  await userEvent.click(await screen.findByRole('radio', { name: /^Trojan/ }));
  const file = await screen.findByLabelText<HTMLInputElement>(/^Certificate file/);
  await expect.poll(() => file.value).toBe('/c.pem');
  await userEvent.click(screen.getByRole('radio', { name: /^XHTTP through a CDN/ }));
  const port = screen.getByRole<HTMLInputElement>('textbox', { name: /^Port/ });
  await expect.poll(() => port.value).toBe('8080');
  await userEvent.type(screen.getByLabelText(/^Domain at the CDN/), 'cdn.example');
  await userEvent.click(screen.getAllByRole('button', { name: 'Add inbound' }).at(-1)!);
  await expect.poll(() => sent.find(({ path }) => path.endsWith('/hosts/add'))).toBeDefined();
  expect(sent.find(({ path }) => path.endsWith('/hosts/add'))).toMatchObject({
    body: { inboundId: 7, address: 'cdn.example', port: 443, security: 'tls' },
  });
});

test('the dialog with the code of a client says why there is none', async () => {
  await renderPage(
    <InboundsPage />,
    {
      'GET /panel/api/nodes/list': [],
      'GET /panel/api/servers/list': [],
      'GET /panel/api/inbounds/list/counted': [ROW],
      'GET /panel/api/clients/list/paged': new Error('the disk is full'),
    },
    '/?code=7',
  );
  expect(await screen.findByText('the disk is full')).toBeDefined();
});
