import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { RawRequest } from '../../../api/transport.ts';
import { renderPage } from '../../../testing/render-page.tsx';
import { readAddress } from '../filters/list-address.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useSelection } from './selection-store.ts';

const EMAILS = Array.from({ length: 401 }, (_, at) => `client-${at}`);

/**
 * Shows the bar with one selected client over a list by traffic, in which the last one moves to the front after the first page.
 * @param leaving how many of the first ones no longer match after the first page
 */
async function show(beforePage: (page: number) => Promise<void>, leaving = 0) {
  let gone = 0;
  const paged = async ({ path }: RawRequest): Promise<object> => {
    const query = new URL(path, 'http://panel').searchParams;
    const page = Number(query.get('page'));
    await beforePage(page);
    const hasMoved = query.get('sort') === 'traffic' && page > 1;
    const emails = (hasMoved ? [EMAILS.at(-1)!, ...EMAILS.slice(0, -1)] : EMAILS).slice(gone);
    gone = leaving;
    return { items: emails.slice((page - 1) * 200, page * 200).map((email) => ({ email })), filtered: emails.length };
  };
  const address = readAddress(new URLSearchParams('sort=traffic'));
  await renderPage(<SelectionBar address={address} filtered={EMAILS.length} groups={[]} />, {
    'GET /panel/api/clients/list/paged': paged,
  });
  act(() => useSelection.getState().toggle('client-0'));
  expect(screen.getByRole('status').textContent).toBe('1 selected');
  await userEvent.click(screen.getByRole('button', { name: 'Select all 401 that match' }));
}

it('selects all that match, also those that traffic moves meanwhile', async () => {
  await show(async () => undefined);
  await waitFor(() => expect(useSelection.getState().emails.size).toBe(EMAILS.length));
});

it('selects all that match, also those that move up when others leave meanwhile', async () => {
  await show(async () => undefined, 3);
  await waitFor(() => expect(useSelection.getState().emails.size).toBe(EMAILS.length));
});

it('selects no more once the selection is cleared', async () => {
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  await show((page) => (page === 2 ? held : Promise.resolve()));
  await waitFor(() => expect(useSelection.getState().emails.size).toBe(200));
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
  await act(async () => release());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(useSelection.getState().emails.size).toBe(0);
});
