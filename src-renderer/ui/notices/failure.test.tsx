import { MantineProvider } from '@mantine/core';
import { render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { startTexts } from '../../i18n/i18n.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { Failure } from './failure.tsx';

afterEach(() => vi.restoreAllMocks());

const inForm = (content: ReactElement | null): ReactElement => (
  <MantineProvider env="test">
    <form>{content}</form>
  </MantineProvider>
);

it('a refusal comes into view, and again when the next save is refused for the same reason', () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
  const { rerender } = render(inForm(<Failure error={{ message: 'no port' }} />));
  expect(scroll).toHaveBeenCalledExactlyOnceWith({ block: 'nearest' });
  rerender(inForm(<Failure error={{ message: 'no port' }} />));
  expect(scroll).toHaveBeenCalledOnce();
  rerender(inForm(<Failure error={null} />));
  rerender(inForm(<Failure error={{ message: 'no port' }} />));
  expect(scroll).toHaveBeenCalledTimes(2);
});

it('a failure on a page, where nothing was asked for, does not move it', () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
  render(
    <MantineProvider env="test">
      <Failure error={{ message: 'no list' }} />
    </MantineProvider>,
  );
  expect(scroll).not.toHaveBeenCalled();
});

it('a conflict comes into view, and leaves the focus on the save button when it is settled', async () => {
  await startTexts('en', false);
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
  const settle = vi.fn();
  const { getByRole } = render(
    inForm(
      <>
        <ConflictNotice title="Changed" onTakeTheirs={settle} onKeepMine={settle} />
        <button type="submit">Save</button>
      </>,
    ),
  );
  expect(scroll).toHaveBeenCalledExactlyOnceWith({ block: 'nearest' });
  for (const name of ['Keep mine', 'Take theirs']) {
    getByRole('button', { name }).click();
    expect(document.activeElement).toBe(getByRole('button', { name: 'Save' }));
  }
  expect(settle).toHaveBeenCalledTimes(2);
});
