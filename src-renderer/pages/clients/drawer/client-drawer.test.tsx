import { Notifications, notifications } from '@mantine/notifications';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ExternalLink } from '#contract/clients';
import { noteServerTime } from '../../../stores/server-clock.ts';
import { renderPage, type Responses } from '../../../testing/render-page.tsx';
import { ClientDrawer } from './client-drawer.tsx';
import { useActions } from '../actions/action-store.ts';

const CLIENTS = '/panel/api/clients';
const LINK: ExternalLink = { kind: 'link', value: 'vless://u@192.0.2.1:443#One', remark: '' };
const FEED: ExternalLink = { kind: 'subscription', value: 'https://feed.example/x', remark: 'Feed' };

const NONE = { up: 0, down: 0 };
const NO_TRAFFIC = {
  from: 0,
  to: 3_600_000,
  step: 'hour',
  edges: [0, 3_600_000],
  sources: [],
  total: NONE,
  before: { from: 0, to: 0, ...NONE },
  today: { ...NONE, before: NONE },
  month: { ...NONE, before: NONE },
  now: 0,
  timeZone: 'UTC',
};

const clientOf = (externalLinks: readonly ExternalLink[]) => ({
  client: { email: 'a', subId: 's', uuid: 'u', password: '', auth: '', totalGB: 0, expiryTime: 0, enable: true },
  inboundIds: [],
  externalLinks,
  usedTraffic: 3_072,
  lastSubFetch: 0,
});

