import { Notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { CallError } from '../../api/transport.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { announceFailure } from '../notices/announce.ts';
import { QueryView } from './query-view.tsx';

const BUG = new CallError('unexpected', 'ناگهان', 'request.unexpected', [], { reference: '0123456789ab' });

function Failing() {
  const query = useQuery({ queryKey: ['failing'], queryFn: () => Promise.reject<string>(BUG) });
  return <QueryView query={query}>{(text) => text}</QueryView>;
}

it('the code, reference and time of a failed load can be copied', async () => {
  const user = userEvent.setup();
  await renderPage(<Failing />, {});
  await user.click(await screen.findByRole('button', { name: 'Copy details' }));
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
  expect(await navigator.clipboard.readText()).toMatch(
    /^message: .+\nkind: unexpected\ncode: request\.unexpected\nreference: 0123456789ab\ntime: \d{4}-\d\d-\d\dT[\d:.]+Z\npage: \/$/,
  );
});

it('shows the details where there is no clipboard', async () => {
  vi.stubGlobal('navigator', { clipboard: undefined });
  await renderPage(<Failing />, {});
  fireEvent.click(await screen.findByRole('button', { name: 'Copy details' }));
  const shown = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Details of the failure' });
  vi.unstubAllGlobals();
  expect(shown.value).toContain('reference: 0123456789ab');
});

it('only an unexpected failure is reported with details', async () => {
  await renderPage(<Notifications />, {});
  announceFailure(new CallError('refused', 'the name is taken', 'group.exists'));
  expect(await screen.findByText('the name is taken')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Copy details' })).toBeNull();
  announceFailure(BUG);
  expect(await screen.findByRole('button', { name: 'Copy details' })).toBeTruthy();
});
