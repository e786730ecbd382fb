import type * as Kit from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState, type ComponentProps, type ComponentType } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { changeSecurity, changeTransport } from '../model/change-kind.ts';
import { newDraft, type Draft } from '../model/draft.ts';
import { readAt, writeAt } from '../../../forms/draft/json.ts';
import type { Node } from '#contract/nodes';
import type { CertificateWarning } from '#wire/certificate-warning';
import { useCalendarChoice } from '../../../stores/calendar.ts';
import { nodeRow } from '../../nodes/testing-node.ts';
import { InboundEditor } from './inbound-editor.tsx';
import type { FallbackRule } from './sections/fallbacks.tsx';
import type * as Cards from './sections/section-card.tsx';

/** Render counts of each section and each line of text. */
const { drawn, count } = vi.hoisted(() => {
  const drawn = new Map<string, number>();
  return { drawn, count: (name: string): void => void drawn.set(name, (drawn.get(name) ?? 0) + 1) };
});
vi.mock('./sections/section-card.tsx', async (load) => {
  const original = await load<typeof Cards>();
  return {
    ...original,
    SectionCard(props: ComponentProps<typeof original.SectionCard>) {
      count(props.section);
      return original.SectionCard(props);
    },
  };
});
vi.mock('@mantine/core', async (load) => {
  const original = await load<typeof Kit>();
  const Input = original.TextInput as unknown as ComponentType<{ label?: string }>;
  return {
    ...original,
    TextInput(props: { label?: string }) {
      count(`field ${props.label ?? ''}`);
      return <Input {...props} />;
    },
  };
});
// The confirmation before leaving needs a data router; the end-to-end tests cover it.
vi.mock('../../../forms/draft/use-leave-confirmation.ts', () => ({ useLeaveConfirmation: () => () => undefined }));
vi.mock('../../../ui/json/json-editor.tsx', () => ({
  JsonEditor: ({ value }: { value: string }) => <textarea readOnly aria-label="json" value={value} />,
}));

/** Few fields, so that rendering them costs little. */
const SMALL: Draft = { ...newDraft(443), tag: 'in-443' };
/** The protocol with the most fields. */
const LARGEST = changeSecurity(changeTransport(SMALL, 'xhttp').draft, 'reality').draft;
const STORED = {
  ...SMALL,
  id: 7,
  up: 0,
  down: 0,
  clientCount: 100_000,
  onlineCount: 0,
  remark: 'Door',
};
let stored: object = STORED;
/** Until then a save is under way. */
let saved = Promise.resolve();
/** Whether a save changes what is stored. */
let isEchoed = false;
const left = vi.fn<() => void>();
let certificateWarnings: readonly CertificateWarning[] = [];
/** The response to its fallback rules. */
let rulesResponse: Error | null = null;

const RULE: FallbackRule = { childId: 0, name: '', alpn: '', path: '', dest: '8080', xver: 0 };

/** The rules are fetched again while the editor is open. */
function Opened({ id, initial }: { id: number; initial: Draft }) {
  const [rules, setRules] = useState<FallbackRule[]>([]);
  return (
    <>
      <button onClick={() => setRules([RULE])}>Another admin adds a rule</button>
      <InboundEditor
        id={id}
        initial={initial}
        storedRules={rules}
        options={[]}
        onSaved={left}
        onLeave={() => undefined}
      />
    </>
  );
}

const open = (id = 7, nodes: readonly Node[] | Error = [], initial = SMALL, servers: readonly object[] = []) =>
  renderPage(
    <>
      <Notifications />
      <Opened id={id} initial={{ ...initial, remark: 'Door' }} />
    </>,
    {
      'GET /panel/api/inbounds/get/7/counted': () => stored,
      'POST /panel/api/inbounds/checkPlace': null,
      'POST /panel/api/inbounds/checkCertificates': () => certificateWarnings,
      'GET /panel/api/nodes/list': nodes,
      'GET /panel/api/servers/list': servers,
      'POST /panel/api/inbounds/add': () => ({ ...stored, clientStats: [], coreWarnings: ['Old transport'] }),
      'POST /panel/api/inbounds/update/7': async ({ body }: { body: object }) => {
        await saved;
        const row = isEchoed ? (stored = { ...STORED, ...body }) : STORED;
        return { ...row, clientStats: [], coreWarnings: ['Old transport'] };
      },
      'POST /panel/api/inbounds/7/fallbacks': () => rulesResponse,
    },
  );

beforeEach(() => {
  stored = STORED;
  saved = Promise.resolve();
  isEchoed = false;
  left.mockClear();
  certificateWarnings = [];
  rulesResponse = null;
  // Notifications outlive the page that showed them.
  notifications.clean();
  drawn.clear();
});

