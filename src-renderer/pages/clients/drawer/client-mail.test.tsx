import { Notifications } from '@mantine/notifications';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { ClientMail } from './client-mail.tsx';

const EMAIL = 'a@example.com';
const CLIENTS = '/panel/api/clients';

async function show(isAddress: boolean) {
  let isStopped = false;
  const page = (
    <>
      <Notifications />
      <ClientMail email={EMAIL} />
    </>
  );
  return renderPage(page, {
    [`GET ${CLIENTS}/mailChoice/${encodeURIComponent(EMAIL)}`]: () => ({ isAddress, isStopped }),
    [`POST ${CLIENTS}/mailChoice/${encodeURIComponent(EMAIL)}`]: ({ body }: { body?: unknown }) => {
      isStopped = (body as { isStopped: boolean }).isStopped;
      return null;
    },
    [`POST ${CLIENTS}/sendLink/${encodeURIComponent(EMAIL)}`]: null,
  });
}
const sendButton = () => screen.findByRole('button', { name: 'Send link by e-mail' });

it('sends the link of a client by a press, and not to one that wants no e-mail', async () => {
  const { sent } = await show(true);
  await userEvent.click(await sendButton());
  expect(await screen.findByText('The link is on its way.')).toBeTruthy();
  expect(sent.map(({ path }) => path)).toContain(`${CLIENTS}/sendLink/${encodeURIComponent(EMAIL)}`);
  await userEvent.click(screen.getByRole('switch', { name: 'Receives e-mails' }));
  await waitFor(async () => expect((await sendButton()).hasAttribute('disabled')).toBe(true));
});

it('offers nothing for a name that is no address', async () => {
  const { sent } = await show(false);
  await waitFor(() => expect(sent.length).toBeGreaterThan(0));
  expect(screen.queryByRole('button')).toBeNull();
});
