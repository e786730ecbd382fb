import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { Plan } from '#contract/plans';
import { renderPage } from '../../testing/render-page.tsx';
import { GivePlanDialog } from '../clients/bulk/give-plan-dialog.tsx';
import { ApplyPlanDialog } from './apply-plan-dialog.tsx';

const PLAN: Plan = {
  id: 3,
  name: 'Gold',
  quotaBytes: 0,
  days: 30,
  startsAtFirstUse: false,
  reset: 0,
  resetDay: 0,
  limitIp: 0,
  group: '',
  flow: '',
  inboundIds: [],
  clientCount: 1,
};
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
const PREVIEW = { total: 1, changed: 1, parts: {}, clients: [] };
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
    await userEvent.click(await screen.findByRole('option', { name: 'Gold' }));
  }
  await userEvent.click(await screen.findByRole('button', { name: 'Change 1 client' }));
  await screen.findByRole('progressbar', { name: JOB.title });
  await userEvent.keyboard('{Escape}');
  expect(handleClose).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await screen.findByRole('alert');
  expect(screen.queryByRole('progressbar')).toBeNull();
});
