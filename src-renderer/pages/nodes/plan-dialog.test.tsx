import { Notifications } from '@mantine/notifications';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useQueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { PlanNotices } from './plan-notices.tsx';
import { nodeRow } from './testing-node.ts';

const API = '/panel/api/nodes';
const DELETION = {
  kind: 'delete',
  digest: 'seen',
  foundAt: 1,
  inbounds: [{ id: 4, tag: 'in-443-tcp' }],
  clients: Array.from({ length: 12 }, (_, at) => `client-${at}`),
} as const;
const NODE = nodeRow({ configDirty: true, plans: [{ kind: 'delete', inboundCount: 1, clientCount: 12 }] });
const page = (
  <>
    <Notifications />
    <PlanNotices node={NODE} />
  </>
);

test.each([
  ['Delete on the node', 'confirm'],
  ['Take it back', 'takeBack'],
])('pending deletions are listed by name before the decision: %s', async (button, word) => {
  const responses = { [`GET ${API}/plans/1`]: [DELETION], [`POST ${API}/plans/1/${word}`]: null };
  const { sent } = await renderPage(page, responses);
  expect(screen.getByText(/1 inbound and 12 clients that were deleted here are still on the node/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Look at it' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete on Frankfurt?' }));
  const clients = await dialog.findByRole<HTMLTextAreaElement>('textbox', { name: 'Clients: 12' });
  expect(clients.value.split('\n')).toEqual(DELETION.clients);
  expect(dialog.getByRole<HTMLTextAreaElement>('textbox', { name: 'Inbounds: 1' }).value).toBe('in-443-tcp');
  await userEvent.click(dialog.getByRole('button', { name: button }));
  expect(await screen.findByText(/^Frankfurt: /)).toBeTruthy();
  expect(
    sent
      .filter(({ method, path }) => method === 'POST' && path.includes('/plans/'))
      .map(({ path, body }) => [path, body]),
  ).toEqual([[`${API}/plans/1/${word}`, { digest: 'seen' }]]);
});

test('does not promise that a deletion taken back returns where edits are only shown', async () => {
  const responses = { [`GET ${API}/plans/1`]: [DELETION], [`POST ${API}/plans/1/takeBack`]: null };
  await renderPage(
    <>
      <Notifications />
      <PlanNotices node={{ ...NODE, remoteEdits: 'show' }} />
    </>,
    responses,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Look at it' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete on Frankfurt?' }));
  expect(await dialog.findByText(/it stays there and you decide under “Compare” whether it comes back/)).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Take it back' }));
  expect(await screen.findByText(/^Frankfurt: nothing is deleted there. Decide under “Compare”/)).toBeTruthy();
});

test('the list stays as it was read: a plan that has changed meanwhile is refused, and then shown', async () => {
  const changed = { ...DELETION, digest: 'changed', clients: [...DELETION.clients, 'added-meanwhile'] };
  let waiting: object = DELETION;
  const responses = {
    [`GET ${API}/plans/1`]: () => [waiting],
    [`POST ${API}/plans/1/confirm`]: ({ body }: { body: { digest: string } }) =>
      body.digest === 'changed' ? null : new Error('look at it again'),
  };
  function LiveChange() {
    const cache = useQueryClient();
    return <button onClick={() => void cache.invalidateQueries()}>live change</button>;
  }
  const { sent } = await renderPage(
    <>
      {page}
      <LiveChange />
    </>,
    responses,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Look at it' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete on Frankfurt?' }));
  await dialog.findByRole('textbox', { name: 'Clients: 12' });
  waiting = changed;
  screen.getByText('live change').click();
  await expect.poll(() => sent.filter(({ path }) => path === `${API}/plans/1`)).toHaveLength(2);
  await userEvent.click(dialog.getByRole('button', { name: 'Delete on the node' }));
  const names = await dialog.findByRole<HTMLTextAreaElement>('textbox', { name: 'Clients: 13' });
  expect(names.value).toContain('added-meanwhile');
  expect(dialog.getByRole('alert').textContent).toContain('look at it again');
  await userEvent.click(dialog.getByRole('button', { name: 'Delete on the node' }));
  expect(await screen.findByText(/^Frankfurt: /)).toBeTruthy();
  expect(sent.filter(({ path }) => path.endsWith('/confirm')).map(({ body }) => body)).toEqual([
    { digest: 'seen' },
    { digest: 'changed' },
  ]);
});