test('a keystroke renders its own field and the text, nothing else', async () => {
  stored = { ...STORED, ...LARGEST, remark: 'Door' };
  await open(7, [], LARGEST);
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  await waitFor(() => expect(screen.getByText('The port is free.')).toBeDefined());
  drawn.clear();
  await userEvent.type(name, 'way');
  expect(name.value).toBe('Doorway');
  expect(drawn.get('field Name')).toBeLessThanOrEqual(4);
  const others = [...drawn.keys()].filter((each) => each !== 'field Name' && each !== 'json');
  expect(others).toEqual([]);
  expect(screen.getByLabelText<HTMLTextAreaElement>('json').value).toContain('"remark": "Doorway"');
});

test('another admin’s save is shown before it would be lost, and both can be kept', async () => {
  const { sent } = await open();
  const saves = (): object[] => sent.filter(({ path }) => path.endsWith('/update/7')).map(({ body }) => body as object);
  await userEvent.type(await screen.findByLabelText('Name'), 'way');
  stored = { ...STORED, listen: '127.0.0.1', remark: 'Gate' };
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const notice = await screen.findByText('Another admin changed this inbound');
  expect(notice.closest('[role=alert]')?.textContent).toMatch(/Listen on: 127\.0\.0\.1/);
  expect(saves()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => saves()).toMatchObject([{ remark: 'Doorway', listen: '127.0.0.1' }]);
});

test('warnings of the core are shown after the save', async () => {
  await open();
  await userEvent.type(await screen.findByLabelText('Name'), 'way');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved. The core warns:');
  expect(screen.getByText('• Old transport')).toBeDefined();
});

test('certificates that clients will refuse are listed before the save; a second click accepts them', async () => {
  const secured = writeAt(changeSecurity(newDraft(443), 'tls').draft, 'streamSettings.tlsSettings', {
    serverName: 'shop.example',
    certificates: [{ certificateFile: '/etc/old.pem', keyFile: '/etc/old.key' }],
  });
  const warning = { field: 'x', file: '/etc/old.pem', at: 0, name: '', names: [], message: '' };
  certificateWarnings = [
    { ...warning, kind: 'expired', at: Date.UTC(2026, 0, 5, 12) },
    { ...warning, kind: 'nameMissing', file: '', name: 'shop.example', names: ['a.example', '*.b.example'] },
  ];
  const { sent } = await open(0, [], secured);
  const bodies = (call: string): unknown[] => sent.filter(({ path }) => path.endsWith(call)).map(({ body }) => body);
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  await screen.findByText('Clients and browsers will refuse this certificate');
  const isolates = /[\u2068\u2069]/g;
  expect(screen.getByRole('alert').textContent?.replaceAll(isolates, '')).toBe(
    'Clients and browsers will refuse this certificate' +
      '/etc/old.pem: The certificate expired on Jan 5, 2026.' +
      'shop.example is not on the certificate, which names a.example, *.b.example.',
  );
  expect(bodies('/checkCertificates')).toMatchObject([
    { streamSettings: { security: 'tls', tlsSettings: { serverName: 'shop.example' } } },
  ]);
  expect(bodies('/add')).toEqual([]);
  // Other edits keep the result; a different name is checked again.
  await userEvent.type(screen.getByLabelText('Name'), 'way');
  screen.getByRole('button', { name: 'Save anyway' });
  certificateWarnings = certificateWarnings.slice(0, 1);
  await userEvent.type(screen.getByLabelText('Server name (SNI)'), '.org');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Save anyway' }));
  await expect.poll(() => bodies('/add')).toMatchObject([{ remark: 'Doorway' }]);
  expect(bodies('/checkCertificates')).toHaveLength(2);
});