async function show(responses: Responses = {}, links: readonly ExternalLink[] = [LINK, FEED]) {
  let stored = links;
  const page = (
    <>
      <Notifications />
      <ClientDrawer
        email="a"
        onClose={() => undefined}
        onEdit={() => undefined}
        onCode={() => undefined}
        onLedger={() => undefined}
        onAmounts={() => undefined}
      />
    </>
  );
  const { sent } = await renderPage(page, {
    [`GET ${CLIENTS}/get/a`]: () => clientOf(stored),
    [`GET ${CLIENTS}/traffic/a`]: { up: 1_024, down: 2_048, lastOnline: Date.UTC(2026, 0, 2) },
    'GET /panel/api/traffic/history': NO_TRAFFIC,
    [`GET ${CLIENTS}/ledger/a`]: { email: 'a', buckets: [] },
    [`POST ${CLIENTS}/ips/a`]: ['192.0.2.7 (2026-01-02 03:04:05)'],
    [`GET ${CLIENTS}/links/a`]: [],
    'POST /panel/api/setting/defaultSettings': { subEnable: false, subURI: '' },
    [`POST ${CLIENTS}/clearIps/a`]: null,
    [`POST ${CLIENTS}/updateTraffic/a`]: null,
    [`POST ${CLIENTS}/a/externalLinks`]: ({ body }: { body?: unknown }) => {
      stored = (body as { externalLinks: ExternalLink[] }).externalLinks;
    },
    ...responses,
  });
  await screen.findByText(/^Up 1 KiB/);
  const bodiesOf = (path: string) => sent.filter((request) => request.path.startsWith(path)).map(({ body }) => body);
  return { bodiesOf, replace: (next: readonly ExternalLink[]) => (stored = next) };
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

beforeEach(() => notifications.clean());

describe('drawer of a client', () => {
  it('asks before it disables', async () => {
    await show();
    await userEvent.click(screen.getByRole('switch', { name: 'Enabled' }));
    expect(useActions.getState().dialog).toMatchObject({ action: 'disable', emails: ['a'] });
    useActions.getState().close();
  });

  it('tells times by the clock of the panel', async () => {
    const panelNow = Date.UTC(2040, 5, 1, 12);
    noteServerTime(panelNow);
    const { client, ...rest } = clientOf([]);
    await show({
      [`GET ${CLIENTS}/get/a`]: { ...rest, client: { ...client, expiryTime: panelNow - 3_600_000 } },
      [`GET ${CLIENTS}/traffic/a`]: { up: 1_024, down: 2_048, lastOnline: panelNow - 120_000 },
    });
    expect(screen.getByText(/2 minutes ago/)).toBeTruthy();
    expect(screen.getByText('Expired')).toBeTruthy();
    expect(screen.getByText(/2040.*1 hour ago/)).toBeTruthy();
  });

  it('shows addresses with their times and forgets them', async () => {
    const { bodiesOf } = await show();
    const row = within(await screen.findByRole('row', { name: /192\.0\.2\.7/ }));
    expect(row.getByText(/Jan 2, 2026, 3:04/)).toBeTruthy();
    await press('Clear');
    await screen.findByText(/addresses are forgotten/);
    expect(bodiesOf(`${CLIENTS}/clearIps/a`)).toHaveLength(1);
  });

  it('sets counters in the unit typed, once confirmed, and keeps the other to the byte', async () => {
    const { bodiesOf } = await show({
      [`GET ${CLIENTS}/traffic/a`]: { up: 1_024, down: 2_049, lastOnline: 0 },
    });
    expect(screen.getByText('Never online yet.')).toBeTruthy();
    await press('Edit traffic');
    const field = await screen.findByLabelText('Uploaded');
    await userEvent.clear(field);
    await userEvent.type(field, '1,5 KB');
    await press('Set counters');
    await screen.findByText(/becomes: Up 1.5 KiB, down 2 KiB/);
    expect(bodiesOf(`${CLIENTS}/updateTraffic/a`)).toEqual([]);
    const confirmation = within(await screen.findByRole('dialog', { name: 'Set the counters of a?' }));
    await userEvent.click(confirmation.getByRole('button', { name: 'Set counters' }));
    await screen.findByText('The counters of a are set.');
    expect(bodiesOf(`${CLIENTS}/updateTraffic/a`)).toEqual([{ upload: 1_536, download: 2_049 }]);
  });

  it('adds a link to those that are stored now', async () => {
    const { bodiesOf, replace } = await show();
    expect(screen.getByRole('link', { name: FEED.value }).getAttribute('href')).toBe(FEED.value);
    await press('Add link');
    await userEvent.type(await screen.findByRole('textbox', { name: 'Link' }), 'trojan://p@192.0.2.2:443');
    replace([FEED]);
    await press('Save');
    await screen.findByText('The links are saved.');
    const added = { kind: 'link', value: 'trojan://p@192.0.2.2:443', remark: '' };
    expect(bodiesOf(`${CLIENTS}/a/externalLinks`)).toEqual([{ externalLinks: [FEED, added] }]);
  });

  it('names a subscription by its host in browsers without `URL.parse`', async () => {
    const parse = Object.getOwnPropertyDescriptor(URL, 'parse');
    Reflect.deleteProperty(URL, 'parse');
    try {
      await show({}, [{ ...FEED, remark: '' }]);
      expect(await screen.findByText('feed.example')).toBeTruthy();
    } finally {
      if (parse !== undefined) Object.defineProperty(URL, 'parse', parse);
    }
  });

  it('removes a link, and puts it back where it was', async () => {
    const { bodiesOf } = await show();
    await press('Remove vless · One');
    await press('Undo');
    await screen.findByText('The links are saved.');
    expect(bodiesOf(`${CLIENTS}/a/externalLinks`)).toEqual([
      { externalLinks: [FEED] },
      { externalLinks: [LINK, FEED] },
    ]);
  });

  it('does not bring back a link that somebody else took away', async () => {
    const { bodiesOf, replace } = await show();
    await press('Edit Feed');
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), '2');
    replace([LINK]);
    await press('Save');
    expect(await screen.findByText(/changed or removed this link meanwhile/)).toBeTruthy();
    expect(bodiesOf(`${CLIENTS}/a/externalLinks`)).toEqual([]);
  });
});
