import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Plan } from '#contract/plans';
import { renderPage } from '../../testing/render-page.tsx';
import { PlansPage } from './plans-page.tsx';
import { planRow } from './testing-plan.ts';

const PLAN = planRow({ limitIp: 2 });
const INBOUND = { id: 7, remark: 'Door', tag: 'in-7', protocol: 'vless', port: 443, tlsFlowCapable: false };

async function openPlan() {
  let stored: Plan[] = [PLAN];
  const { sent } = await renderPage(
    <PlansPage />,
    {
      'GET /panel/api/plans': () => stored,
      'GET /panel/api/inbounds/options': [INBOUND],
      'POST /panel/api/plans/update/3': () => stored[0] ?? new Error('there is no such plan'),
    },
    '/?plan=3',
  );
  await userEvent.type(await screen.findByRole('textbox', { name: /^Group/ }), 'mine');
  return {
    storeElsewhere: (plans: Plan[]) => (stored = plans),
    saves: () => sent.filter(({ path }) => path.endsWith('/update/3')).map(({ body }) => body),
  };
}
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

test('another admin’s save of a plan is shown before it would be lost, and both can be kept', async () => {
  const { storeElsewhere, saves } = await openPlan();
  storeElsewhere([{ ...PLAN, quotaBytes: 1024 ** 3, reset: 7, inboundIds: [7] }]);
  await save();
  const notice = (await screen.findByText('Another admin changed this plan')).closest('[role=alert]');
  for (const line of ['1 GiB', 'Renewal: After a number of days', 'Door · 443'])
    expect(notice?.textContent).toContain(line);
  expect(saves()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
  expect(screen.getByRole('textbox', { name: /^Group/ })).toHaveProperty('value', 'mine');
  await save();
  await expect.poll(saves).toMatchObject([{ quotaBytes: 1024 ** 3, reset: 7, inboundIds: [7], group: 'mine' }]);
});

test('theirs can be taken', async () => {
  const { storeElsewhere } = await openPlan();
  storeElsewhere([{ ...PLAN, group: 'theirs' }]);
  await save();
  await userEvent.click(await screen.findByRole('button', { name: 'Take theirs' }));
  expect(screen.getByRole('textbox', { name: /^Group/ })).toHaveProperty('value', 'theirs');
  expect(screen.queryByText('Another admin changed this plan')).toBeNull();
});

test('a plan that another admin deleted does not take along what was typed: the save says why', async () => {
  const { storeElsewhere } = await openPlan();
  storeElsewhere([]);
  await save();
  expect(await screen.findByText('there is no such plan')).toBeTruthy();
  expect(screen.getByRole('textbox', { name: /^Group/ })).toHaveProperty('value', 'mine');
});
