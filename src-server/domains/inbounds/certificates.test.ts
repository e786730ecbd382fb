import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ValidationIssue } from '../../contract/envelope.ts';
import { startInboundPanel, vlessBody, type InboundPanel } from '../../testing/inbound-panel.ts';
import { makeSelfSigned } from '../../testing/self-signed.ts';
import { certificatePairsOf } from '../../core/config/inbound-rules.ts';
import { checkCertificates } from './certificates.ts';

const first = makeSelfSigned();
const second = makeSelfSigned();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  await writeFile(join(folder, 'cert.pem'), first.certPem);
  await writeFile(join(folder, 'key.pem'), first.keyPem);
  await writeFile(join(folder, 'other.pem'), second.keyPem);
  await writeFile(join(folder, 'garbage.pem'), 'garbage');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function check(entry: Record<string, string | string[]>): Promise<string[]> {
  const pairs = certificatePairsOf({ security: 'tls', tlsSettings: { certificates: [entry] } });
  return (await checkCertificates(pairs, folder)).map(({ field, message }) =>
    message.slice(field.length - field.split('.').at(-1)!.length),
  );
}

describe('checkCertificates', () => {
  it('accepts pairs that belong together, by path and inline', async () => {
    expect(await check({ certificateFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') })).toEqual([]);
    expect(await check({ certificateFile: 'cert.pem', keyFile: 'key.pem' })).toEqual([]);
    expect(await check({ certificate: first.certPem.split('\n'), key: first.keyPem.split('\n') })).toEqual([]);
    expect(await check({ certificateFile: 'cert.pem', key: first.keyPem.split('\n') })).toEqual([]);
    expect(await check({ certificateFile: 'cert.pem', usage: 'verify' })).toEqual([]);
  });

  it('refuses keys of another certificate', async () => {
    expect(await check({ certificateFile: 'cert.pem', keyFile: 'other.pem' })).toEqual([
      'keyFile does not belong to the certificate',
    ]);
    expect(await check({ certificate: first.certPem.split('\n'), key: second.keyPem.split('\n') })).toEqual([
      'key does not belong to the certificate',
    ]);
  });

  it('does not tell missing files from others', async () => {
    const said = [];
    for (const file of ['missing.pem', 'garbage.pem', '.', '/dev/zero'])
      said.push(await check({ certificateFile: file, keyFile: file }));
    expect(new Set(said.map((lines) => lines.join()))).toHaveProperty('size', 1);
    expect(said[0]).toEqual([
      'certificateFile names no readable PEM certificate; check the path and that the panel may read it',
      'keyFile names no readable, unencrypted PEM private key; check the path and that the panel may read it',
    ]);
  });

  it('refuses inline garbage', async () => {
    expect(await check({ certificate: ['x'], key: ['y'] })).toEqual([
      'certificate is no PEM certificate',
      'key is no unencrypted PEM private key',
    ]);
  });
});

describe('certificates over HTTP', () => {
  let panel: InboundPanel;
  afterEach(() => panel.close());
  const tls = (certificates: object[]) =>
    vlessBody(443, { streamSettings: { network: 'tcp', security: 'tls', tlsSettings: { certificates } } });

  it('are checked before an inbound runs here, and not while it is off', async () => {
    panel = await startInboundPanel();
    const bad = tls([{ certificateFile: '/nowhere/c.pem', keyFile: '/nowhere/k.pem' }]);
    const refused = await panel.post('/add', bad);
    expect((refused.obj as { issues: ValidationIssue[] }).issues.map(({ field }) => field)).toEqual([
      'streamSettings.tlsSettings.certificates[0].certificateFile',
      'streamSettings.tlsSettings.certificates[0].keyFile',
    ]);
    expect(await panel.rowCount()).toBe(0);
    const { id } = await panel.added({ ...bad, enable: false });
    expect((await panel.post(`/setEnable/${id}`, { enable: true })).success).toBe(false);
    await panel.post(
      `/update/${id}`,
      tls([{ certificateFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }]),
    );
    expect((await panel.get(`/get/${id}`)).obj).toMatchObject({ enable: true });
  });
});
