import { Notifications } from '@mantine/notifications';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { NodeVersions, Rollout } from '#contract/nodes/rollout';
import { renderPage } from '../../../testing/render-page.tsx';
import { VersionsPage } from './versions-page.tsx';

const API = '/panel/api/nodes';
const row = (more: Partial<NodeVersions>): NodeVersions => ({
  id: 1,
  name: 'one',
  enable: true,
  status: 'online',
  panelVersion: '1.0.0',
  coreVersion: '26.7.28',
  coreState: 'running',
  coreVersionBefore: '',
  panelVersionBefore: '',
  geoFiles: [{ name: 'geoip.dat', size: 1, updatedAt: 0 }],
  ...more,
});
const line = (more: Partial<Rollout['lines'][number]>): Rollout['lines'][number] => ({
  id: 1,
  name: 'one',
  wave: 0,
  state: 'updated',
  before: '26.1.1',
  after: '26.7.28',
  error: '',
  refusal: null,
  ...more,
});
const page = (
  <>
    <Notifications />
    <VersionsPage />
  </>
);
const ROWS = [
  row({}),
  row({ id: 2, name: 'two', coreVersionBefore: '26.1.1' }),
  row({ id: 3, name: 'three', status: 'offline', geoFiles: null }),
];
const show = (responses: object, address = '/') =>
  renderPage(
    page,
    {
      [`GET ${API}/versions`]: ROWS,
      [`GET ${API}/rollout`]: null,
      [`POST ${API}/rollout`]: { jobId: 'j' },
      'GET /panel/api/server/getCoreVersion': ['v26.8.1', 'v26.7.28'],
      'GET /panel/api/server/getPanelUpdateInfo': { latestVersion: '1.0.1' },
      ...responses,
    },
    address,
  );

test('updates the core of all nodes that answer, after naming the one that goes first', async () => {
  const { sent } = await show({});
  await userEvent.click(await screen.findByRole('checkbox', { name: 'All nodes that answer' }));
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /three/ }).disabled).toBe(true);
  expect(screen.getByText('before: 26.1.1')).toBeTruthy();
  const start = screen.getByRole<HTMLButtonElement>('button', { name: 'Start on 2 nodes' });
  expect(start.disabled).toBe(true);
  await userEvent.type(screen.getByRole('combobox', { name: 'Version of the core' }), 'v26.8.1');
  await userEvent.click(start);
  const confirmation = within(await screen.findByRole('dialog', { name: 'Install core v26.8.1 on 2 nodes?' }));
  expect(confirmation.getByText(/one goes first/)).toBeTruthy();
  await userEvent.click(confirmation.getByRole('button', { name: 'Start on 2 nodes' }));
  await expect
    .poll(() => sent.find(({ method, path }) => method === 'POST' && path === `${API}/rollout`)?.body)
    .toEqual({ what: 'core', ids: [1, 2], version: 'v26.8.1', dev: false, waveSize: 4 });
});

test('names the node at which it stopped, and rolls back to the version before', async () => {
  const refusal = { code: 'node.rolloutRefused', params: { text: 'no space' } };
  const rollout: Rollout = {
    jobId: 'j',
    what: 'core',
    version: 'v26.7.28',
    isBack: false,
    isRunning: false,
    lines: [
      line({}),
      line({ id: 2, name: 'two', wave: 1, state: 'failed', after: '', error: 'the node says: no space', refusal }),
      line({ id: 3, name: 'three', wave: 2, state: 'untouched', after: '' }),
    ],
  };
  const { sent } = await show({ [`GET ${API}/rollout`]: rollout });
  expect(await screen.findByText('the node says: no space')).toBeTruthy();
  expect(screen.getByText('26.1.1 → 26.7.28')).toBeTruthy();
  // A screen reader would read out all nodes with each that moves on.
  expect(screen.getByRole('status', { name: 'How far it is' }).getAttribute('aria-atomic')).toBe('false');
  await userEvent.click(screen.getByRole('button', { name: 'Go back to 26.1.1' }));
  await expect
    .poll(() => sent.find(({ method, path }) => method === 'POST' && path === `${API}/rollout`)?.body)
    .toEqual({ what: 'core', back: true, ids: [1] });
});

test.each([
  ['core', '2 nodes run another version than before, which was 26.1.1, 25.12.2.'],
  ['panel', 'install version 26.1.1, 25.12.2;'],
] as const)('names every version that the nodes ran before (%s)', async (what, sentence) => {
  const lines = [line({}), line({ id: 2, name: 'two', wave: 1, before: '25.12.2' })];
  const rollout: Rollout = { jobId: 'j', what, version: 'v26.7.28', isBack: false, isRunning: false, lines };
  await show({ [`GET ${API}/rollout`]: rollout });
  expect(await screen.findByText(sentence, { exact: false })).toBeTruthy();
  expect(screen.queryAllByRole('button', { name: 'Back to the version before' })).toHaveLength(what === 'core' ? 1 : 0);
});

test('opens with the panel of one node selected, and says that it is outdated', async () => {
  await show({}, '/?what=panel&ids=2');
  expect(await screen.findByText('Newest version: 1.0.1. 1 of the chosen nodes is older.')).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Start on 1 node' }).disabled).toBe(false);
});
