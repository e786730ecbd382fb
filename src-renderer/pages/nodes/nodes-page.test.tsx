import { Notifications } from '@mantine/notifications';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { RawRequest } from '../../api/transport.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { addressToAdd } from './editor/node-form.ts';
import { NodesPage } from './nodes-page.tsx';
import { nodeRow } from './testing-node.ts';

const API = '/panel/api/nodes';
const LIST = `GET ${API}/list`;
const ONLINE = {
  status: 'online',
  latencyMs: 7,
  coreVersion: '25.1.1',
  panelVersion: '1.0.0',
  cpuPct: 1,
  memPct: 2,
  uptimeSecs: 3,
  error: '',
  coreState: 'running',
  coreError: '',
};
const CORE = 'POST /panel/api/core/';
const SETTINGS = { xraySetting: '{}', inboundTags: '[]', clientReverseTags: '[]', outboundTestUrl: '' };
const posted = (sent: readonly RawRequest[], path: string): unknown[] =>
  sent.filter((request) => request.path === `${API}${path}`).map(({ body }) => body);

const page = (
  <>
    <Notifications />
    <NodesPage />
  </>
);

test('explains how a panel becomes a node, with the button for it', async () => {
  await renderPage(page, { [LIST]: [], [CORE]: SETTINGS, [`GET ${API}/enrolments/list`]: [] });
  expect(await screen.findByText(/Settings, Security, API tokens/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Add node' }));
  const drawer = await screen.findByRole('dialog', { name: 'Add node' });
  await userEvent.click(within(drawer).getByRole('link', { name: 'By address and token instead' }));
  expect(await screen.findByLabelText('API token')).toBeTruthy();
});

test('shows states, each with its reason, and panels behind a node without actions', async () => {
  await renderPage(page, {
    [LIST]: [
      nodeRow({ id: 1, name: 'well' }),
      nodeRow({ id: 2, name: 'off', enable: false, guid: 'g2' }),
      nodeRow({
        id: 3,
        name: 'away',
        status: 'offline',
        lastError: 'h:9: connect ECONNREFUSED 192.0.2.1:9',
        configDirty: true,
        guid: 'g3',
      }),
      nodeRow({ id: 4, name: 'ill', coreState: 'error', coreError: 'port 443 taken', guid: 'g4' }),
      nodeRow({ id: 5, name: 'new', status: 'unknown', guid: '' }),
      nodeRow({ id: 6, name: 'unwilling', syncError: 'in-443-tcp: taken', configDirty: true, guid: 'g6' }),
      nodeRow({ id: 7, name: 'doubled', copyAt: '192.0.2.9', guid: 'g7' }),
      nodeRow({ id: 0, name: 'deep', guid: 'g9', parentGuid: 'guid-fra', transitive: true }),
    ],
  });
  await screen.findByText('away');
  const row = (name: string) => within(screen.getAllByText(name).at(0)?.closest('tr') ?? document.body);
  expect(row('well').getByText('Online')).toBeTruthy();
  expect(row('off').getByText('Disabled')).toBeTruthy();
  const away = row('away');
  for (const text of ['Offline', 'Changes wait', 'the connection was refused'])
    expect(away.getByText(text)).toBeTruthy();
  const ill = row('ill');
  for (const text of ['Online, core failed', 'port 443 taken']) expect(ill.getByText(text)).toBeTruthy();
  expect(row('new').getByText('Never probed')).toBeTruthy();
  const unwilling = row('unwilling');
  for (const text of ['Changes refused', 'in-443-tcp: taken']) expect(unwilling.getByText(text)).toBeTruthy();
  expect(row('doubled').getByText(/a copy of it, tries to connect from 192\.0\.2\.9/)).toBeTruthy();
  const deep = row('deep');
  expect(deep.getByText(/only shown/).textContent).toContain('well');
  expect(deep.queryByRole('switch')).toBeNull();
  expect(deep.queryByRole('button')).toBeNull();
});

test('tests a panel with the typed values, names its inbounds, and adds it', async () => {
  const { sent } = await renderPage(
    page,
    {
      [LIST]: [],
      [CORE]: SETTINGS,
      [`POST ${API}/test`]: ONLINE,
      [`POST ${API}/inbounds`]: [{ id: 1, tag: 'in-1', remark: 'Own', listen: '', protocol: 'vless', port: 443 }],
      [`POST ${API}/add`]: nodeRow({ name: 'Helsinki' }),
    },
    '/?node=new',
  );
  await userEvent.type(await screen.findByLabelText('Name'), 'Helsinki');
  await userEvent.click(screen.getByLabelText('Address'));
  await userEvent.paste('http://10.0.0.7:8080/base/');
  await userEvent.type(screen.getByLabelText('API token'), 'secret');
  await userEvent.click(screen.getByLabelText(/Allow a private address/));
  const body = {
    name: 'Helsinki',
    scheme: 'http',
    address: '10.0.0.7',
    port: 8080,
    basePath: '/base/',
    apiToken: 'secret',
    allowPrivateAddress: true,
  };
  await userEvent.click(screen.getByRole('button', { name: 'Test' }));
  expect(await screen.findByText('It answers within 7 ms')).toBeTruthy();
  expect(await screen.findByText('Own · vless · 443')).toBeTruthy();
  expect(posted(sent, '/test')).toMatchObject([body]);
  // The result says nothing about another address.
  await userEvent.type(screen.getByLabelText('Address'), '1');
  await expect.poll(() => screen.queryByText('It answers within 7 ms')).toBeNull();
  await userEvent.type(screen.getByLabelText('Address'), '{Backspace}');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(posted(sent, '/add')).toMatchObject([body]);
});

test('keeps the form open with the refusal at its field', async () => {
  const { sent } = await renderPage(
    page,
    {
      [LIST]: [],
      [CORE]: SETTINGS,
      [`POST ${API}/add`]: Object.assign(
        new Error('node name already exists', {
          cause: { issues: [{ field: 'name', rule: 'node.nameTaken', message: 'node name already exists' }] },
        }),
        { code: 'node.nameTaken' },
      ),
    },
    '/?node=new',
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  await expect.poll(() => screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
  expect(posted(sent, '/add')).toEqual([]);
  await userEvent.type(screen.getByLabelText('Name'), 'a');
  await userEvent.type(screen.getByLabelText('Address'), 'a.example');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('node name already exists')).toBeTruthy();
  expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
});

test('edits a stored node: the token stays unless another is typed, the pin is read from the node', async () => {
  const { sent } = await renderPage(
    page,
    {
      [LIST]: [nodeRow({ id: 4 })],
      [CORE]: SETTINGS,
      [`GET ${API}/get/4`]: nodeRow({ id: 4, outboundTag: 'egress' }),
      'GET /panel/api/inbounds/options': [],
      [`POST ${API}/certFingerprint`]: 'q'.repeat(43),
      [`POST ${API}/update/4`]: null,
    },
    '/?node=4',
  );
  expect(await screen.findByText(/A token is stored/)).toBeTruthy();
  await userEvent.click(screen.getByRole('combobox', { name: 'Trust' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Pin a fingerprint' }));
  await userEvent.click(screen.getByRole('button', { name: 'Read it from the node' }));
  expect(await screen.findByDisplayValue('q'.repeat(43))).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect
    .poll(() => posted(sent, '/update/4'))
    .toMatchObject([{ id: 4, apiToken: '', tlsVerifyMode: 'pin', outboundTag: 'egress' }]);
});

test('connects through an outbound of this panel, as does a test of unsaved values', async () => {
  const template = {
    outbounds: [
      { tag: 'wire', protocol: 'vless' },
      { tag: 'block', protocol: 'blackhole' },
    ],
    routing: { balancers: [{ tag: 'fastest' }] },
  };
  const { sent } = await renderPage(
    page,
    {
      [LIST]: [nodeRow({ id: 4 })],
      [`GET ${API}/get/4`]: nodeRow({ id: 4, outboundTag: 'gone' }),
      [CORE]: { ...SETTINGS, xraySetting: JSON.stringify(template), subscriptionOutboundTags: ['sub1-a'] },
      'GET /panel/api/inbounds/options': [],
      [`POST ${API}/test`]: ONLINE,
      [`POST ${API}/inbounds`]: [],
      [`POST ${API}/update/4`]: null,
    },
    '/?node=4',
  );
  const field = await screen.findByRole('combobox', { name: 'Reached through' });
  expect(field).toHaveProperty('value', 'gone');
  await userEvent.click(field);
  await expect
    .poll(() => screen.getAllByRole('option').map(({ textContent }) => textContent))
    .toEqual(['Directly', 'wire', 'fastest', 'sub1-a', 'gone']);
  await userEvent.click(screen.getByRole('option', { name: 'fastest' }));
  await userEvent.click(screen.getByRole('button', { name: 'Test' }));
  await expect.poll(() => posted(sent, '/test')).toMatchObject([{ outboundTag: 'fastest' }]);
  await userEvent.click(field);
  await userEvent.click(await screen.findByRole('option', { name: 'Directly' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => posted(sent, '/update/4')).toMatchObject([{ id: 4, outboundTag: '' }]);
});

test('an enrolled node without TLS can be given back the trust it had', async () => {
  const node = nodeRow({ id: 4, scheme: 'http', tlsVerifyMode: 'enrolled', hasApiToken: false });
  await renderPage(
    page,
    { [LIST]: [node], [`GET ${API}/get/4`]: node, [CORE]: SETTINGS, 'GET /panel/api/inbounds/options': [] },
    '/?node=4',
  );
  const trust = async (name: string): Promise<void> => {
    await userEvent.click(await screen.findByRole('combobox', { name: 'Trust' }));
    await userEvent.click(await screen.findByRole('option', { name }));
  };
  await trust('Verify the certificate');
  expect(await screen.findByText(/Over plain HTTP, the token and your clients can be read/)).toBeTruthy();
  await trust('Enrolled');
  expect(await screen.findByText(/Both sides know each other/)).toBeTruthy();
});

test('is prefilled from a connection of the desktop window', async () => {
  const to = addressToAdd({ name: 'Office', address: 'https://office.example:444/x/', pin: '' });
  await renderPage(page, { [LIST]: [], [CORE]: SETTINGS }, to);
  expect(await screen.findByDisplayValue('office.example')).toBeTruthy();
  for (const value of ['Office', '444', '/x/']) expect(screen.getByDisplayValue(value)).toBeTruthy();
});

test('deletes only a node without inbounds, and says what to do first', async () => {
  const { sent } = await renderPage(page, {
    [LIST]: [nodeRow({ id: 1, name: 'busy' }), nodeRow({ id: 2, name: 'idle', inboundCount: 0, guid: 'g2' })],
    [`POST ${API}/del/2`]: null,
  });
  // One menu serves all rows: it is placed at the button that opened it, and returns the focus to it.
  const button = await screen.findByRole('button', { name: 'Actions of idle' });
  await userEvent.click(button);
  const { id } = await screen.findByRole('menu', { name: 'Actions of idle' });
  expect(button.getAttribute('aria-controls')).toBe(id);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('menu')).toBeNull();
  await expect.poll(() => document.activeElement).toBe(button);
  const remove = async (name: string): Promise<void> => {
    await userEvent.click(await screen.findByRole('button', { name: `Actions of ${name}` }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete node' }));
  };
  await remove('busy');
  expect(await screen.findByText(/3 inbounds run on it/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await remove('idle');
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete node idle?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Delete node' }));
  await expect
    .poll(() => sent.filter(({ path }) => path.includes('/del/')).map(({ path }) => path))
    .toEqual([`${API}/del/2`]);
});

test('says before a node is deleted that deletions waiting for it are never carried out', async () => {
  await renderPage(page, { [LIST]: [nodeRow({ inboundCount: 0, configDirty: true, status: 'offline' })] });
  await userEvent.click(await screen.findByRole('button', { name: 'Actions of Frankfurt' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete node' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete node Frankfurt?' });
  expect(dialog.textContent).toContain('what they were to delete there stays');
});

test('a node that is switched off is not compared', async () => {
  const responses = { [LIST]: [nodeRow({ enable: false })], 'GET /panel/api/inbounds/counted': [] };
  await renderPage(page, responses, '/?show=1');
  expect((await screen.findByText('Compare')).closest('[data-disabled]')).toBeTruthy();
});

test('disables a node and undoes it', async () => {
  const { sent } = await renderPage(page, { [LIST]: [nodeRow()], [`POST ${API}/setEnable/1`]: null });
  await userEvent.click(await screen.findByRole('switch', { name: 'Frankfurt is enabled' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await expect.poll(() => posted(sent, '/setEnable/1')).toEqual([{ enable: false }, { enable: true }]);
});

test('trusts an authority and says when that takes effect', async () => {
  let response: unknown = new Error('invalid trust CA certificate bundle: no PEM');
  const { sent } = await renderPage(page, { [LIST]: [], [`POST ${API}/mtls/trustCA`]: () => response }, '/?trust=ca');
  await userEvent.type(await screen.findByLabelText(/Authority of the managing panel/), 'x');
  await userEvent.click(screen.getByRole('button', { name: 'Trust it' }));
  expect(await screen.findByText(/no PEM/)).toBeTruthy();
  response = null;
  await userEvent.click(screen.getByRole('button', { name: 'Trust it' }));
  expect(await screen.findByText(/after its next restart/)).toBeTruthy();
  expect(posted(sent, '/mtls/trustCA')).toEqual([{ caCert: 'x' }, { caCert: 'x' }]);
});
