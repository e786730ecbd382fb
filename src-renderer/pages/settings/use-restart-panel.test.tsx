import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { useConnection } from '../../stores/connection.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { usePanelRestart } from './restart-store.ts';
import { useRestartPanel } from './use-restart-panel.ts';

function Page() {
  const restart = useRestartPanel();
  return <button onClick={() => void restart()}>Restart</button>;
}

beforeEach(() => useConnection.setState({ isReachable: true }));

it('takes changes again as soon as the new process answers, however long the live stream needs', async () => {
  let pid = 1;
  await renderPage(<Page />, {
    'GET /panel/api/server/status': () => ({ appStats: { pid } }),
    'POST /panel/api/setting/restartPanel': () => {
      pid = 2;
      // What the lost stream makes of it.
      useConnection.getState().setReachable(false);
      return null;
    },
  });
  await userEvent.click(screen.getByText('Restart'));
  await expect.poll(() => usePanelRestart.getState().phase).toBe('back');
  expect(useConnection.getState().isReachable).toBe(true);
});
