import { Button } from '@mantine/core';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { setInboundEnable } from '#contract/inbounds';
import { useChange } from '../api/use-change.ts';
import { renderPage } from '../testing/render-page.tsx';
import { Toasts } from './toasts.tsx';

function Page() {
  const change = useChange(setInboundEnable, []);
  return (
    <>
      <Toasts />
      <Button onClick={() => change.mutate({ params: { id: '1' }, body: { enable: false } })}>Disable</Button>
      {change.isSuccess && 'Done'}
    </>
  );
}

it('says that a change waits for a node, once however many wait', async () => {
  await renderPage(<Page />, { 'POST /panel/api/inbounds/setEnable/1': { nodePending: true } });
  await userEvent.click(screen.getByRole('button', { name: 'Disable' }));
  await screen.findByText(/A node is switched off or does not answer/);
  await userEvent.click(screen.getByRole('button', { name: 'Disable' }));
  await screen.findByText('Done');
  expect(screen.getAllByText(/A node is switched off/)).toHaveLength(1);
});

it('says nothing where none waits', async () => {
  await renderPage(<Page />, { 'POST /panel/api/inbounds/setEnable/1': null });
  await userEvent.click(screen.getByRole('button', { name: 'Disable' }));
  await screen.findByText('Done');
  expect(screen.queryByText(/A node is switched off/)).toBeNull();
});
