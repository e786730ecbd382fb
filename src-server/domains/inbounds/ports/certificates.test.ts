import { createPrivateKey } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '../../../testing/for-each-test.ts';
import type { ValidationIssue } from '../../../contract/envelope.ts';
import { startInboundPanel, vlessBody, type InboundPanel } from '../../../testing/panels/inbound-panel.ts';
import { makeSelfSigned } from '../../../testing/peers/self-signed.ts';
import { certificatePairsOf } from '../../../core/config/inbound/inbound-rules.ts';
import { checkCertificates } from './certificates.ts';

const first = makeSelfSigned();
const second = makeSelfSigned();
let folder: string;
beforeEach(async () => {
  folder = await testFolder();
  await writeFile(join(folder, 'cert.pem'), first.certPem);
  await writeFile(join(folder, 'key.pem'), first.keyPem);
  await writeFile(join(folder, 'other.pem'), second.keyPem);
  await writeFile(join(folder, 'garbage.pem'), 'garbage');
});

async function check(entry: Record<string, string | string[]>): Promise<string[]> {
  const pairs = certificatePairsOf({ security: 'tls', tlsSettings: { certificates: [entry] } });
  return (await checkCertificates(pairs, folder)).map(({ field, message }) =>
    message.slice(field.length - field.split('.').at(-1)!.length),
  );
}

describe('checkCertificates', () => {
  it('accepts matching pairs, by path and inline', async () => {
    expect(await check({ certificateFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') })).toEqual([]);
    expect(await check({ certificateFile: 'cert.pem', keyFile: 'key.pem' })).toEqual([]);
    expect(await check({ certificate: first.certPem.split('\n'), key: first.keyPem.split('\n') })).toEqual([]);
    expect(await check({ certificateFile: 'cert.pem', key: first.keyPem.split('\n') })).toEqual([]);
    expect(await check({ certificateFile: 'cert.pem', usage: 'verify' })).toEqual([]);
  });

  it('accepts a key with the wrong type in its header, as the core prints them, unless it is encrypted', async () => {
    const labelled = (pem: string) => pem.replaceAll('PRIVATE KEY', 'RSA PRIVATE KEY').split('\n');
    expect(await check({ certificate: first.certPem.split('\n'), key: labelled(first.keyPem) })).toEqual([]);
    const encrypted = createPrivateKey(first.keyPem).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    }) as string;
    for (const key of [encrypted.split('\n'), labelled(encrypted.replaceAll('ENCRYPTED ', ''))])
      expect(await check({ certificate: first.certPem.split('\n'), key })).toEqual([
        'key is no unencrypted PEM private key',
      ]);
  });

  it('refuses keys of a different certificate', async () => {
    expect(await check({ certificateFile: 'cert.pem', keyFile: 'other.pem' })).toEqual([
      'keyFile does not belong to the certificate',
    ]);
    expect(await check({ certificate: first.certPem.split('\n'), key: second.keyPem.split('\n') })).toEqual([
      'key does not belong to the certificate',
    ]);
  });

  it('does not distinguish missing files from others', async () => {
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

  it('are checked before an inbound runs here, and not while it is disabled', async () => {
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

  /** Inline text, as the core takes it. */
  const inline = (made: { certPem: string; keyPem: string }) => ({
    certificate: made.certPem.trim().split('\n'),
    key: made.keyPem.trim().split('\n'),
  });
  const named = (serverName: string, certificates: object[]) => ({
    streamSettings: { network: 'tcp', security: 'tls', tlsSettings: { serverName, certificates } },
  });

  it('cause a warning when clients will refuse them: at save, and beforehand without changing anything', async () => {
    panel = await startInboundPanel({ startMs: Date.now() });
    const old = makeSelfSigned(-3);
    const certificates = join(panel.dataDir, 'cert');
    await mkdir(certificates);
    await writeFile(join(certificates, 'old.pem'), old.certPem);
    await writeFile(join(certificates, 'old.key'), old.keyPem);
    const body = {
      ...vlessBody(443),
      ...named('shop.example', [{ certificateFile: 'old.pem', keyFile: 'old.key' }, inline(makeSelfSigned(400))]),
    };
    const entry = 'streamSettings.tlsSettings.certificates';
    const warned = [
      { kind: 'expired', field: `${entry}[0].certificateFile`, file: 'old.pem' },
      { kind: 'notYetValid', field: `${entry}[1].certificate`, file: '' },
      {
        kind: 'nameMissing',
        field: 'streamSettings.tlsSettings.serverName',
        name: 'shop.example',
        names: ['localhost', '127.0.0.1'],
        message: 'the certificate is not made out to shop.example; names on it: localhost, 127.0.0.1',
      },
    ];
    expect((await panel.post('/checkCertificates', body)).obj).toMatchObject(warned);
    expect(await panel.rowCount()).toBe(0);
    const added = await panel.post('/add', body);
    expect(added.obj).toMatchObject({ certificateWarnings: warned });
    const { id } = added.obj as { id: number };
    expect((await panel.post(`/update/${id}`, body)).obj).toMatchObject({ certificateWarnings: warned });
    const good = { ...body, ...named('', [inline(makeSelfSigned(3))]) };
    expect((await panel.post(`/update/${id}`, good)).obj).toMatchObject({ certificateWarnings: [] });
  });

  it('cover a name when one of them does: exactly, by a wildcard for one label, or as an address', async () => {
    panel = await startInboundPanel({ startMs: Date.now() });
    const shop = inline(makeSelfSigned(3, { dnsNames: ['shop.example', 'www.shop.example'] }));
    const star = inline(makeSelfSigned(3, { dnsNames: ['*.cdn.example'] }));
    const missing = async (serverName: string, certificates: object[] = [shop, star]) => {
      const { obj } = await panel.post('/checkCertificates', {
        protocol: 'vless',
        ...named(serverName, certificates),
      });
      return (obj as { kind: string }[]).map(({ kind }) => kind);
    };
    for (const name of ['shop.example', 'WWW.shop.example', 'a.cdn.example', '127.0.0.1', ''])
      expect([name, await missing(name)]).toEqual([name, []]);
    for (const name of ['mail.shop.example', 'cdn.example', 'a.b.cdn.example', '127.0.0.2', 'localhost'])
      expect([name, await missing(name)]).toEqual([name, ['nameMissing']]);
    // A signing certificate issues certificates for any name; a client authority has no names to check.
    expect(await missing('other.example', [{ ...shop, usage: 'issue' }])).toEqual([]);
    expect(await missing('shop.example', [shop, { ...star, usage: 'verify' }])).toEqual([]);
    // Files of a node are read by the node.
    const onNode = { protocol: 'vless', nodeId: 3, ...named('shop.example', [{ certificateFile: '/etc/a.pem' }]) };
    expect((await panel.post('/checkCertificates', onNode)).obj).toEqual([]);
  });
});
