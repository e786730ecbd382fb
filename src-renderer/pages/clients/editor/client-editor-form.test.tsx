import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { ClientEditorForm } from './client-editor-form.tsx';

const ANNA = {
  recordId: 7,
  email: 'anna',
  subId: 'sub',
  id: 'u',
  uuid: 'u',
  password: 'p',
  auth: 'x',
  flow: '',
  security: 'auto',
  reverse: null,
  totalGB: 0,
  expiryTime: 0,
  limitIp: 0,
  tgId: 0,
  comment: '',
  enable: true,
  group: '',
  planId: 0,
  reset: 0,
  resetDay: 0,
  createdAt: 1,
  updatedAt: 2,
};

const refusal = (code: string, message: string): Error => Object.assign(new Error(message), { code });

it.each([
  ['client.inboundRequired', 'at least one inbound is required', 'Inbounds'],
  ['client.emailTaken', 'email already in use: anna', 'E-mail or name'],
])('shows %s at its field, with the focus there', async (code, message, label) => {
  await renderPage(<ClientEditorForm stored={null} options={[]} preferredInbound={0} onClose={() => undefined} />, {
    'POST /panel/api/clients/add': refusal(code, message),
  });
  await userEvent.type(await screen.findByLabelText('E-mail or name'), 'anna');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const field = await screen.findByLabelText(label, { selector: 'input:not([type=hidden])' });
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText(message)).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.activeElement).toBe(field);
});

it('shows a refusal at a number field, with the focus there', async () => {
  const refused = Object.assign(new Error('at most 1000'), {
    code: 'request.invalid',
    cause: { issues: [{ field: 'client.limitIp', rule: 'max', message: 'at most 1000' }] },
  });
  await renderPage(<ClientEditorForm stored={null} options={[]} preferredInbound={0} onClose={() => undefined} />, {
    'POST /panel/api/clients/add': refused,
  });
  await userEvent.type(await screen.findByLabelText('E-mail or name'), 'anna');
  await userEvent.type(screen.getByLabelText(/^Addresses at the same time/), '99999999');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(/at most 1000/);
  expect(document.activeElement).toBe(screen.getByLabelText(/^Addresses at the same time/));
});

it('says that a client is renamed or deleted, how to bring it back, and both again after each save', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
  const gone = refusal('client.notFound', 'Client not found');
  const stored = {
    client: ANNA,
    inboundIds: [],
    externalLinks: [],
    usedTraffic: 0,
    lastSubFetch: 0,
    attachments: [],
    disabledBy: '' as const,
  };
  await renderPage(<ClientEditorForm stored={stored} options={[]} preferredInbound={0} onClose={() => undefined} />, {
    'GET /panel/api/clients/get/anna': gone,
    'POST /panel/api/clients/update/anna': gone,
  });
  await screen.findByText(/renamed or deleted meanwhile.*recycle bin of the journal/);
  const count = scroll.mock.calls.length;
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => scroll.mock.calls.length).toBeGreaterThan(count);
  expect(screen.getByRole('alert').textContent).toContain('recycle bin of the journal');
  scroll.mockRestore();
});

it('says in the words of the form what another admin changed meanwhile', async () => {
  const stored = {
    client: ANNA,
    inboundIds: [],
    externalLinks: [],
    usedTraffic: 0,
    lastSubFetch: 0,
    attachments: [],
    disabledBy: '' as const,
  };
  const theirs = { ...ANNA, enable: false, resetDay: 3, planId: 4, expiryTime: -86_400_000, totalGB: 1024 ** 3 };
  const option = { id: 9, remark: 'Oslo', tag: 'in-443-tcp', protocol: 'vless', port: 443, tlsFlowCapable: false };
  const options = [{ ...option, enable: true, listen: '', ssMethod: '', nodeId: null, nodeAddress: '' }];
  await renderPage(
    <ClientEditorForm stored={stored} options={options} preferredInbound={0} onClose={() => undefined} />,
    {
      'GET /panel/api/clients/get/anna': { ...stored, client: theirs, inboundIds: [9] },
      'GET /panel/api/plans': [{ id: 4, name: 'Gold' }],
    },
  );
  const notice = await screen.findByRole('alert');
  await expect.poll(() => notice.textContent).toContain('Plan: Gold');
  for (const words of ['Inbounds: Oslo · 443', 'Quota: 1 GiB', 'Enabled: No', 'Renewal: On a day of the month'])
    expect(notice.textContent).toContain(words);
});

it('says which part was saved when the rest is refused, and does not send that part again', async () => {
  const option = { protocol: 'vless', port: 443, tlsFlowCapable: false, enable: true, listen: '', ssMethod: '' };
  const options = [
    { ...option, id: 8, remark: 'Bergen', tag: 'b', nodeId: null, nodeAddress: '' },
    { ...option, id: 9, remark: 'Oslo', tag: 'o', nodeId: null, nodeAddress: '' },
  ];
  const client = { ...ANNA, uuid: 'e18c9a96-71bf-48d4-933f-8b9a46d4290c' };
  const stored = {
    client,
    inboundIds: [8],
    externalLinks: [],
    usedTraffic: 0,
    lastSubFetch: 0,
    attachments: [],
    disabledBy: '' as const,
  };
  let inboundIds = [8];
  const { sent } = await renderPage(
    <ClientEditorForm stored={stored} options={options} preferredInbound={0} onClose={() => undefined} />,
    {
      'GET /panel/api/clients/get/anna': () => ({ ...stored, inboundIds }),
      'POST /panel/api/clients/anna/attach': () => {
        inboundIds = [8, 9];
        return null;
      },
      'POST /panel/api/clients/update/anna': refusal('client.emailTaken', 'email already in use: berta'),
    },
  );
  const name = await screen.findByLabelText('E-mail or name');
  await userEvent.clear(name);
  await userEvent.type(name, 'berta');
  await userEvent.click(screen.getByLabelText('Inbounds', { selector: 'input:not([type=hidden])' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Oslo · 443' }));
  const save = async (): Promise<void> => {
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('email already in use: berta');
  };
  await save();
  await screen.findByText('Its inbounds are saved already: Bergen · 443, Oslo · 443. The other changes are not.');
  await save();
  // Nobody else changed them.
  expect(screen.queryByText(/Another admin|changed this client/)).toBeNull();
  const posts = sent.filter(({ method }) => method === 'POST').map(({ path }) => path.split('?')[0]);
  expect(posts).toEqual([
    '/panel/api/clients/anna/attach',
    '/panel/api/clients/update/anna',
    '/panel/api/clients/update/anna',
  ]);
});

it('opens the folded part for a refusal of a field in it', async () => {
  await renderPage(<ClientEditorForm stored={null} options={[]} preferredInbound={0} onClose={() => undefined} />, {
    'POST /panel/api/clients/add': refusal('client.subIdTaken', 'subId already in use: anna'),
  });
  await userEvent.type(await screen.findByLabelText('E-mail or name'), 'anna');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('subId already in use: anna')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Credentials and protocol', expanded: true })).toBeTruthy();
  await expect.poll(() => document.activeElement).toBe(screen.getByLabelText('Subscription id'));
});

it('says why there is no plan to choose', async () => {
  await renderPage(<ClientEditorForm stored={null} options={[]} preferredInbound={0} onClose={() => undefined} />, {
    'GET /panel/api/plans': new Error('the disk is full'),
  });
  expect(await screen.findByText('the disk is full')).toBeTruthy();
});
