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

  it('says why it is empty', async () => {
    await renderPage(<GroupsPage />, { [LIST]: [] });
    expect(await screen.findByText(/No groups yet/)).toBeTruthy();
  });

  it('offers another try when the list cannot be loaded', async () => {
    const { sent } = await renderPage(<GroupsPage />, { [LIST]: new Error('busy') });
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(sent).toHaveLength(2);
  });

  it('creates a group, and shows a refusal at the form', async () => {
    let answer: unknown = new Error('taken');
    const { sent } = await renderPage(<GroupsPage />, { [LIST]: [], [CREATE]: () => answer }, '/?group=');
    await userEvent.type(await screen.findByLabelText('Name'), 'A');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('taken')).toBeTruthy();
    answer = { name: 'A' };
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    expect(sent.findLast(({ method }) => method === 'POST')?.body).toEqual({ name: 'A' });
  });
});
