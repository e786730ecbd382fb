import { Button } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { setInboundEnable } from '#contract/inbounds';
import { useCall } from '../../api/transport-context.tsx';
import { renderPage } from '../../testing/render-page.tsx';

function Page() {
  const call = useCall();
  const [done, setDone] = useState(0);
  const handleClick = async (): Promise<void> => {
    await call(setInboundEnable, { params: { id: '1' }, body: { enable: false } });
    setDone((before) => before + 1);
  };
  return (
    <>
      <Notifications />
      <Button onClick={() => void handleClick()}>Disable</Button>
      {`Done: ${done}`}
    </>
  );
}

it('says that a change waits for a node, once however many wait', async () => {
  await renderPage(<Page />, { 'POST /panel/api/inbounds/setEnable/1': { nodePending: true } });
  await userEvent.click(screen.getByRole('button', { name: 'Disable' }));
  await screen.findByText(/A node is switched off or does not answer/);
  await userEvent.click(screen.getByRole('button', { name: 'Disable' }));
  await screen.findByText('Done: 2');
  expect(screen.getAllByText(/A node is switched off/)).toHaveLength(1);
});

it('says nothing where none waits', async () => {
  await renderPage(<Page />, { 'POST /panel/api/inbounds/setEnable/1': null });
  await userEvent.click(screen.getByRole('button', { name: 'Disable' }));
  await screen.findByText('Done: 1');
  expect(screen.queryByText(/A node is switched off/)).toBeNull();
});