test('a new inbound can go to a node, a kind for this machine stays here, a stored one does not move', async () => {
  const { sent } = await open(0, [nodeRow({ id: 3, name: 'Far' }), nodeRow({ id: 0, name: 'Deep', transitive: true })]);
  const place = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Runs on' });
  expect(place.value).toBe('This panel');
  await userEvent.click(place);
  expect(screen.queryByRole('option', { name: 'Deep' })).toBeNull();
  await userEvent.click(await screen.findByRole('option', { name: 'Far' }));
  await userEvent.click(screen.getByRole('combobox', { name: 'Protocol' }));
  await userEvent.click(await screen.findByRole('option', { name: 'http' }));
  expect([place.value, place.disabled]).toEqual(['This panel', true]);
  await userEvent.click(screen.getByRole('combobox', { name: 'Protocol' }));
  await userEvent.click(await screen.findByRole('option', { name: 'vless' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => sent.find(({ path }) => path.endsWith('/add'))?.body).toMatchObject({ nodeId: 3 });
  cleanup();
  await open(7, [nodeRow({ id: 3, name: 'Far' })]);
  expect((await screen.findByRole<HTMLInputElement>('combobox', { name: 'Runs on' })).disabled).toBe(true);
});

test('says that it does not know the nodes, so that no inbound is made here by mistake', async () => {
  await open(0, new Error('the disk is full'));
  const place = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Runs on' });
  expect(place.value).toBe('This panel');
  expect(screen.getByText('the disk is full')).toBeDefined();
});

test('where several servers share a database the form asks which one serves; a single one has no choice', async () => {
  const server = { address: '', lastSeen: 0, inboundCount: 0, core: null };
  const near = { ...server, id: 'here', name: 'near', state: 'active', isHere: true };
  const far = { ...server, id: 'there', name: 'far', state: 'away', isHere: false };
  const { sent } = await open(0, [], SMALL, [near, far]);
  const choice = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Served by' });
  expect(choice.value).toBe('Whichever panel is active');
  await userEvent.click(choice);
  await userEvent.click(await screen.findByRole('option', { name: /far.* \(away\)/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => sent.find(({ path }) => path.endsWith('/add'))?.body).toMatchObject({ serverId: 'there' });
  cleanup();
  const { sent: requests } = await open(0, [], SMALL, [near]);
  await expect.poll(() => requests.some(({ path }) => path.endsWith('/servers/list'))).toBe(true);
  expect(screen.queryByRole('combobox', { name: 'Served by' })).toBeNull();
});

test('a plain vless inbound warns that nothing is encrypted, until something is', async () => {
  await open(0);
  expect(await screen.findByText('Not encrypted')).toBeTruthy();
  cleanup();
  await open(0, [], LARGEST);
  await screen.findByDisplayValue('Door');
  expect(screen.queryByText('Not encrypted')).toBeNull();
});

test('Ctrl+S saves', async () => {
  const { sent } = await open();
  await userEvent.type(await screen.findByLabelText('Name'), 'way{Control>}s{/Control}');
  await expect.poll(() => sent.some(({ path }) => path.endsWith('/update/7'))).toBe(true);
});

test('what is typed during a save is kept, and is part of the next one', async () => {
  let respond = (): void => undefined;
  saved = new Promise((resolve) => (respond = resolve));
  const { sent } = await open();
  const names = () =>
    sent.filter(({ path }) => path.endsWith('/update/7')).map(({ body }) => (body as { remark: string }).remark);
  const name = await screen.findByLabelText('Name');
  fireEvent.change(name, { target: { value: 'Doorway' } });
  fireEvent.click(screen.getByText('Save'));
  await expect.poll(names).toEqual(['Doorway']);
  fireEvent.change(name, { target: { value: 'Doorways' } });
  respond();
  await screen.findByText('Inbound Door is saved.');
  expect(left).not.toHaveBeenCalled();
  fireEvent.click(screen.getByText('Save'));
  await expect.poll(() => left.mock.calls).toHaveLength(1);
  expect(names()).toEqual(['Doorway', 'Doorways']);
});

test('a saved change closes the editor, which shows it all the time', async () => {
  isEchoed = true;
  await open();
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  await screen.findByRole('button', { name: 'Save' });
  fireEvent.change(name, { target: { value: 'Doorway' } });
  const shown = new Set<string>();
  const observe = setInterval(() => shown.add(name.value));
  fireEvent.click(screen.getByText('Save'));
  await expect.poll(() => left.mock.calls).toHaveLength(1);
  clearInterval(observe);
  expect([...shown]).toEqual(['Doorway']);
});

test('two clicks save once, however long the check before it takes', async () => {
  const { sent } = await open();
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Doorway' } });
  let respond = (): void => undefined;
  stored = new Promise((resolve) => (respond = () => resolve(STORED)));
  await userEvent.dblClick(screen.getByText('Save'));
  respond();
  await screen.findByText('Inbound Door is saved.');
  expect(sent.filter(({ path }) => path.endsWith('/update/7'))).toHaveLength(1);
});

test('the year of an expiry can be typed digit by digit', async () => {
  await open();
  const field = await screen.findByLabelText<HTMLInputElement>('Expires');
  for (const value of ['2030-01-31T14:30', '0002-01-31T14:30', '0020-01-31T14:30']) {
    fireEvent.change(field, { target: { value } });
    expect(field.value).toBe(value);
  }
});

test('a stored value equal to the typed one is no conflict', async () => {
  const { sent } = await open();
  await userEvent.type(await screen.findByLabelText('Name'), 'way');
  stored = { ...STORED, remark: 'Doorway' };
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => sent.some(({ path }) => path.endsWith('/update/7'))).toBe(true);
  expect(screen.queryByText('Another admin changed this inbound')).toBeNull();
});

test('a conflict is told in the words of the fields', async () => {
  await open();
  await userEvent.type(await screen.findByLabelText('Name'), 'way');
  stored = { ...STORED, remark: 'Gate', total: 5 * 1024 ** 3 };
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const items = await screen.findAllByRole('listitem');
  expect(items.map((item) => item.textContent)).toEqual(expect.arrayContaining(['Name: Gate', 'Traffic limit: 5 GiB']));
});

test('a new inbound whose fallback rule was refused is not made a second time', async () => {
  const secured = changeSecurity({ ...SMALL, tag: '' }, 'tls').draft;
  stored = { ...STORED, ...secured, remark: 'Door', tag: 'in-443-tcp' };
  rulesResponse = new Error('fallbacks[0].path must be empty or start with /');
  const { sent } = await open(0, [], secured);
  const calls = (): string[] =>
    sent.map(({ path }) => path.replace('/panel/api/inbounds', '')).filter((path) => /^\/(add|update|7)/.test(path));
  await userEvent.click(await screen.findByRole('button', { name: 'Add rule' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Address' }), '8080');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(/must be empty or start with/);
  expect(calls()).toEqual(['/add', '/7/fallbacks']);
  rulesResponse = null;
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Inbound Door is saved.');
  expect(calls().slice(2)).toEqual(['/update/7', '/7/fallbacks']);
});

test('a list stored as one text is shown, and nothing of it is lost when one is added', async () => {
  const secured = changeSecurity(SMALL, 'tls').draft;
  await open(0, [], writeAt(secured, 'streamSettings.tlsSettings.alpn', 'h2, http/1.1'));
  await userEvent.click(await screen.findByRole('combobox', { name: 'ALPN' }));
  await userEvent.click(await screen.findByRole('option', { name: 'h3' }));
  const json = JSON.parse(screen.getByLabelText<HTMLTextAreaElement>('json').value) as Draft;
  expect(readAt(json, 'streamSettings.tlsSettings.alpn')).toEqual(['h2', 'http/1.1', 'h3']);
});

test('the clock difference of REALITY is shown under the core’s own name too', async () => {
  await open(0, [], writeAt(LARGEST, 'streamSettings.realitySettings.maxTimeDiff', 60_000));
  const field = await screen.findByLabelText<HTMLInputElement>(/maxTimeDiff/);
  expect(field.value).toBe('60000');
  await userEvent.clear(field);
  expect(screen.getByLabelText<HTMLTextAreaElement>('json').value).not.toContain('imeDiff');
});

test('an inbound that goes to a node after all has no server chosen for it', async () => {
  const { sent } = await open(0, [nodeRow({ id: 3, name: 'Far' })], { ...SMALL, serverId: 'there' });
  await userEvent.click(await screen.findByRole('combobox', { name: 'Runs on' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Far' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const added = () => sent.find(({ path }) => path.endsWith('/add'))?.body;
  await expect.poll(added).toMatchObject({ nodeId: 3, serverId: null });
});

test('a fallback rule that moves keeps the focus, so that it can be moved on', async () => {
  await open(0, [], changeSecurity({ ...SMALL, tag: '' }, 'tls').draft);
  const add = await screen.findByRole('button', { name: 'Add rule' });
  fireEvent.click(add);
  fireEvent.change(screen.getByRole('textbox', { name: 'Address' }), { target: { value: '1' } });
  fireEvent.click(add);
  fireEvent.click(add);
  screen.getByRole('button', { name: 'Move rule 1 down' }).focus();
  await userEvent.keyboard('{Enter}{Enter}');
  const ports = screen.getAllByRole<HTMLInputElement>('textbox', { name: 'Address' }).map(({ value }) => value);
  expect(ports).toEqual(['', '', '1']);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove rule 3' }));
});

test('fallback rules that another admin adds meanwhile stay when something else is saved', async () => {
  const { sent } = await open();
  await userEvent.click(await screen.findByRole('button', { name: 'Another admin adds a rule' }));
  await userEvent.type(screen.getByLabelText('Name'), 'way');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Inbound Door is saved.');
  expect(sent.filter(({ path }) => path.endsWith('/7/fallbacks'))).toEqual([]);
});

test('an expiry that is no day of the Jalali calendar is not saved as none', async () => {
  useCalendarChoice.setState({ isJalali: true });
  const { sent } = await open();
  const saves = () => sent.filter(({ path }) => path.endsWith('/update/7')).map(({ body }) => body);
  const day = await screen.findByLabelText('Day');
  fireEvent.change(day, { target: { value: '1405/13/01' } });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  fireEvent.change(day, { target: { value: '1405/12/01' } });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(saves).toMatchObject([{ expiryTime: new Date(2027, 1, 20).getTime() }]);
});
