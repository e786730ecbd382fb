import { Notifications } from '@mantine/notifications';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Enrolment } from '#contract/nodes/enrolment';
import { renderPage } from '../../../testing/render-page.tsx';
import { nodeRow } from '../testing-node.ts';
import { EnrolmentDrawer } from './enrolment-drawer.tsx';

const API = '/panel/api/nodes';
const ID = 'a'.repeat(32);
const enrolment = (part: Partial<Enrolment> = {}): Enrolment => ({
  id: ID,
  name: '',
  url: 'https://panel.example.com/base/',
  state: 'open',
  createdAt: Date.now(),
  expiresAt: Date.now() + 30 * 60_000,
  nodeId: 0,
  attempt: null,
  ...part,
});
const following = (found: Enrolment, nodes: readonly object[] = []) =>
  renderPage(
    <>
      <Notifications />
      <EnrolmentDrawer what={ID} onMade={() => {}} onClose={() => {}} />
    </>,
    {
      [`GET ${API}/list`]: nodes,
      [`GET ${API}/enrolments/get/${ID}`]: found,
      [`POST ${API}/enrolments/cancel/${ID}`]: new Error('the disk is full'),
    },
  );

test('makes one command line for a host, and keeps the typed values when it is refused', async () => {
  const handleMade = vi.fn<(id: string) => void>();
  const { sent } = await renderPage(<EnrolmentDrawer what="new" onMade={handleMade} onClose={() => {}} />, {
    [`GET ${API}/enrolments/list`]: [],
    [`POST ${API}/enrolments/create`]: { enrolment: enrolment(), ticket: 'swy1.abc', installer: '' },
  });
  await userEvent.type(await screen.findByLabelText('Name'), 'Oslo');
  await userEvent.click(screen.getByRole('button', { name: 'Make the line' }));
  await vi.waitFor(() => expect(handleMade).toHaveBeenCalledWith(ID));
  expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ name: 'Oslo', url: '', nodeId: 0 });
});

test('lists the lines that are still open, each with the way to take it back', async () => {
  await renderPage(<EnrolmentDrawer what="new" onMade={() => {}} onClose={() => {}} />, {
    [`GET ${API}/enrolments/list`]: [enrolment({ name: 'Oslo' }), enrolment({ id: 'b'.repeat(32) })],
  });
  const open = await screen.findByRole('link', { name: 'Oslo' });
  expect(open.getAttribute('href')).toBe(`/panel/nodes?enrol=${ID}`);
  expect(screen.getByRole('link', { name: 'Without a name' })).toBeTruthy();
  expect(screen.getAllByText(/^made .+, valid until .+/)).toHaveLength(2);
});

test('says why a host was refused, and how far its clock is off', async () => {
  const refusal = { code: 'enrolment.otherNode', params: { name: 'Oslo' } };
  await following(
    enrolment({
      attempt: { at: 1, address: '192.0.2.7', refusal, error: 'this line is for Oslo', clockOffSec: -7_200 },
    }),
  );
  expect(await screen.findByText(/192\.0\.2\.7 was not accepted: this line is for Oslo/)).toBeTruthy();
  expect(screen.getByText(/Its clock differs from the one here by 2/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Take the line back' })).toBeTruthy();
});

test('says why a line is not taken back', async () => {
  await following(enrolment());
  await userEvent.click(await screen.findByRole('button', { name: 'Take the line back' }));
  expect(await screen.findByText('the disk is full')).toBeTruthy();
});

test('says what to check when no host comes', async () => {
  await following(enrolment({ expiresAt: Date.now() + 20 * 60_000 }));
  expect(await screen.findByText(/Can the host reach https:\/\/panel\.example\.com\/base\//)).toBeTruthy();
});

test('says that an expired line is useless, and makes another', async () => {
  await following(enrolment({ state: 'expired' }));
  expect(await screen.findByText(/No host came within 30 minutes/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Make another line' })).toBeTruthy();
});

test('follows an enrolled node to its first check', async () => {
  await following(enrolment({ state: 'used', nodeId: 1 }), [
    nodeRow({ tlsVerifyMode: 'enrolled', dialledBy: 'node', panelVersion: '1.2.3', coreVersion: '26.1.1' }),
  ]);
  const steps = await screen.findByRole('list', { name: 'Progress' });
  expect(await within(steps).findByText('It runs panel 1.2.3 with core 26.1.1')).toBeTruthy();
  await vi.waitFor(() => expect(within(steps).getAllByLabelText('done')).toHaveLength(4));
});

/** The refusal of an address that is none. */
function badAddress(): Error {
  const issue = {
    field: 'url',
    rule: 'format',
    param: 'url',
    code: 'field.format',
    params: { param: 'url' },
    message: 'url: must be an address',
  };
  return Object.assign(new Error(issue.message, { cause: { issues: [issue] } }), { code: 'request.invalid' });
}

test('shows at the field why its address is refused', async () => {
  await renderPage(<EnrolmentDrawer what="new" onMade={() => {}} onClose={() => {}} />, {
    [`GET ${API}/enrolments/list`]: [],
    [`POST ${API}/enrolments/create`]: badAddress(),
  });
  await userEvent.type(await screen.findByLabelText(/^Address of this panel/), 'x');
  await userEvent.click(screen.getByRole('button', { name: 'Make the line' }));
  expect(await screen.findByText('Must be an http or https address')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('says that a node which is switched off has to be switched on first', async () => {
  const node = nodeRow({ tlsVerifyMode: 'enrolled', enable: false, status: 'unknown' });
  await following(enrolment({ state: 'used', nodeId: 1 }), [node]);
  expect(await screen.findByText(/Frankfurt is switched off/)).toBeTruthy();
});

test('shows at the field why the next address is refused, and asks before typed text is lost', async () => {
  const handleClose = vi.fn<() => void>();
  await renderPage(<EnrolmentDrawer what="moved" onMade={() => {}} onClose={handleClose} />, {
    [`GET ${API}/list`]: [],
    [`POST ${API}/enrolments/moved`]: badAddress(),
  });
  const field = await screen.findByLabelText(/^Next address of this panel/);
  await userEvent.type(field, 'x');
  await userEvent.click(screen.getByRole('button', { name: 'Tell the nodes' }));
  expect(await screen.findByText('Must be an http or https address')).toBeTruthy();
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(screen.queryByRole('alert')).toBeNull();
  await userEvent.keyboard('{Escape}');
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  await vi.waitFor(() => expect(handleClose).toHaveBeenCalledOnce());
});
