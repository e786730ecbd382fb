import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import type { SettingsView } from '#contract/settings';
import type { CertificateWarning } from '#wire/certificate-warning';
import { renderPage } from '../../testing/render-page.tsx';
import { EventGrid } from './notifications/event-grid.tsx';
import { SettingsBar } from './save-bar.tsx';
import { setSetting, settingsDraft } from './settings-draft.ts';

const STORED = {
  webPort: 2053,
  webBasePath: '/',
  webDomain: '',
  webCertFile: '',
  webKeyFile: '',
  startOptions: {},
} as SettingsView;
const EXPIRED: CertificateWarning = {
  kind: 'expired',
  field: 'subCertFile',
  file: '/etc/sub.pem',
  at: Date.UTC(2026, 0, 5, 12),
  name: '',
  names: [],
  message: '',
};

afterEach(() => settingsDraft.getState().discard());

it('lists certificates that will be refused, and a second click saves all the same', async () => {
  setSetting('subCertFile', '/etc/sub.pem', STORED);
  setSetting('pageSize', 50, STORED);
  const { sent } = await renderPage(<SettingsBar stored={STORED} />, {
    'POST /panel/api/setting/checkCertificates': [EXPIRED],
    'POST /panel/api/setting/update': null,
  });
  const bodies = (call: string): unknown[] => sent.filter(({ path }) => path.endsWith(call)).map(({ body }) => body);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(/sub\.pem.*The certificate expired on Jan 5, 2026\./);
  expect(bodies('/checkCertificates')).toEqual([{ subCertFile: '/etc/sub.pem' }]);
  expect(bodies('/update')).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Save anyway' }));
  await expect.poll(() => bodies('/update')).toEqual([{ subCertFile: '/etc/sub.pem', pageSize: 50 }]);
});

it('discards nothing once the save has begun with its certificates', async () => {
  setSetting('subCertFile', '/etc/sub.pem', STORED);
  await renderPage(<SettingsBar stored={STORED} />, {
    'POST /panel/api/setting/checkCertificates': () => new Promise(() => undefined),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByRole('button', { name: 'Discard' })).toHaveProperty('disabled', true);
});

it('keeps what was typed during the save', async () => {
  setSetting('pageSize', 50, STORED);
  setSetting('webDomain', 'panel.example.org', STORED);
  let respond = (): void => undefined;
  const { sent } = await renderPage(<SettingsBar stored={STORED} />, {
    'POST /panel/api/setting/checkCertificates': [],
    'POST /panel/api/setting/update': () => new Promise<void>((resolve) => (respond = resolve)),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => sent.at(-1)?.body).toEqual({ pageSize: 50, webDomain: 'panel.example.org' });
  setSetting('pageSize', 500, STORED);
  setSetting('webPort', 2054, STORED);
  respond();
  await expect.poll(() => settingsDraft.getState().draft).toEqual({ pageSize: 500, webPort: 2054 });
});

it('keeps what was typed back to its old value during the save', async () => {
  setSetting('pageSize', 50, { ...STORED, pageSize: 25 });
  let respond = (): void => undefined;
  const { sent } = await renderPage(<SettingsBar stored={{ ...STORED, pageSize: 25 }} />, {
    'POST /panel/api/setting/checkCertificates': [],
    'POST /panel/api/setting/update': () => new Promise<void>((resolve) => (respond = resolve)),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => sent.at(-1)?.body).toEqual({ pageSize: 50 });
  setSetting('pageSize', 25, { ...STORED, pageSize: 25 });
  respond();
  await expect.poll(() => settingsDraft.getState().draft).toEqual({ pageSize: 25 });
});

it('shows at once in the grid of events that a channel has been turned on', async () => {
  setSetting('smtpEnable', true, { ...STORED, smtpEnable: false });
  let isOn = false;
  await renderPage(
    <>
      <EventGrid />
      <SettingsBar stored={{ ...STORED, smtpEnable: false }} />
    </>,
    {
      'GET /panel/api/events/subscribers': () => [
        { name: 'email', label: '', setting: '', kinds: [], offers: [], isOn, waiting: 0, dead: 0, lastError: '' },
      ],
      'POST /panel/api/setting/checkCertificates': [],
      'POST /panel/api/setting/update': () => (isOn = true),
    },
  );
  expect(await screen.findByText('off')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => screen.queryByText('off')).toBeNull();
});
