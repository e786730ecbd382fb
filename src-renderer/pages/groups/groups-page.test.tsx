import { Notifications } from '@mantine/notifications';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { GroupsPage } from './groups-page.tsx';

const LIST = 'GET /panel/api/clients/groups';
const CREATE = 'POST /panel/api/clients/groups/create';
const VIP = { name: 'VIP <b>', clientCount: 3, trafficUsed: 2048, up: 0, down: 2048 };

describe('groups page', () => {
  it('shows names as text, with members and traffic', async () => {
    await renderPage(<GroupsPage />, { [LIST]: [VIP] });
    expect(await screen.findByText('VIP <b>')).toBeTruthy();
    expect(screen.getByRole('link', { name: '3' }).getAttribute('href')).toBe('/panel/clients?group=VIP%20%3Cb%3E');
    expect(screen.getByText('2 KiB')).toBeTruthy();
  });

  it('says why it is empty, with the button that fixes it', async () => {
    await renderPage(<GroupsPage />, { [LIST]: [] });
    expect(await screen.findByText(/No groups yet/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Add group' }));
    expect(await screen.findByRole('dialog')).toBeTruthy();
  });

  it('offers a retry when the list cannot be loaded', async () => {
    const { sent } = await renderPage(<GroupsPage />, { [LIST]: new Error('busy') });
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(sent).toHaveLength(2);
  });

  it('creates a group, and shows a refusal at the form', async () => {
    let response: unknown = new Error('taken');
    const { sent } = await renderPage(<GroupsPage />, { [LIST]: [], [CREATE]: () => response }, '/?group=new');
    await userEvent.type(await screen.findByLabelText('Name'), 'A');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('taken')).toBeTruthy();
    response = { name: 'A' };
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    expect(sent.findLast(({ method }) => method === 'POST')?.body).toEqual({ name: 'A' });
  });

  it('renames in the row: Enter saves, Escape cancels, a refusal stays at the field', async () => {
    const RENAME = 'POST /panel/api/clients/groups/rename';
    let response: unknown = new Error('group already exists');
    const { sent } = await renderPage(<GroupsPage />, { [LIST]: [VIP], [RENAME]: () => response });
    await userEvent.click(await screen.findByRole('button', { name: 'Rename VIP <b>' }));
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Rename VIP <b>' }));
    await userEvent.keyboard('taken{Enter}');
    expect(await screen.findByText('group already exists')).toBeTruthy();
    response = { affected: 3 };
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => screen.queryByRole('textbox', { name: 'Name' })).toBeNull();
    expect(sent.findLast(({ method }) => method === 'POST')?.body).toEqual({ oldName: 'VIP <b>', newName: 'taken' });
  });

  it('says that a group is renamed, and focuses its new row', async () => {
    let name = 'old';
    const responses = {
      [LIST]: () => [{ ...VIP, name }],
      'POST /panel/api/clients/groups/rename': () => {
        name = 'new';
        return { affected: 3 };
      },
    };
    const page = (
      <>
        <Notifications />
        <GroupsPage />
      </>
    );
    await renderPage(page, responses);
    await userEvent.click(await screen.findByRole('button', { name: 'Rename old' }));
    await userEvent.keyboard('new{Enter}');
    expect(await screen.findByText('Group new is saved.')).toBeTruthy();
    await expect.poll(() => document.activeElement?.getAttribute('aria-label')).toBe('Rename new');
  });

  it('leaves another rename open that began while one was stored', async () => {
    let respond = (): void => undefined;
    const responses = {
      [LIST]: [
        { ...VIP, name: 'one' },
        { ...VIP, name: 'two' },
      ],
      'POST /panel/api/clients/groups/rename': () => new Promise<void>((resolve) => (respond = resolve)),
    };
    const page = (
      <>
        <Notifications />
        <GroupsPage />
      </>
    );
    await renderPage(page, responses);
    await userEvent.click(await screen.findByRole('button', { name: 'Rename one' }));
    await userEvent.keyboard('new{Enter}');
    await userEvent.click(screen.getByRole('button', { name: 'Rename two' }));
    await userEvent.keyboard('typed');
    respond();
    await screen.findByText('Group new is saved.');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('typed');
  });

  it('says that a group is deleted', async () => {
    const responses = { [LIST]: [VIP], 'POST /panel/api/clients/groups/delete': { affected: 3 } };
    const page = (
      <>
        <Notifications />
        <GroupsPage />
      </>
    );
    await renderPage(page, responses);
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for VIP <b>' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete group' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Delete group' }));
    expect(await screen.findByText('Group VIP <b> is deleted.')).toBeTruthy();
  });

  it('opens no rename of a group that does not exist', async () => {
    await renderPage(<GroupsPage />, { [LIST]: [VIP] }, '/?rename=gone');
    await screen.findByText('VIP <b>');
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it('chooses members with the server’s search and sends only what changed', async () => {
    const person = (email: string, group: string) => ({ email, group });
    const { sent } = await renderPage(
      <GroupsPage />,
      {
        [LIST]: [VIP],
        'GET /panel/api/clients/list/paged': {
          items: [person('in', 'VIP <b>'), person('out', ''), person('other', 'B'), person('stays', '')],
          filtered: 900,
        },
        'POST /panel/api/clients/groups/bulkAdd': { affected: 2 },
        'POST /panel/api/clients/groups/bulkRemove': { affected: 1 },
      },
      `/?members=${encodeURIComponent('VIP <b>')}`,
    );
    for (const name of ['in', 'out', 'other']) await userEvent.click(await screen.findByLabelText(name));
    await userEvent.click(screen.getByLabelText('stays'));
    await userEvent.click(screen.getByLabelText('stays'));
    expect(screen.getByText('2 to add, 1 to take out')).toBeTruthy();
    expect(screen.getByText('896 more. Type more of the name.')).toBeTruthy();
    await userEvent.type(screen.getByRole('searchbox'), 'ali');
    await expect
      .poll(() => sent.some(({ path }) => path.includes('search=ali') && path.includes('pageSize=50')))
      .toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await expect
      .poll(() => sent.filter(({ method }) => method === 'POST').map(({ body }) => body))
      .toEqual([{ emails: ['out', 'other'], group: 'VIP <b>' }, { emails: ['in'] }]);
  });

  it('applies an action to all members', async () => {
    const EMAILS = `GET /panel/api/clients/groups/${encodeURIComponent('VIP <b>')}/emails`;
    const { sent } = await renderPage(<GroupsPage />, {
      [LIST]: [VIP],
      [EMAILS]: ['a', 'b', 'c'],
      'POST /panel/api/clients/bulkAdjust': { adjusted: 3, skipped: [] },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Actions for VIP <b>' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Adjust' }));
    await userEvent.type(await screen.findByLabelText('Days to add'), '7');
    await userEvent.click(screen.getByRole('combobox', { name: 'Flow' }));
    await userEvent.click(await screen.findByRole('option', { name: 'Take it away' }));
    await userEvent.click(screen.getByRole('button', { name: 'Adjust' }));
    expect(await screen.findByText('3 done, 0 skipped')).toBeTruthy();
    expect(sent.findLast(({ method }) => method === 'POST')?.body).toMatchObject({
      emails: ['a', 'b', 'c'],
      addDays: 7,
      flow: 'none',
    });
  });
});
