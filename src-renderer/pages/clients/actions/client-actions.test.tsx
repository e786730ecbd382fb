import { Notifications } from '@mantine/notifications';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { noteChange } from '../../../ui/undo/last-change.ts';
import { useBulkResult } from '../bulk/bulk-result-store.ts';
import { usePlans } from '../../plans/use-plans.ts';
import { ClientActions } from './client-actions.tsx';
import { useActions } from './action-store.ts';
import { useSwitchClients } from './use-switch-clients.ts';

const CLIENTS = '/panel/api/clients';
const SESSIONS = { canCut: true, reason: '', recent: [] };
const REPORT = {
  step: 'left',
  connections: 0,
  left: [{ email: 'a', reason: 'udp' }],
  leftCount: 1,
  offers: ['readd', 'restart'],
  note: '',
};

beforeEach(() => {
  useActions.getState().close();
  useBulkResult.getState().close();
});

function Switch() {
  const { enable } = useSwitchClients();
  return <button onClick={() => enable(['a', 'b'])}>go</button>;
}

/** The page with the dialogs, and the next one. */
function Visits() {
  const [isHere, setHere] = useState(true);
  return (
    <>
      <button onClick={() => setHere(!isHere)}>leave</button>
      {isHere && <ClientActions groups={[]} />}
    </>
  );
}

function PlanCount() {
  return <p>{usePlans().data?.[0]?.clientCount} with it</p>;
}

