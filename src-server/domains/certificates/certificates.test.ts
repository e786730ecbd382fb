import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';
import type { Certificate } from './contract.ts';

const panel = forEachTest(() => openPanel({ startMs: Date.now() }));

const ACME = { name: 'Web', names: ['a.example.com'], termsAgreed: true };
const all = async (): Promise<Certificate[]> =>
  (await panel.read<{ certificates: Certificate[] }>('/certificates/list')).certificates;
const save = (body: object) => panel.done<{ id: number }>('/certificates/save', body);
const idle = async (): Promise<Certificate[]> => {
  await expect.poll(async () => (await all()).every(({ jobId }) => jobId === '')).toBe(true);
  return all();
};

async function shownPin(url: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerX509Certificate()!;
  socket.destroy();
  return fingerprint256.replaceAll(':', '').toLowerCase();
}

test.each([
  ['names[0]', 'certificate.badName', { names: ['not a name'] }],
  ['names[0]', 'certificate.badName', { names: ['localhost'] }],
  ['names[1]', 'certificate.address', { names: ['a.example.com', '192.0.2.1'] }],
  ['names[0]', 'certificate.wildcard', { names: ['*.example.com'] }],
  ['directoryUrl', 'certificate.directoryUrl', { directory: 'custom', directoryUrl: 'http://ca.example.com' }],
  ['termsAgreed', 'certificate.terms', { termsAgreed: false }],
  ['eabKid', 'certificate.eabMissing', { directory: 'zerossl' }],
  ['eabHmacKey', 'certificate.eabKey', { eabKid: 'k', eabHmacKey: 'not base64url!' }],
  ['challengeAddress', 'certificate.listenAddress', { challengeAddress: 'eth0' }],
  ['dnsHook', 'certificate.hook', { challenge: 'dns-01', dnsHook: '../../bin/sh' }],
  ['email', 'field.email', { email: 'nobody' }],
  ['name', 'field.required', { name: ' ' }],
])('%s is refused: %s', async (field, code, more) => {
  const response = await panel.post('/certificates/save', { ...ACME, ...more });
  expect(response).toMatchObject({ success: false, obj: { issues: [{ field, code }] } });
  expect(await all()).toEqual([]);
});

test('a self-signed certificate is available at once, is served, and cannot be deleted while in use', async () => {
  const { id } = await save({ name: 'Own', source: 'selfSigned', names: ['Bücher.example', '192.0.2.7', '::1'] });
  const [made] = await idle();
  const { file, facts } = made!;
  expect(made).toMatchObject({ id, renewsAt: 0, lastFailure: null, usedBy: [], isRevoked: false });
  expect(facts).toMatchObject({ names: ['xn--bcher-kva.example', '192.0.2.7', '0:0:0:0:0:0:0:1'] });
  expect((facts!.validTo - panel.clock()) / 86_400_000).toBeCloseTo(3_650, 0);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(new X509Certificate(await readFile(file)).fingerprint256.replaceAll(':', '').toLowerCase()).toBe(facts!.pin);
  expect((await panel.post('/certificates/save', { ...ACME, name: 'own' })).error).toEqual({
    code: 'certificate.nameTaken',
    params: {},
  });

  await panel.set({ subCertFile: file, subKeyFile: file });
  const security = { network: 'tcp', security: 'tls' };
  const certificates = [{ certificateFile: file, keyFile: file }];
  await panel.inbound(4433, { remark: 'Door', streamSettings: { ...security, tlsSettings: { certificates } } });
  await expect.poll(() => shownPin(panel.app.sub)).toBe(facts!.pin);
  expect((await all())[0]?.usedBy).toEqual([
    { owner: 'subscription', inboundId: 0, name: '' },
    { owner: 'inbound', inboundId: 1, name: 'Door' },
  ]);
  const refused = async () => (await panel.post(`/certificates/delete/${id}`)).error;
  expect(await refused()).toEqual({ code: 'certificate.inUseBySubscription', params: {} });
  await panel.set({ subCertFile: '', subKeyFile: '' });
  expect(await refused()).toEqual({ code: 'certificate.inUse', params: { inbounds: '"Door"' } });
  expect((await panel.post(`/certificates/revoke/${id}`)).error?.code).toBe('certificate.selfSignedRevoke');

  await panel.done('/inbounds/del/1');
  await panel.done(`/certificates/delete/${id}`);
  expect(await all()).toEqual([]);
  expect(await readdir(join(panel.dataDir, 'cert'))).toEqual([]);
  expect((await panel.post(`/certificates/delete/${id}`)).error?.code).toBe('certificate.unknown');
});

