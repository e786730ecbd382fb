import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Webhook } from '#contract/webhooks';
import { renderPage } from '../../../testing/render-page.tsx';
import { WebhookList } from './webhook-list.tsx';

const HOOK: Webhook = {
  id: 5,
  name: 'Shop',
  url: 'https://shop.example/',
  enabled: true,
  kinds: [],
  allowPrivate: false,
  cpuPercent: 80,
  hasSecret: false,
};

test('another admin’s save of a webhook is shown before it would be lost, and both can be kept', async () => {
  let stored = HOOK;
  const { sent } = await renderPage(
    <WebhookList />,
    { 'GET /panel/api/webhooks/list': () => [stored], 'POST /panel/api/webhooks/save': () => stored },
    '/?webhook=5',
  );
  const saves = () => sent.filter(({ path }) => path.endsWith('/save')).map(({ body }) => body);
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await userEvent.type(await screen.findByLabelText('Secret'), 'typed');
  // What the dialog has no field for is not overwritten by it.
  stored = { ...HOOK, hasSecret: true, enabled: false, kinds: ['core.crash'], allowPrivate: true };
  await userEvent.type(screen.getByLabelText(/^Name/), ' 2');
  await save();
  const notice = (await screen.findByText('Another admin changed this webhook')).closest('[role=alert]');
  expect(notice?.querySelectorAll('li')).toHaveLength(1);
  expect(notice?.textContent).toContain('Its host may be in a private network: yes');
  expect(saves()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
  await save();
  await expect.poll(saves).toMatchObject([{ id: 5, name: 'Shop 2', allowPrivate: true, secret: 'typed' }]);
});

test('a webhook that another admin deleted does not take along what was typed: the save says why', async () => {
  let stored = [HOOK];
  const responses = {
    'GET /panel/api/webhooks/list': () => stored,
    'POST /panel/api/webhooks/save': new Error('there is no such webhook'),
  };
  await renderPage(<WebhookList />, responses, '/?webhook=5');
  await userEvent.type(await screen.findByLabelText(/^Name/), ' 2');
  stored = [];
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('there is no such webhook')).toBeTruthy();
  expect(screen.getByLabelText(/^Name/)).toHaveProperty('value', 'Shop 2');
});