describe('actions on clients', () => {
  it('deletes with what was chosen, says who may be connected and offers further steps', async () => {
    const { sent } = await renderPage(<ClientActions groups={[]} />, {
      [`GET ${CLIENTS}/sessions`]: SESSIONS,
      [`POST ${CLIENTS}/bulkDel`]: { deleted: 2, skipped: [], sessionReport: REPORT },
      [`POST ${CLIENTS}/sessions/end`]: { ...REPORT, left: [], leftCount: 0, offers: [] },
    });
    act(() => useActions.getState().openDialog('delete', ['a', 'b']));
    await userEvent.click(await screen.findByLabelText('Keep what was counted'));
    await userEvent.click(screen.getByLabelText('Leave them open'));
    await userEvent.click(screen.getByRole('button', { name: 'Delete 2 clients' }));
    await screen.findByText('2 done, 0 skipped');
    expect(sent.findLast(({ method }) => method === 'POST')).toMatchObject({
      path: `${CLIENTS}/bulkDel?sessions=leave`,
      body: { emails: ['a', 'b'], keepTraffic: true },
    });
    expect(screen.getByText('connected over UDP')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Add the inbounds again' }));
    await screen.findByText('Nobody is connected any more.');
    expect(sent.findLast(({ method }) => method === 'POST')?.body).toEqual({ emails: ['a'], how: 'readd' });
  });

  it('a question and a result that were left with their page are not there on the next', async () => {
    await renderPage(<Visits />, { [`GET ${CLIENTS}/sessions`]: SESSIONS });
    act(() => useActions.getState().openDialog('delete', ['a']));
    await screen.findByRole('dialog');
    act(() => screen.getByText('leave').click());
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    act(() => screen.getByText('leave').click());
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(screen.queryByRole('dialog')).toBeNull();
    act(() => useBulkResult.getState().show({ done: 1, skipped: [] }));
    await screen.findByText('1 done, 0 skipped');
    act(() => screen.getByText('leave').click());
    act(() => screen.getByText('leave').click());
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('plans have the number of clients that a deletion left them', async () => {
    let clientCount = 1;
    await renderPage(
      <>
        <PlanCount />
        <ClientActions groups={[]} />
      </>,
      {
        [`GET ${CLIENTS}/sessions`]: SESSIONS,
        [`POST ${CLIENTS}/bulkDel`]: () => ({ deleted: clientCount--, skipped: [] }),
        'GET /panel/api/plans': () => [{ id: 1, clientCount }],
      },
    );
    await screen.findByText('1 with it');
    act(() => useActions.getState().openDialog('delete', ['a']));
    await userEvent.click(await screen.findByRole('button', { name: 'Delete 1 client' }));
    await screen.findByText('0 with it');
  });

  it('takes back a switch for exactly those that it turned', async () => {
    const { sent } = await renderPage(
      <>
        <Notifications />
        <Switch />
        <ClientActions groups={[]} />
      </>,
      {
        [`POST ${CLIENTS}/bulkEnable`]: { changed: 2, skipped: [], turned: ['b'] },
        [`POST ${CLIENTS}/bulkDisable`]: { changed: 1, skipped: [] },
      },
    );
    await userEvent.click(screen.getByRole('button', { name: 'go' }));
    await screen.findByText('2 clients are enabled.');
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await screen.findByText('Everything is as it was before.');
    expect(sent.findLast(({ method }) => method === 'POST')).toMatchObject({
      path: `${CLIENTS}/bulkDisable?sessions=cut`,
      body: { emails: ['b'] },
    });
  });

  it('gives clients back the groups they had', async () => {
    const { sent } = await renderPage(
      <>
        <Notifications />
        <ClientActions groups={['VIP']} />
      </>,
      {
        [`POST ${CLIENTS}/groups/bulkAdd`]: {
          affected: 2,
          before: [
            { group: 'old', emails: ['a'] },
            { group: '', emails: ['b'] },
          ],
        },
        [`POST ${CLIENTS}/groups/bulkRemove`]: { affected: 1 },
      },
    );
    act(() => useActions.getState().openDialog('group', ['a', 'b']));
    await userEvent.type(await screen.findByRole('combobox', { name: 'Group' }), 'VIP');
    await userEvent.click(screen.getByRole('button', { name: 'Put into group' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await expect
      .poll(() => sent.filter(({ method }) => method === 'POST').map(({ body }) => body))
      .toEqual([{ emails: ['a', 'b'], group: 'VIP' }, { emails: ['a'], group: 'old' }, { emails: ['b'] }]);
  });

  it('filters who was skipped by reason and name, also in the text to copy', async () => {
    await renderPage(<ClientActions groups={[]} />, {});
    const skipped = [
      { email: 'ali', reason: 'unlimited' },
      { email: 'bob', reason: 'gone' },
      { email: 'alina', reason: 'gone' },
      { email: 'eve', reason: 'eve is taken already' },
      { email: 'ann', reason: 'ann is taken already' },
    ];
    act(() => useBulkResult.getState().show({ done: 1, skipped }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('combobox', { name: 'Reason' }));
    expect(await screen.findByRole('option', { name: '… is taken already (2)' })).toBeTruthy();
    await userEvent.click(await screen.findByRole('option', { name: 'gone (2)' }));
    await userEvent.type(dialog.getByRole('searchbox'), 'AL');
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Skipped, as text').value).toBe('alina\tgone');
    expect(dialog.queryByRole('rowheader', { name: 'ali' })).toBeNull();
  });

  it('what was undone offers no second undo', async () => {
    // The transport of a browser notes changes that can be undone.
    const noted = (path: string, entry: string, result: object) => () => {
      noteChange(path, entry);
      return result;
    };
    await renderPage(
      <>
        <Notifications />
        <Switch />
      </>,
      {
        [`POST ${CLIENTS}/bulkEnable`]: noted(`${CLIENTS}/bulkEnable`, '1', { changed: 2, skipped: [], turned: ['a'] }),
        [`POST ${CLIENTS}/bulkDisable`]: noted(`${CLIENTS}/bulkDisable`, '2', { changed: 1, skipped: [] }),
      },
    );
    await userEvent.click(screen.getByRole('button', { name: 'go' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    const notice = (await screen.findByText('Everything is as it was before.')).closest<HTMLElement>('[role="alert"]');
    expect(within(notice!).queryByRole('button', { name: 'Undo' })).toBeNull();
  });
});
