import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderPage } from '../../../testing/render-page.tsx';
import { StateSection } from './state-section.tsx';

const core = { state: 'running', errorMsg: '', version: '26.7.28', pid: 7, leftOut: [] as object[] };
const status = (more: object = {}) => ({ core: { ...core, ...more }, appStats: { uptime: 60 } });
const JOB = {
  id: 'j1',
  kind: 'installCore',
  title: 'Core v26.8.1',
  state: 'running',
  isCancelling: false,
  done: 25,
  total: 100,
  stage: 'download',
  startedAt: 0,
  finishedAt: 0,
  error: '',
  errorCode: '',
};
const RESPONSES = {
  'GET /panel/api/server/status': status(),
  'GET /panel/api/server/getCoreVersion': ['v26.8.1', 'v26.7.28'],
  'GET /panel/api/server/geoFiles': [
    { name: 'geoip.dat', size: 2048, updatedAt: 0, kind: 'ip', categories: ['cn', 'ru'] },
  ],
  'GET /panel/api/jobs': [] as object[],
};

it('installs another version after a confirmation, and shows the installed one', async () => {
  const { sent } = await renderPage(<StateSection />, {
    ...RESPONSES,
    'POST /panel/api/server/installCore/v26.8.1': { jobId: 'j1' },
  });
  await userEvent.click(await screen.findByRole('combobox', { name: 'Install another version' }));
  expect(await screen.findByRole('option', { name: 'v26.7.28 (installed)' })).toBeTruthy();
  await userEvent.click(screen.getByRole('option', { name: 'v26.8.1' }));
  await userEvent.click(screen.getByRole('button', { name: 'Install' }));
  const query = within(await screen.findByRole('dialog'));
  await userEvent.click(query.getByRole('button', { name: 'Install' }));
  await expect.poll(() => sent.at(-1)?.path).toBe('/panel/api/jobs');
  expect(sent.map(({ path }) => path)).toContain('/panel/api/server/installCore/v26.8.1');
});

it('keeps the installed version when the list cannot be fetched, and fetches it again on demand', async () => {
  let isOnline = false;
  await renderPage(<StateSection />, {
    ...RESPONSES,
    'GET /panel/api/server/getCoreVersion': () => (isOnline ? ['v26.8.1'] : new Error('Get Version (no route)')),
  });
  expect(await screen.findByText('The list of versions could not be fetched')).toBeTruthy();
  expect(screen.getByText(/26\.7\.28 stays installed/)).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  isOnline = true;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('combobox', { name: 'Install another version' })).toBeTruthy();
  expect(screen.queryByText('The list of versions could not be fetched')).toBeNull();
});

it('shows the progress of an installation, also after a reload, and cancels it', async () => {
  const { sent } = await renderPage(<StateSection />, {
    ...RESPONSES,
    'GET /panel/api/jobs': [JOB],
    'POST /panel/api/jobs/j1/cancel': { ...JOB, isCancelling: true },
  });
  expect(await screen.findByText('25%', { exact: false })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await expect.poll(() => sent.some(({ path }) => path === '/panel/api/jobs/j1/cancel')).toBe(true);
});

it('says why it failed, and where in the template the fault is', async () => {
  const template = { outbounds: [{ tag: 'exit', protocol: 'vless' }] };
  const message = 'core rejects outbound "exit": no';
  await renderPage(<StateSection />, {
    ...RESPONSES,
    'GET /panel/api/server/status': status({
      state: 'error',
      errorMsg: 'exit is broken <b>',
      pid: null,
      leftOut: [{ kind: 'inbound', name: 'in-1', reason: 'its port is taken' }],
    }),
    'GET /panel/api/core/getCoreResult': 'line before the end',
    'POST /panel/api/core/': {
      xraySetting: JSON.stringify(template),
      inboundTags: '[]',
      clientReverseTags: '[]',
      outboundTestUrl: '',
    },
    'POST /panel/api/core/preview': new Error(message, {
      cause: { issues: [{ field: 'outbounds[0]', rule: 'coreSettings.handlerRejected', message }] },
    }),
  });
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'line 3' }).getAttribute('href')).toBe('/panel/core/template?line=3');
  expect(screen.getByText(/exit is broken <b>[^]*line before the end/)).toBeTruthy();
  expect(screen.getByText('its port is taken')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Start core' })).toBeTruthy();
});
