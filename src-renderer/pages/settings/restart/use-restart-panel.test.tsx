import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CallError } from '../../../api/transport.ts';
import { useConnection } from '../../../stores/connection.ts';
import { renderPage } from '../../../testing/render-page.tsx';
import { usePanelRestart } from './restart-store.ts';
import { useRestartPanel } from './use-restart-panel.ts';

function Page() {
  const restart = useRestartPanel();
  return <button onClick={() => void restart()}>Restart</button>;
}

beforeEach(() => useConnection.setState({ isReachable: true }));
afterEach(() => vi.useRealTimers());

it('accepts changes again as soon as the new process answers, however long the live stream needs', async () => {
  let pid = 1;
  await renderPage(<Page />, {
    'GET /panel/api/server/status': () => ({ appStats: { pid } }),
    'POST /panel/api/setting/restartPanel': () => {
      pid = 2;
      // The state after the stream was lost.
      useConnection.getState().setReachable(false);
      return null;
    },
  });
  await userEvent.click(screen.getByText('Restart'));
  await expect.poll(() => usePanelRestart.getState().phase).toBe('back');
  expect(useConnection.getState().isReachable).toBe(true);
});

it.each([
  ['nothing', () => Promise.reject(new CallError('network', 'not reached'))],
  ['a proxy in front', () => new Response(null, { status: 502 })],
])('waits for the new path of its origin while %s answers for the panel, however long that takes', async (_, away) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  let status: unknown = { appStats: { pid: 1 } };
  await renderPage(<Page />, {
    'GET /panel/api/server/status': () => (typeof status === 'function' ? (status as () => unknown)() : status),
    'POST /panel/api/setting/restartPanel': () => {
      usePanelRestart.setState({ target: `${location.origin}/hidden/panel/settings` });
      status = away;
      return null;
    },
  });
  fireEvent.click(screen.getByText('Restart'));
  await vi.advanceTimersByTimeAsync(40_000);
  expect(usePanelRestart.getState().phase).toBe('slow');
  // The new process answers, but does not know the old path.
  status = () => new Response(null, { status: 404 });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(usePanelRestart.getState().phase).toBe('moved');
});