test('of two saves at once under one name, one is refused', async () => {
  const one = { ...ACME, source: 'selfSigned' };
  const responses = await Promise.all([1, 2, 3].map(() => panel.post('/certificates/save', one)));
  expect(responses.map(({ error }) => error?.code ?? 'saved').toSorted()).toEqual([
    'certificate.nameTaken',
    'certificate.nameTaken',
    'saved',
  ]);
  expect(await idle()).toHaveLength(1);
});

test('listeners switch to a new certificate at once', async () => {
  const { id } = await save({ name: 'Own', source: 'selfSigned', names: ['a.example'], keyType: 'ec384' });
  const [first] = await idle();
  await panel.set({ subCertFile: first!.file, subKeyFile: first!.file });
  await expect.poll(() => shownPin(panel.app.sub)).toBe(first!.facts!.pin);
  await panel.done(`/certificates/obtain/${id}`);
  const [second] = await idle();
  expect(second!.facts!.pin).not.toBe(first!.facts!.pin);
  expect(await shownPin(panel.app.sub)).toBe(second!.facts!.pin);
});

test('an authority is dialled through the guarded dialer, and a failure gives the reason', async () => {
  const { id } = await save({ ...ACME, directory: 'custom', directoryUrl: 'https://127.0.0.1:1/dir' });
  await panel.done(`/certificates/obtain/${id}`);
  const [failed] = await idle();
  expect(failed).toMatchObject({
    facts: null,
    renewsAt: 0,
    lastFailure: {
      code: 'certificate.private',
      params: { host: '127.0.0.1', address: '127.0.0.1' },
      isUnasked: false,
      at: panel.clock(),
    },
  });
  await panel.done('/certificates/save', {
    ...ACME,
    id,
    directory: 'custom',
    directoryUrl: 'https://127.0.0.1:1/',
    allowPrivate: true,
  });
  await panel.done(`/certificates/obtain/${id}`);
  expect((await idle())[0]?.lastFailure?.code).toBe('certificate.unreachable');
  expect(panel.events.filter((event) => event.type === 'happened')).toEqual([]);
});

test('a failed renewal is reported once, and retried after growing pauses', async () => {
  await save({ ...ACME, directory: 'custom', directoryUrl: 'https://127.0.0.1:1/dir' });
  panel.write('UPDATE certificates SET isObtained = 1');
  const happened = () => panel.events.filter((event) => event.type === 'happened');
  const at = async (): Promise<number> => (await idle())[0]?.lastFailure?.at ?? 0;
  const start = panel.clock();
  await panel.advance(10_000);
  await expect.poll(at).toBe(start + 10_000);
  expect(happened()).toEqual([
    {
      type: 'happened',
      kind: 'certificate.failed',
      facts: {
        name: 'Web',
        error: expect.stringContaining('internal network') as string,
        errorCode: 'certificate.private',
        errorParams: '{"host":"127.0.0.1","address":"127.0.0.1"}',
        expiresAtMs: 0,
        nextTryAtMs: start + 10_000 + 3_600_000,
      },
    },
  ]);
  await panel.advance(50 * 60_000);
  expect(await at()).toBe(start + 10_000);
  await panel.advance(30 * 60_000);
  await expect.poll(at).toBeGreaterThan(start + 3_600_000);
  expect((await all())[0]?.renewsAt).toBeGreaterThan(panel.clock() + 3_600_000);
  expect(happened()).toHaveLength(1);
});

test('the programs for DNS records are those of the folder', async () => {
  const folder = join(panel.dataDir, 'dns-hooks');
  await expect.poll(() => stat(folder).then(({ mode }) => mode & 0o777)).toBe(0o700);
  await writeFile(join(folder, 'records'), '#!/bin/sh\n');
  await chmod(join(folder, 'records'), 0o700);
  expect(await panel.read('/certificates/list')).toMatchObject({ dnsHooks: ['records'], dnsHookFolder: folder });
  await save({ ...ACME, names: ['*.Example.com.', '*.example.com'], challenge: 'dns-01', dnsHook: 'records' });
  expect((await all())[0]?.names).toEqual(['*.example.com']);
});

test('the key of an external account is sealed, kept with its account, and never returned', async () => {
  const body = { ...ACME, directory: 'zerossl', eabKid: 'kid' };
  const { id } = await save({ ...body, eabHmacKey: 'c2VjcmV0LWtleQ' });
  expect((await all())[0]).toMatchObject({ hasEabHmacKey: true, eabKid: 'kid' });
  await save({ ...body, id, name: 'Renamed' });
  const response = await panel.post('/certificates/save', { ...body, id, eabKid: 'other' });
  expect(response.error?.code).toBe('certificate.eabMissing');
  const rows = await panel.store.reader.selectFrom('certificates').selectAll().execute();
  expect(rows[0]).toMatchObject({ name: 'Renamed', eabHmacKey: expect.stringMatching(/^v1:/) as string });
  expect(JSON.stringify([rows, await all()])).not.toContain('c2VjcmV0');
});
