import { Notifications } from '@mantine/notifications';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { NEW_HOST } from './editor/host-form.ts';
import { HostsPage } from './hosts-page.tsx';

const INBOUND = { id: 7, remark: 'Door', tag: 'in-443', protocol: 'vless', port: 443 };
const host = (id: number, remark: string) => ({
  id,
  inboundId: 7,
  groupId: `g${id}`,
  remark,
  address: `${remark}.example`,
  port: 0,
  security: 'same',
  enable: true,
  tags: [],
});

test('a move and a switch can be undone', async () => {
  const { sent } = await renderPage(
    <>
      <Notifications />
      <HostsPage />
    </>,
    {
      'GET /panel/api/hosts/list': [host(1, 'one'), host(2, 'two'), host(3, 'three')],
      'GET /panel/api/inbounds/options': [INBOUND],
      'POST /panel/api/hosts/reorder': null,
      'POST /panel/api/hosts/bulk/setEnable': null,
    },
  );
  const bodies = (end: string) => sent.filter(({ path }) => path.endsWith(end)).map(({ body }) => body);
  await move('one', 3);
  await expect.poll(() => bodies('/reorder')).toEqual([{ ids: [2, 3, 1] }]);
  expect(await screen.findByText('The order is changed.')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await expect.poll(() => bodies('/reorder')).toEqual([{ ids: [2, 3, 1] }, { ids: [1, 2, 3] }]);
  await userEvent.click(screen.getByRole('switch', { name: 'two is enabled' }));
  expect(await screen.findByText('two is off.')).toBeDefined();
  // The earlier notification may still be fading out.
  const notification = screen.getByText('two is off.').closest<HTMLElement>('[role=alert]')!;
  await userEvent.click(within(notification).getByRole('button', { name: 'Undo' }));
  await expect
    .poll(() => bodies('/bulk/setEnable'))
    .toEqual([
      { ids: [2], enable: false },
      { ids: [2], enable: true },
    ]);
});

function PageToLeave() {
  const [isLeft, setLeft] = useState(false);
  return (
    <>
      <Notifications />
      <button onClick={() => setLeft(true)}>Leave</button>
      {!isLeft && <HostsPage />}
    </>
  );
}

test.each<[string, string, () => Promise<void>]>([
  [
    'switch',
    '/bulk/setEnable',
    async () => userEvent.click(await screen.findByRole('switch', { name: 'one is enabled' })),
  ],
  ['move', '/reorder', () => move('one', 2)],
])('an undo of a %s that fails after the page was left says so', async (_what, path, act) => {
  let response: Error | null = null;
  await renderPage(<PageToLeave />, {
    'GET /panel/api/hosts/list': [host(1, 'one'), host(2, 'two'), host(3, 'three')],
    'GET /panel/api/inbounds/options': [INBOUND],
    [`POST /panel/api/hosts${path}`]: () => response,
  });
  await act();
  const undo = await screen.findByRole('button', { name: 'Undo' });
  await userEvent.click(screen.getByRole('button', { name: 'Leave' }));
  response = new Error('the disk is full');
  await userEvent.click(undo);
  expect(await screen.findByText('the disk is full')).toBeDefined();
});

test('the last order made is shown, whatever answers late', async () => {
  const [one, two, three] = [host(1, 'one'), host(2, 'two'), host(3, 'three')] as const;
  const lists: ((hosts: unknown) => void)[] = [];
  const orders: ((saved: unknown) => void)[] = [];
  const { sent } = await renderPage(<HostsPage />, {
    'GET /panel/api/hosts/list': () => new Promise((resolve) => lists.push(resolve)),
    'GET /panel/api/inbounds/options': [INBOUND],
    'POST /panel/api/hosts/reorder': () => new Promise((resolve) => orders.push(resolve)),
  });
  const shown = () => screen.getAllByRole('switch').map((element) => element.getAttribute('aria-label')?.split(' ')[0]);
  const bodies = () => sent.filter(({ path }) => path.endsWith('/reorder')).map(({ body }) => body);
  await expect.poll(() => lists.length).toBe(1);
  lists.at(0)?.([one, two, three]);

  await move('one', 3);
  expect(shown()).toEqual(['two', 'three', 'one']);
  await expect.poll(bodies).toEqual([{ ids: [2, 3, 1] }]);
  await move('one', 2);
  expect(shown()).toEqual(['two', 'one', 'three']);
  expect(bodies(), 'the second waits for the answer to the first').toHaveLength(1);

  orders.at(0)?.(null);
  await expect.poll(() => lists.length).toBe(2);
  lists.at(1)?.([one, two, three]);
  await expect.poll(bodies).toEqual([{ ids: [2, 3, 1] }, { ids: [2, 1, 3] }]);
  expect(shown()).toEqual(['two', 'one', 'three']);
  orders.at(1)?.(null);
  await expect.poll(() => lists.length).toBe(3);
  expect(shown()).toEqual(['two', 'one', 'three']);
  // Reading fails: the saved order stays.
  lists.at(2)?.(new Error('later'));
  expect(await screen.findByText('later')).toBeDefined();
  expect(shown()).toEqual(['two', 'one', 'three']);
});

async function move(name: string, position: number): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: `Actions of ${name}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Move to…' }));
  const field = await screen.findByLabelText('Position, from 1 to 3');
  await userEvent.clear(field);
  await userEvent.type(field, String(position));
  await userEvent.click(screen.getByRole('button', { name: 'Move' }));
}

test('another admin’s save of a host is shown before it would be lost, and both can be kept', async () => {
  const { inboundIds: _inboundIds, hosts: _hosts, ...content } = NEW_HOST;
  const full = {
    ...content,
    ...host(1, 'one'),
    yamlX25519: false,
    isHidden: false,
    shuffleHost: false,
    nodeGuids: [],
  };
  let stored: object = full;
  const { sent } = await renderPage(
    <HostsPage />,
    {
      'GET /panel/api/hosts/list': [full],
      'GET /panel/api/inbounds/options': [INBOUND],
      'GET /panel/api/hosts/tags': [],
      'GET /panel/api/hosts/get/1': () => stored,
      'POST /panel/api/hosts/preview': { link: 'vless://x', reason: '', email: '' },
      'POST /panel/api/hosts/update/1': full,
    },
    '/?host=1',
  );
  const saves = () => sent.filter(({ path }) => path.endsWith('/update/1')).map(({ body }) => body);
  await userEvent.type(await screen.findByLabelText('Server name (SNI)'), 'mine.example');
  stored = { ...full, port: 8443 };
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByText('Another admin changed this host')).closest('[role=alert]')?.textContent).toContain(
    '8443',
  );
  expect(saves()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(saves).toMatchObject([{ port: 8443, sni: 'mine.example' }]);
});

test('an address that is refused for its port says so at the field', async () => {
  const { inboundIds: _inboundIds, hosts: _hosts, ...content } = NEW_HOST;
  const full = { ...content, ...host(1, 'one'), yamlX25519: false, isHidden: false, shuffleHost: false, nodeGuids: [] };
  await renderPage(
    <HostsPage />,
    {
      'GET /panel/api/hosts/list': [full],
      'GET /panel/api/inbounds/options': [INBOUND],
      'GET /panel/api/hosts/tags': [],
      'GET /panel/api/hosts/get/1': full,
      'POST /panel/api/hosts/preview': { link: 'vless://x', reason: '', email: '' },
      'POST /panel/api/hosts/update/1': Object.assign(new Error('no address'), { code: 'host.addressNotBare' }),
    },
    '/?host=1',
  );
  const address = await screen.findByLabelText('Address');
  await userEvent.type(address, ':8443');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('no address')).toBeTruthy();
  expect(address.getAttribute('aria-invalid')).toBe('true');
});

test('the hash of a certificate is read where the links lead: at the port of the inbound', async () => {
  const { sent } = await renderPage(
    <HostsPage />,
    {
      'GET /panel/api/hosts/list': [],
      'GET /panel/api/inbounds/options': [{ ...INBOUND, port: 8443, listen: '' }],
      'GET /panel/api/hosts/tags': [],
      'POST /panel/api/hosts/preview': { link: 'vless://x', reason: '', email: '' },
      'POST /panel/api/server/getRemoteCertHash': ['ab'.repeat(32)],
    },
    '/?host=new:7',
  );
  const requests = () => sent.filter(({ path }) => path.endsWith('/getRemoteCertHash')).map(({ body }) => body);
  await userEvent.type(await screen.findByLabelText('Address'), 'a.example');
  await userEvent.click(screen.getByRole('button', { name: 'Read from the server now' }));
  await expect.poll(requests).toEqual([{ server: 'a.example:8443' }]);
  await userEvent.type(screen.getByLabelText('Port'), '9443');
  await userEvent.type(screen.getByLabelText('Server name (SNI)'), 'shop.example');
  await userEvent.click(screen.getByRole('button', { name: 'Read from the server now' }));
  await expect.poll(requests).toHaveLength(2);
  expect(requests()[1]).toEqual({ server: 'a.example:9443', sni: 'shop.example' });
});
