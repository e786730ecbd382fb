import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { Certificate } from '#contract/certificates';
import { renderPage } from '../../../testing/render-page.tsx';
import { settingsDraft } from '../settings-draft.ts';
import { CertificateChoice } from './certificate-choice.tsx';
import { CertificatesSection } from './certificates-section.tsx';
import { daysLeft, stateOf } from './certificate-state.ts';

const DAY_MS = 86_400_000;
const nowMs = Date.now();
const FACTS = {
  names: ['a.example.com'],
  issuer: 'R1',
  validFrom: nowMs - 60 * DAY_MS,
  validTo: nowMs + 30.5 * DAY_MS,
  pin: 'ab'.repeat(32),
};
const CERTIFICATE: Certificate = {
  id: 3,
  name: 'Web',
  source: 'acme',
  names: ['a.example.com'],
  keyType: 'ec256',
  directory: 'letsencrypt',
  directoryUrl: '',
  allowPrivate: false,
  email: '',
  termsAgreed: true,
  eabKid: '',
  challenge: 'http-01',
  challengeAddress: '',
  challengePort: 0,
  dnsHook: '',
  dnsArguments: [],
  dnsWaitSeconds: 30,
  hasEabHmacKey: false,
  file: '/data/cert/panel-1.pem',
  facts: FACTS,
  isRevoked: false,
  renewsAt: nowMs + DAY_MS,
  lastFailure: null,
  jobId: '',
  usedBy: [{ owner: 'inbound', inboundId: 7, name: 'Door' }],
};
const list = (...certificates: Certificate[]) => ({ certificates, dnsHooks: [], dnsHookFolder: '/data/dns-hooks' });
const LIST = 'GET /panel/api/certificates/list';

it('shows the state of each, follows an order and cancels it', async () => {
  const failure = { at: nowMs, isUnasked: true, reason: 'the authority is not reached: x' };
  const job = {
    id: 'j1',
    kind: 'obtainCertificate',
    title: 'Busy',
    state: 'running',
    isCancelling: false,
    done: 2,
    total: 5,
    stage: 'prove',
    startedAt: nowMs,
    finishedAt: 0,
    error: '',
    errorCode: '',
  };
  const { sent } = await renderPage(<CertificatesSection />, {
    [LIST]: list(
      CERTIFICATE,
      { ...CERTIFICATE, id: 4, name: 'Failing', lastFailure: failure, usedBy: [] },
      { ...CERTIFICATE, id: 5, name: 'Busy', facts: null, renewsAt: 0, jobId: 'j1' },
    ),
    'GET /panel/api/jobs': [job],
    'POST /panel/api/jobs/j1/cancel': { ...job, isCancelling: true },
  });
  const row = async (name: string) => within((await screen.findByText(name)).closest('tr')!);
  expect((await row('Web')).getByText('Valid, 30 days left')).toBeTruthy();
  expect((await row('Web')).getByText('Door')).toBeTruthy();
  expect((await row('Failing')).getByText(/the authority is not reached: x/)).toBeTruthy();
  const busy = await row('Busy');
  expect(busy.getByText('Not obtained yet')).toBeTruthy();
  expect(await busy.findByText('Answer to the challenge')).toBeTruthy();
  await userEvent.click(busy.getByRole('button', { name: 'Cancel: Busy' }));
  await expect.poll(() => sent.some(({ path }) => path.endsWith('/j1/cancel'))).toBe(true);

  await userEvent.click(screen.getByRole('button', { name: 'Actions for Web' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Use for the web interface' }));
  expect(settingsDraft.getState().draft).toEqual({ webCertFile: CERTIFICATE.file, webKeyFile: CERTIFICATE.file });
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Web' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Pin and file' }));
  const details = within(await screen.findByRole('dialog'));
  expect(details.getByDisplayValue(FACTS.pin)).toBeTruthy();
  expect(details.getByDisplayValue('/data/cert/panel-1.pem')).toBeTruthy();
});

it('saves a new one and obtains it; a refusal is at its field', async () => {
  let saves = 0;
  const refusal = Object.assign(new Error('no'), {
    cause: { issues: [{ field: 'termsAgreed', rule: 'x', message: 'the terms must be agreed to' }] },
  });
  const { sent } = await renderPage(
    <CertificatesSection />,
    {
      [LIST]: list(),
      'POST /panel/api/certificates/save': () => (++saves === 1 ? refusal : { id: 9 }),
      'POST /panel/api/certificates/obtain/9': { jobId: 'j' },
    },
    '/?certificate=new',
  );
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByRole('combobox', { name: /^Names/ }), 'b.example.com,c.example.com,');
  await userEvent.click(dialog.getByRole('button', { name: 'Save and obtain' }));
  expect(await dialog.findByText('the terms must be agreed to')).toBeTruthy();
  await userEvent.click(dialog.getByRole('checkbox', { name: /terms of service/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save and obtain' }));
  await expect.poll(() => sent.some(({ path }) => path.endsWith('/obtain/9'))).toBe(true);
  expect(sent.findLast(({ path }) => path.endsWith('/save'))?.body).toMatchObject({
    name: 'b.example.com',
    names: ['b.example.com', 'c.example.com'],
    directory: 'letsencrypt',
    challenge: 'http-01',
    termsAgreed: true,
  });
});

it('is set for both paths at once', async () => {
  const chosen: string[] = [];
  await renderPage(<CertificateChoice certificateFile="" keyFile="" onChoose={(file) => chosen.push(file)} />, {
    [LIST]: list(CERTIFICATE, { ...CERTIFICATE, id: 4, name: 'Not there yet', facts: null }),
  });
  await userEvent.click(await screen.findByRole('combobox', { name: 'Certificate of the panel' }));
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual(['Web']);
  await userEvent.click(screen.getByRole('option', { name: 'Web' }));
  expect(chosen).toEqual(['/data/cert/panel-1.pem']);
});

it('knows when expiry is near', () => {
  const at = (days: number, more: object = {}) =>
    stateOf({ facts: { ...FACTS, validTo: nowMs + days * DAY_MS }, isRevoked: false, ...more }, nowMs);
  expect([at(30), at(10), at(0), at(30, { isRevoked: true }), at(1, { facts: null })]).toEqual([
    'valid',
    'ending',
    'expired',
    'revoked',
    'none',
  ]);
  expect(daysLeft({ ...FACTS, validTo: nowMs - DAY_MS }, nowMs)).toBe(0);
});
