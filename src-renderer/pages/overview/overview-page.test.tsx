import { screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { renderPage } from '../../testing/render-page.tsx';
import { nodeRow } from '../nodes/testing-node.ts';
import { OverviewPage } from './overview-page.tsx';

// Drawing needs a canvas, which the simulated browser lacks.
vi.mock('uplot', () => ({
  default: class {
    data = [[]];
    setData() {}
    setCursor() {}
    destroy() {}
  },
}));

const amount = (current: number) => ({ current, total: 100 });
const CORE = { state: 'running', errorMsg: '', version: '26.7.28', pid: 7, leftOut: [] as object[] };
const status = (core: object = {}, more: object = {}) => ({
  cpu: 5,
  mem: amount(10),
  swap: amount(0),
  disk: amount(20),
  load: { load1: 1, load5: 2, load15: 3 },
  tcpCount: 1234,
  netIO: { up: 1, down: 2 },
  uptime: 90_000,
  panelVersion: '0.1.0',
  web: { problem: '' },
  core: { ...CORE, ...core },
  appStats: { uptime: 60, mem: 1024 },
  ...more,
});
const ENDING = { field: 'x', file: '', at: Date.UTC(2026, 0, 5, 12), name: '', names: [], message: '' };
const INBOUND = { id: 4, remark: 'Old door', tag: 'in-4', expiryTime: 1, total: 0, up: 0, down: 0 };
const RESPONSES = {
  'GET /panel/api/server/status': status(),
  'GET /panel/api/server/histories/2': {},
  'GET /panel/api/server/histories/30': {},
  'GET /panel/api/server/histories/60': {},
  'GET /panel/api/server/histories/300': {},
  'GET /panel/api/clients/list/paged': {
    summary: {
      total: 0,
      onlineCount: 0,
      depletedCount: 0,
      exhaustedCount: 0,
      expiredCount: 0,
      expiringCount: 0,
      deactiveCount: 0,
    },
  },
  'GET /panel/api/inbounds/list/counted': [],
  'GET /panel/api/server/certificates': [],
  'GET /panel/api/checklist/list': [],
  'GET /panel/api/core/outbound-subs': [],
  'GET /panel/api/jobs': [],
  'GET /panel/api/nodes/list': [],
  'GET /panel/api/server/getPanelUpdateInfo': { updateAvailable: false },
};

beforeEach(() => localStorage.clear());

test('shows figures of the machine and of the panel, with links', async () => {
  await renderPage(<OverviewPage />, RESPONSES);
  expect(await screen.findByText('TCP connections')).toBeTruthy();
  expect(screen.getByText('1,234')).toBeTruthy();
  expect(await screen.findByText(/Version 0\.1\.0 · machine up 1d 1h/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Backup' }).getAttribute('href')).toBe('/panel/settings/backup');
  expect(await screen.findByText('Nothing needs attention.')).toBeTruthy();
});

test('counts of clients lead to lists of as many', async () => {
  const paged = RESPONSES['GET /panel/api/clients/list/paged'];
  const summary = { ...paged.summary, total: 9, expiredCount: 4, deactiveCount: 3 };
  await renderPage(<OverviewPage />, { ...RESPONSES, 'GET /panel/api/clients/list/paged': { summary } });
  const link = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');
  expect(await link('4 Expired')).toBe('/panel/clients?status=expired');
  // Those that are depleted or expired are disabled, too, but are not counted here.
  expect(await link('3 Disabled')).toBe('/panel/clients?status=disabled');
});

test('a core that restarted by itself shows how often and links to its output', async () => {
  const restarted = status({ restarts: 2, lastRestart: Date.UTC(2026, 0, 5, 12) });
  await renderPage(<OverviewPage />, { ...RESPONSES, 'GET /panel/api/server/status': restarted });
  expect(await screen.findByText(/^Restarted 2 times by itself, last at Jan 5, 2026/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'What it logged before' }).getAttribute('href')).toBe('/panel/core/state');
});

test('lists everything that does not work, with the page that fixes it', async () => {
  const leftOut = [{ kind: 'inbound', name: 'in-9', reason: 'its port is taken' }];
  await renderPage(<OverviewPage />, {
    ...RESPONSES,
    'GET /panel/api/server/status': status({ leftOut }, { web: { problem: 'port 443 is closed' }, disk: amount(99) }),
    'GET /panel/api/inbounds/list/counted': [
      INBOUND,
      { ...INBOUND, id: 5, remark: 'Full door', expiryTime: 0, total: 10, up: 6, down: 4 },
      { ...INBOUND, id: 6, remark: 'Fine door', expiryTime: 0, total: 10, up: 1, down: 1 },
    ],
    'GET /panel/api/server/certificates': [
      { owner: 'panel', inboundId: 0, name: '', warnings: [{ ...ENDING, kind: 'expiring', file: '/etc/p.pem' }] },
      { owner: 'subscription', inboundId: 0, name: '', warnings: [] },
      { owner: 'inbound', inboundId: 4, name: 'Shop', warnings: [{ ...ENDING, kind: 'expired' }] },
    ],
    'GET /panel/api/nodes/list': [
      nodeRow({ id: 1 }),
      nodeRow({ id: 2, name: 'Away', status: 'offline', lastError: 'timed out', syncError: 'port 443 is taken' }),
      nodeRow({ id: 3, name: 'Paused', status: 'offline', enable: false, lastError: 'timed out' }),
      nodeRow({ id: 0, name: 'Deep', coreState: 'error', coreError: 'no config', transitive: true }),
    ],
    'GET /panel/api/core/outbound-subs': [
      { id: 1, remark: 'Far list', url: 'https://a.b', enabled: true, lastError: 'no answer' },
      { id: 2, remark: 'Paused list', url: 'https://a.b', enabled: false, lastError: 'no answer' },
    ],
    'GET /panel/api/jobs': [
      { id: 'j', title: 'Core v1', state: 'failed', error: 'broken archive', finishedAt: Date.now() },
      { id: 'k', title: 'Core v0', state: 'failed', error: 'long ago', finishedAt: 5 },
    ],
    'GET /panel/api/server/getPanelUpdateInfo': { updateAvailable: true, latestVersion: '0.2.0' },
  });
  const list = within(await screen.findByRole('region', { name: 'Needs attention' }));
  await list.findByText(/Version 0\.2\.0 of the panel is out/);
  await list.findByText(/broken archive/);
  const words = list.getAllByRole('listitem').map((item) => item.textContent);
  expect(words).toEqual([
    'port 443 is closed Open',
    'in-9: its port is taken Open',
    'The disk with the panel’s data is nearly full. Open',
    'Old door: It has expired; nobody can connect. Open',
    'Full door: Its traffic is used up; nobody can connect. Open',
    'This panel: \u2068/etc/p.pem\u2069: The certificate expires on Jan 5, 2026. Open',
    'Shop: The certificate expired on Jan 5, 2026. Open',
    'Away: The node does not answer: timed out Open',
    'Away: The node refuses a change: port 443 is taken Open',
    'Deep: The core of the node does not run: no config Open',
    'Far list: no answer Open',
    'Core v1: broken archive ',
    'Version 0.2.0 of the panel is out. Open',
  ]);
  expect(list.getByRole('link', { name: 'Open: Old door' }).getAttribute('href')).toBe('/panel/inbounds/4');
  expect(list.getByRole('link', { name: 'Open: This panel' }).getAttribute('href')).toBe(
    '/panel/settings/general?q=webCertFile',
  );
});

// The part about the last error is loaded on first use.
beforeAll(() => import('../core/state/last-error.tsx'));

test('a core that failed shows why and on which line of the template', async () => {
  const template = { outbounds: [{ tag: 'exit', protocol: 'vless' }] };
  const message = 'core rejects outbound "exit": no';
  await renderPage(<OverviewPage />, {
    ...RESPONSES,
    'GET /panel/api/server/status': status({ state: 'error', errorMsg: 'exit is broken', pid: null }),
    'GET /panel/api/core/getCoreResult': 'last words',
    'POST /panel/api/core/': {
      xraySetting: JSON.stringify(template),
      inboundTags: '[]',
      clientReverseTags: '[]',
      outboundTestUrl: '',
    },
    'POST /panel/api/core/preview': new Error(message, {
      cause: { issues: [{ field: 'outbounds[0]', rule: 'core', message }] },
    }),
  });
  expect(await screen.findByText('The core has failed')).toBeTruthy();
  const line = await screen.findByRole('link', { name: 'line 3' });
  expect(line.getAttribute('href')).toBe('/panel/core/template?line=3');
  expect(screen.getByText(/exit is broken[^]*last words/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Read its log' }).getAttribute('href')).toBe('/panel/logs?source=core');
});

test('a list that cannot be read needs attention, too: nobody is told that all is well', async () => {
  await renderPage(<OverviewPage />, {
    ...RESPONSES,
    'GET /panel/api/nodes/list': new Error('the disk is full'),
    'GET /panel/api/server/certificates': new Error('no such file'),
  });
  const list = within(await screen.findByRole('region', { name: 'Needs attention' }));
  const matters = () => list.getAllByRole('listitem').map(({ textContent }) => textContent.trim());
  await expect.poll(matters).toEqual(['Nodes: the disk is full Open', 'Certificates: no such file Open']);
  expect(list.queryByText('Nothing needs attention.')).toBeNull();
});
