import { Notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderPage, type Responses } from '../../testing/render-page.tsx';
import { BulkResultDialog } from '../clients/bulk/bulk-result.tsx';
import { GivePlanDialog } from '../clients/bulk/give-plan-dialog.tsx';
import { ApplyPlanDialog } from './apply-plan-dialog.tsx';
import { PlansPage } from './plans-page.tsx';
import { planRow } from './testing-plan.ts';

const GIB = 1024 ** 3;
const PLAN = planRow({ name: 'Gold <b>', quotaBytes: 50 * GIB, limitIp: 2, inboundIds: [7], clientCount: 2 });
const INBOUND = { id: 7, remark: 'Door', tag: 'in-7', protocol: 'vless', port: 443, tlsFlowCapable: false };
const NONE = { quota: 0, term: 0, renewal: 0, limitIp: 0, group: 0, flow: 0, inbounds: 0 };
const PREVIEW = {
  total: 2,
  changed: 1,
  parts: { ...NONE, quota: 1 },
  clients: [{ email: 'anna', before: { totalGB: 50 * GIB }, after: { totalGB: 60 * GIB } }],
};

const show = (responses: Responses, address = '/') =>
  renderPage(
    <>
      <Notifications />
      <PlansPage />
      <BulkResultDialog />
    </>,
    { 'GET /panel/api/plans': [PLAN], 'GET /panel/api/inbounds/options': [INBOUND], ...responses },
    address,
  );

it('sums up a plan in one line, and links to its clients', async () => {
  await show({});
  expect(await screen.findByText('50 GiB · 30 days · 2 addresses · 1 inbound')).toBeTruthy();
  expect(screen.getByRole('link', { name: '2' }).getAttribute('href')).toBe('/panel/clients?plan=3');
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Gold <b>' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete plan' }));
  expect(await screen.findByText(/^2 clients have it and keep/)).toBeTruthy();
});

it('explains what a plan is when there is none, and adds one', async () => {
  const { sent } = await show(
    { 'GET /panel/api/plans': [], 'POST /panel/api/plans/add': { ...PLAN, clientCount: 0 } },
    '/?plan=new',
  );
  expect(await screen.findByText(/^No plans yet/)).toBeTruthy();
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Gold');
  await userEvent.type(screen.getByRole('textbox', { name: 'Quota, 0 = unlimited' }), '50');
  await userEvent.click(screen.getByRole('switch', { name: 'The term starts at the first use' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.find(({ path }) => path === '/panel/api/plans/add')?.body).toMatchObject({
    name: 'Gold',
    quotaBytes: 50 * GIB,
    days: 30,
    startsAtFirstUse: true,
    inboundIds: [],
  });
});

it('offers a changed plan to its clients: changes are previewed, and only the changed parts are selected', async () => {
  const { sent } = await show(
    {
      'POST /panel/api/plans/update/3': { ...PLAN, quotaBytes: 60 * GIB, days: 40 },
      'POST /panel/api/plans/preview/3': PREVIEW,
      'POST /panel/api/plans/apply/3': { changed: 1, skipped: [] },
    },
    '/?plan=3',
  );
  const quota = await screen.findByRole('textbox', { name: 'Quota, 0 = unlimited' });
  await userEvent.clear(quota);
  await userEvent.type(quota, '60');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Apply plan Gold <b> to its clients' }));
  expect(await dialog.findByText('1 client of 2 would change:')).toBeTruthy();
  expect(dialog.getByText('anna').closest('tr')?.textContent).toBe('annaQuota: 50 GiB → 60 GiB');
  const application = { parts: ['quota', 'term'], addDays: 10 };
  expect(sent.find(({ path }) => path.endsWith('/preview/3'))?.body).toEqual(application);
  await userEvent.click(dialog.getByRole('button', { name: 'Change 1 client' }));
  expect(await screen.findByText('1 client is changed.')).toBeTruthy();
  expect(sent.find(({ path }) => path.endsWith('/apply/3'))?.body).toEqual(application);
});

it('shows what was left alone, and does nothing where nothing would change', async () => {
  const nothing = { total: 2, changed: 0, parts: NONE, clients: [] };
  let preview: object = PREVIEW;
  const skipped = [{ email: 'bert', reason: 'taken', code: 'client.notFound' }];
  await show(
    {
      'POST /panel/api/plans/preview/3': () => preview,
      'POST /panel/api/plans/apply/3': { changed: 1, skipped },
    },
    '/?bring=3',
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Change 1 client' }));
  expect(await screen.findByText('1 done, 1 skipped')).toBeTruthy();
  preview = nothing;
  await userEvent.click(screen.getAllByRole('button', { name: 'Close' }).at(-1)!);
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Gold <b>' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Bring to its clients' }));
  expect(await screen.findByText('Nothing would change.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Change 0 clients' })).toHaveProperty('disabled', true);
});

const JOB = {
  id: 'j1',
  kind: 'applyPlan',
  title: 'Apply the plan Gold',
  state: 'running',
  isCancelling: false,
  done: 1,
  total: 2,
  stage: '',
  startedAt: Date.now(),
  finishedAt: 0,
  error: '',
  errorCode: '',
};
const handleClose = vi.fn();

it.each([
  ['a plan applied to its clients', () => <ApplyPlanDialog plan={PLAN} isOffer={false} onClose={handleClose} />, false],
  ['a plan given to clients', () => <GivePlanDialog emails={['anna']} onClose={handleClose} />, true],
])('%s: the dialog stays open meanwhile, shows how far that is, and stops it', async (_, dialog, isChosen) => {
  handleClose.mockClear();
  let refuse: (error: Error) => void = () => undefined;
  await renderPage(dialog(), {
    'GET /panel/api/plans': [PLAN],
    'POST /panel/api/plans/preview/3': PREVIEW,
    'GET /panel/api/jobs': [JOB],
    'POST /panel/api/plans/apply/3': () => new Promise((_resolve, reject) => (refuse = reject)),
    'POST /panel/api/jobs/j1/cancel': () => {
      refuse(Object.assign(new Error('cancelled'), { code: 'client.workCancelled' }));
      return { ...JOB, isCancelling: true };
    },
  });
  if (isChosen) {
    await userEvent.click(await screen.findByRole('combobox', { name: 'Plan' }));
    await userEvent.click(await screen.findByRole('option', { name: PLAN.name }));
  }
  await userEvent.click(await screen.findByRole('button', { name: 'Change 1 client' }));
  await screen.findByRole('progressbar', { name: JOB.title });
  await userEvent.keyboard('{Escape}');
  expect(handleClose).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByRole('alert');
  expect(screen.queryByRole('progressbar')).toBeNull();
});
