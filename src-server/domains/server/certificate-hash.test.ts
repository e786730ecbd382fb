import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createPlain, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testFolder } from '../../testing/for-each-test.ts';
import { createKeyGenerators } from '../../core/keys/key-generators.ts';
import type { Caller } from '../../http/guards/caller.ts';
import { createGuardedDialer } from '../../net/guarded-dialer.ts';
import { makeSelfSigned } from '../../testing/peers/self-signed.ts';
import { serveRoutes, type ServedRoutes } from '../../testing/peers/serve-routes.ts';
import { certificateFilesIn } from './certificate-files.ts';
import { createCertificateHashes } from './certificate-hash.ts';
import { serverRoutes } from './routes.ts';
import type { ServerService } from './service.ts';
import { texts } from './texts.ts';

const BASE = '/panel/api/server';
const one = makeSelfSigned();
const two = makeSelfSigned(5);
const hashOf = (pem: string): string => createHash('sha256').update(new X509Certificate(pem).raw).digest('hex');
const der = (pem: string): Buffer => new X509Certificate(pem).raw;

let folder = '';
let named: string[];
let panel: ServedRoutes;
let servers: Server[];

async function serve(caller?: Caller): Promise<void> {
  const hashes = createCertificateHashes({ namedFiles: async () => named, dialer: createGuardedDialer() });
  const keys = createKeyGenerators({ runCore: async () => '' });
  const mount = (ctx: Parameters<typeof serverRoutes>[0]): void => serverRoutes(ctx, {} as ServerService, keys, hashes);
  panel = await serveRoutes(mount, { ...texts, 'request.invalid': 'request body failed validation' }, caller);
}
beforeEach(async () => {
  folder = await testFolder();
  named = [join(folder, 'chain.pem')];
  servers = [];
  writeFileSync(join(folder, 'chain.pem'), `${one.certPem}${one.keyPem}# text\n${two.certPem}`);
  await serve();
});
afterEach(async () => {
  await panel.close();
  for (const server of servers) {
    server.close();
    await once(server, 'close');
  }
});

const local = async (form: Record<string, string>) => panel.post(`${BASE}/getCertHash`, new URLSearchParams(form));
const remote = async (server: string) => panel.post(`${BASE}/getRemoteCertHash`, new URLSearchParams({ server }));

it('hashes every certificate of a configured file, in order, and leaves keys out', async () => {
  const both = [hashOf(one.certPem), hashOf(two.certPem)];
  expect(await local({ certFile: join(folder, 'chain.pem') })).toMatchObject({ success: true, obj: both });
  expect((await local({ certFile: `${folder}/x/../chain.pem`, certContent: two.certPem })).obj).toEqual(both);
});

it('hashes PEM, and DER in base64, one after the other', async () => {
  expect((await local({ certContent: two.certPem, certFile: ' ' })).obj).toEqual([hashOf(two.certPem)]);
  const content = Buffer.concat([der(one.certPem), der(two.certPem)]).toString('base64');
  expect((await local({ certContent: content })).obj).toEqual([hashOf(one.certPem), hashOf(two.certPem)]);
});

it('refuses files that the panel does not use, existing or not, with one error', async () => {
  const msg = 'get cert hash (certificate file is not referenced by any inbound or panel setting)';
  writeFileSync(join(folder, 'other.pem'), one.certPem);
  for (const certFile of [join(folder, 'other.pem'), join(folder, 'missing.pem'), '/etc/passwd', 'chain.pem', folder])
    expect(await local({ certFile })).toMatchObject({ success: false, msg });
});

it.each<[string, string]>([
  ['', 'no certificate provided'],
  [one.keyPem, 'no certificates found'],
  ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'unable to parse certificates: '],
  ['-----BEGIN CERTIFICATE-----\nAAAA', 'no certificates found'],
  ['hello', 'unable to decode certificate: '],
  [Buffer.from([0x30, 0x82, 0xff]).toString('base64'), 'unable to decode certificate: '],
  [Buffer.from([0x30, 0x82, 0x00, 0x01, 0x00]).toString('base64'), 'unable to parse certificates: '],
])('content %# is refused: %s', async (certContent, text) => {
  const { success, msg } = await local({ certContent });
  expect([success, msg.startsWith(`get cert hash (${text}`)]).toEqual([false, true]);
});

it('a configured file that is missing, or is a folder, is reported', async () => {
  named.push(join(folder, 'gone.pem'), folder);
  expect((await local({ certFile: join(folder, 'gone.pem') })).msg).toMatch(/unable to read certificate: ENOENT/);
  expect((await local({ certFile: folder })).msg).toMatch(/unable to read certificate/);
});

it('finds certificate files wherever an inbound names them', () => {
  expect(
    certificateFilesIn({
      tlsSettings: { certificates: [{ certificateFile: '/a' }, { certificateFile: '' }, { certificate: ['x'] }] },
      other: { deep: [{ certificateFile: '/b' }] },
    }),
  ).toEqual(['/a', '/b']);
});

it('asks a server for its certificate', async () => {
  const server = createServer({ cert: one.certPem, key: one.keyPem }, (socket) => socket.end());
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  // A token may be in anyone's hands: it must not reach into the internal network.
  expect((await remote(place)).msg).toMatch(/^get remote cert hash \(failed to dial 127.*internal network/);
  await panel.close();
  await serve({ kind: 'session', adminId: 1, username: 'a', sessionIdHash: '' });
  expect(await remote(place)).toMatchObject({ success: true, obj: [hashOf(one.certPem)] });
});

it('asks for the certificate of a name at another address', async () => {
  await panel.close();
  await serve({ kind: 'local' });
  const server = createServer({ cert: one.certPem, key: one.keyPem }, (socket) => socket.end());
  server.addContext('shop.example', { cert: two.certPem, key: two.keyPem });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const hashesFor = async (sni: string) =>
    (await panel.post(`${BASE}/getRemoteCertHash`, new URLSearchParams({ server: place, sni }))).obj;
  expect(await hashesFor('shop.example')).toEqual([hashOf(two.certPem)]);
  expect(await hashesFor('')).toEqual([hashOf(one.certPem)]);
});

it('reports connection errors', async () => {
  await panel.close();
  await serve({ kind: 'local' });
  const server = createPlain((socket) => socket.write('SSH-2.0\r\n', () => socket.destroy()));
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect((await remote(`127.0.0.1:${port}`)).msg).toMatch(
    /^get remote cert hash \(tls handshake with 127\.0\.0\.1 failed: /,
  );
  expect((await remote('')).msg).toBe('get remote cert hash (no server provided)');
  for (const text of ['a:0', 'a:70000', 'a:b', '[::1', 'http://a'])
    expect((await remote(text)).msg).toMatch(/^get remote cert hash \(".*" is no server/);
  servers = [];
  server.close();
  await once(server, 'close');
  expect((await remote(`127.0.0.1:${port}`)).msg).toMatch(/^get remote cert hash \(failed to dial 127\.0\.0\.1/);
});
