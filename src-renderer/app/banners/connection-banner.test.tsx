import { QueryClient } from '@tanstack/react-query';
import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { bridgeEvents } from '../../api/event-bridge.ts';
import { CallError, type Transport } from '../../api/transport.ts';
import { GroupsPage } from '../../pages/groups/groups-page.tsx';
import { usePanelRestart } from '../../pages/settings/restart/restart-store.ts';
import { useConnection, type Retry } from '../../stores/connection.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { ConnectionBanner } from './connection-banner.tsx';

let endBridge: () => void = () => undefined;
afterEach(() => endBridge());

/** A panel whose stream the test raises and drops; it answers requests or not. */
function startBridge(send: () => Promise<never> | Promise<{ status: number; errorCode: string; body: unknown }>) {
  let tell: (isUp: boolean, retry?: Retry) => void = () => undefined;
  const transport: Transport = {
    send,
    listen: (_onMessage, onState) => {
      tell = onState;
      return () => undefined;
    },
    isOwnRequest: () => false,
    fileUrl: (path) => path,
  };
  endBridge = bridgeEvents(transport, new QueryClient());
  return (isUp: boolean, retry?: Retry) => tell(isUp, retry);
}

const gone = () => Promise.reject(new CallError('network', 'gone'));

it('says when it retries, and retries at once on demand; changes are refused meanwhile, typed text stays', async () => {
  const tell = startBridge(gone);
  const now = vi.fn();
  const page = (
    <>
      <ConnectionBanner />
      <GroupsPage />
    </>
  );
  const { sent } = await renderPage(page, { 'GET /panel/api/clients/groups': [] }, '/?group=new');
  act(() => tell(false, { atMs: Date.now() + 8_500, now }));
  // Read out wherever the reader is.
  await screen.findByRole('alert', { name: 'The panel does not answer' });
  expect(screen.getByText('Next try in 9 seconds')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Name'), 'kept');
  await userEvent.keyboard('{Enter}');
  expect(await screen.findAllByText(/Changes wait until the panel answers again/)).toHaveLength(2);
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('kept');
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([]);
  act(() => screen.getByText('Try now').click());
  expect(now).toHaveBeenCalledOnce();
  act(() => tell(true));
  expect(screen.queryByText('The panel does not answer')).toBeNull();
  expect(useConnection.getState().isReachable).toBe(true);
});

it('an unanswered change shows it too, though the stream seems up; Save waits and says why', async () => {
  let isGone = true;
  const response = { status: 200, errorCode: '', body: null };
  const tell = startBridge(() => (isGone ? gone() : Promise.resolve(response)));
  const page = (
    <>
      <ConnectionBanner />
      <GroupsPage />
    </>
  );
  await renderPage(page, { 'GET /panel/api/clients/groups': [] }, '/?group=new');
  act(() => tell(true));
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  fireEvent.change(name, { target: { value: 'kept' } });
  act(() => useConnection.getState().doubt());
  await screen.findByText('The panel does not answer');
  const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(save().disabled).toBe(true);
  expect(screen.getAllByText(/Changes wait until the panel answers again/)).toHaveLength(2);
  isGone = false;
  act(() => useConnection.getState().doubt());
  await expect.poll(() => save().disabled).toBe(false);
  expect(screen.queryByText('The panel does not answer')).toBeNull();
  expect(name.value).toBe('kept');
});

it('lets changes through when only the stream is down', async () => {
  const tell = startBridge(() => Promise.resolve({ status: 200, errorCode: '', body: null }));
  await renderPage(<ConnectionBanner />, {});
  act(() => tell(false));
  expect(await screen.findByText('No live figures at the moment')).toBeTruthy();
  expect(useConnection.getState().isReachable).toBe(true);
});

it('says how long a restart takes', async () => {
  const tell = startBridge(gone);
  await renderPage(<ConnectionBanner />, {});
  act(() => usePanelRestart.getState().begin(Date.now()));
  act(() => tell(false));
  expect(await screen.findByText('The panel is restarting; that usually takes 5 to 10 seconds')).toBeTruthy();
});
