import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { forAllTests } from '../../testing/for-each-test.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';
import { makeSelfSigned, type SelfSigned } from '../../testing/peers/self-signed.ts';

const panel = forAllTests(() => openPanel({ startMs: Date.now() }));

const call = (method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> =>
  method === 'GET' ? panel.read(`/${path}`) : panel.done(`/${path}`, body);

async function stored(name: string, { certPem, keyPem }: SelfSigned): Promise<{ cert: string; key: string }> {
  const [cert, key] = [join(panel.dataDir, `${name}.crt`), join(panel.dataDir, `${name}.key`)];
  await writeFile(cert, certPem);
  await writeFile(key, keyPem);
  return { cert, key };
}

it("are listed with their problems, the panel's first, and their files can be hashed", async () => {
  const web = await stored('web', makeSelfSigned(13));
  const sub = await stored('sub', makeSelfSigned(60));
  await call('POST', 'setting/update', { webCertFile: web.cert, webKeyFile: web.key });
  await call('POST', 'setting/update', { subCertFile: sub.cert, subKeyFile: sub.key, subDomain: 'sub.example' });
  const old = makeSelfSigned(-1);
  const tls = (more: object) => ({
    network: 'tcp',
    security: 'tls',
    tlsSettings: { certificates: [{ certificate: old.certPem.split('\n'), key: old.keyPem.split('\n') }], ...more },
  });
  const inbound = (port: number, streamSettings: object, enable = true) => ({
    enable,
    remark: `Inbound ${port}`,
    port,
    protocol: 'vless',
    settings: { decryption: 'none', encryption: 'none' },
    streamSettings,
  });
  await call('POST', 'inbounds/add', inbound(23_461, tls({ serverName: 'shop.example' })));
  await call('POST', 'inbounds/add', inbound(23_462, tls({}), false));
  await call('POST', 'inbounds/add', inbound(23_463, { network: 'tcp', security: 'none' }));

  expect(await call('GET', 'server/certificates')).toMatchObject([
    { owner: 'panel', name: '', warnings: [{ kind: 'expiring', file: web.cert }] },
    { owner: 'subscription', name: '', warnings: [{ kind: 'nameMissing', name: 'sub.example' }] },
    { owner: 'inbound', name: 'Inbound 23461', warnings: [{ kind: 'expired' }, { kind: 'nameMissing' }] },
  ]);
  await writeFile(web.cert, 'gone');
  expect(await call('GET', 'server/certificates')).toMatchObject([{ warnings: [{ kind: 'unreadable' }] }, {}, {}]);
  expect(await call('POST', 'server/getCertHash', { certFile: sub.cert })).toHaveLength(1);
});
