import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClientPage } from '#contract/clients/list';
import { renderPage } from '../../../testing/render-page.tsx';
import { ClientsPage } from '../clients-page.tsx';
import { useColumns } from './columns/column-store.ts';
import { useSelection } from '../bulk/selection-store.ts';

const LIST = 'GET /panel/api/clients/list/paged';
const VIEW_PX = 460;

function pageOf(emails: readonly string[], pageSize: number): ClientPage {
  const traffic = { up: 0, down: 1024, enable: true };
  return {
    items: emails.map((email) => ({
      email,
      subId: '',
      enable: true,
      totalGB: 0,
      expiryTime: 0,
      limitIp: 0,
      reset: 0,
      resetDay: 0,
      group: '',
      planId: 0,
      comment: '',
      inboundIds: [1, 2, 3],
      traffic,
      lastOnline: 0,
      createdAt: 0,
      updatedAt: 0,
    })),
    total: 5_000,
    filtered: 5_000,
    page: 1,
    pageSize,
    summary: {
      total: 5_000,
      active: 5_000,
      online: [],
      depleted: [],
      expiring: [],
      deactive: [],
      onlineCount: 0,
      depletedCount: 0,
      exhaustedCount: 0,
      expiredCount: 0,
      expiringCount: 0,
      deactiveCount: 0,
    },
    groups: [],
  };
}
const named = (count: number): string[] => Array.from({ length: count }, (_, at) => `user${at}`);
const rowOf = (email: string) => screen.findByRole('row', { name: new RegExp(`Select ${email} `) });

beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(VIEW_PX);
  useSelection.getState().clear();
  useColumns.getState().reset();
});
afterEach(() => vi.restoreAllMocks());

describe('list of clients', () => {
  it('has of 200 rows those in view, says how many there are, and goes to the last by keyboard', async () => {
    const responses = { [LIST]: pageOf(named(200), 200), 'GET /panel/api/inbounds/options': [] };
    await renderPage(<ClientsPage />, responses, '/?size=200&page=3');
    const first = await rowOf('user0');
    const rows = screen.getAllByRole('row').length;
    expect(rows).toBeGreaterThan(VIEW_PX / 46);
    expect(rows).toBeLessThan(50);
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('5001');
    expect(first.getAttribute('aria-rowindex')).toBe('402');
    act(() => first.focus());
    await userEvent.keyboard('{End}');
    expect(document.activeElement?.getAttribute('data-index')).toBe('199');
    await userEvent.keyboard('{ArrowUp} ');
    expect(document.activeElement?.getAttribute('aria-rowindex')).toBe('600');
    expect([...useSelection.getState().emails]).toEqual(['user198']);
    await userEvent.keyboard('{Shift>}{PageUp}{/Shift}');
    expect(useSelection.getState().emails.size).toBe(11);
  });

  it('moves no row under a selection until it is asked to', async () => {
    let emails = ['a', 'b', 'c'];
    await renderPage(<ClientsPage />, {
      [LIST]: () => pageOf(emails, 25),
      'GET /panel/api/inbounds/options': [],
      'POST /panel/api/clients/bulkEnable': { changed: 1, skipped: [] },
    });
    await userEvent.click(await screen.findByLabelText('Select b'));
    emails = ['x', 'a', 'c'];
    // A change fetches the list again.
    await userEvent.click(screen.getByRole('button', { name: 'Enable' }));
    await screen.findByText('2 changes since you selected');
    const shown = () =>
      within(screen.getByRole('grid'))
        .getAllByRole('rowheader')
        .map((cell) => cell.textContent);
    expect(shown()).toEqual(['a', 'b', 'c']);
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(shown()).toEqual(['x', 'a', 'c']);
    expect(screen.queryByText(/since you selected/)).toBeNull();
  });

  it('keys act on the row that has the focus, also when a new list has moved it', async () => {
    let emails = ['a', 'b', 'c'];
    const { sent } = await renderPage(<ClientsPage />, {
      [LIST]: () => pageOf(emails, 25),
      'GET /panel/api/inbounds/options': [],
      'POST /panel/api/clients/sessions/end': { connections: 0, places: [] },
    });
    const row = await rowOf('b');
    act(() => row.focus());
    emails = ['x', 'a', 'b', 'c'];
    await userEvent.keyboard('m');
    // A change fetches the list again.
    await userEvent.click(await screen.findByRole('menuitem', { name: 'End sessions' }));
    await rowOf('x');
    expect(document.activeElement).toBe(row);
    await userEvent.keyboard(' ');
    expect([...useSelection.getState().emails]).toEqual(['b']);
    act(() => useSelection.getState().clear());
    await userEvent.keyboard('m');
    await userEvent.click(await screen.findByRole('menuitem', { name: 'End sessions' }));
    const ended = () => sent.filter(({ path }) => path.endsWith('/sessions/end')).map(({ body }) => body);
    await expect.poll(ended).toMatchObject([{ emails: ['b'] }, { emails: ['b'] }]);
    act(() => row.focus());
    await userEvent.keyboard('{ArrowUp}');
    expect(document.activeElement).toBe(await rowOf('a'));
  });

  it('names inbounds, and opens the ledger behind a traffic figure', async () => {
    const option = (id: number) => ({ id, remark: `in-${id}`, tag: `t${id}`, port: 443 });
    await renderPage(<ClientsPage />, {
      [LIST]: pageOf(['a'], 25),
      'GET /panel/api/inbounds/options': [option(1), option(2), option(3)],
      'GET /panel/api/clients/ledger/a': { email: 'a', buckets: [] },
    });
    const row = within(await rowOf('a'));
    expect(await row.findByText('in-2')).toBeTruthy();
    expect(row.queryByText('in-3')).toBeNull();
    expect(row.getByTitle('in-1 · in-2 · in-3').textContent).toContain('+1');
    fireEvent.click(row.getByText('1 KiB, unlimited'));
    expect(await screen.findByRole('dialog', { name: 'Traffic of a' })).toBeTruthy();
    expect(await screen.findByText('Nothing was counted in this period.')).toBeTruthy();
  });
});
