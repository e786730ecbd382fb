import { Drawer, Modal } from '@mantine/core';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { useEscapeOfTop } from './escape-of-top.ts';

function Layers() {
  useEscapeOfTop();
  const [isBelow, setBelow] = useState(true);
  const [isAbove, setAbove] = useState(true);
  return (
    <>
      <Drawer opened={isBelow} onClose={() => setBelow(false)} title="Below">
        <button>one</button>
      </Drawer>
      <Modal opened={isAbove} onClose={() => setAbove(false)} title="Above">
        <button>two</button>
      </Modal>
    </>
  );
}

const names = () => screen.queryAllByRole('dialog').map((dialog) => dialog.querySelector('h2')?.textContent);

it('Escape closes one dialog at a time, the top one first', async () => {
  await renderPage(<Layers />, {});
  await screen.findByRole('dialog', { name: 'Above' });
  await userEvent.keyboard('{Escape}');
  await expect.poll(names).toEqual(['Below']);
  await userEvent.keyboard('{Escape}');
  await expect.poll(names).toEqual([]);
});
