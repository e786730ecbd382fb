import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as tlsConnect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { afterTest } from '../../testing/for-each-test.ts';
import { API_TOKEN } from '../../testing/credentials.ts';
import { makeSelfSigned, type SelfSigned } from '../../testing/peers/self-signed.ts';
import { startNodePair, type NodePair } from '../../testing/panels/node-pair.ts';
import { openPanel, type TestPanel } from '../../testing/panels/open-panel.ts';
import type { ClientRow } from '../clients/contract.ts';
import type { Node } from './contract.ts';
import type { NodeProbe } from './probes/contract.ts';

/*
 * Trust between two complete panels, and what they accept from each other. Numbers continue those of
 * fleet-checklist.test.ts.
 */

let pair: NodePair;
beforeEach(async () => {
  pair = await startNodePair();
  afterTest(() => pair.close());
});

const clientsOf = async (panel: TestPanel) =>
  (await panel.read<ClientRow[]>('/clients/list')).map(({ email }) => email).sort();

/** Opens a panel with its own TLS that accepts client certificates of these authorities. */
async function openOverTls(authorities: string): Promise<{ node: TestPanel; shown: SelfSigned }> {
  const shown = makeSelfSigned();
  const first = await openPanel({ panelGuid: 'guid-of-the-second', startMs: Date.now() });
  const files = { webCertFile: join(first.dataDir, 'cert.pem'), webKeyFile: join(first.dataDir, 'key.pem') };
  await writeFile(files.webCertFile, shown.certPem);
  await writeFile(files.webKeyFile, shown.keyPem);
  await first.set(files);
  await first.done('/nodes/mtls/trustCA', { caCert: authorities });
  // Takes effect at its next start.
  await first.app.close();
  const node = await openPanel({ dataDir: first.dataDir, startMs: Date.now() });
  afterTest(() => node.close());
  return { node, shown };
}

/** Status of a request to an admin-only endpoint; `ended` when there is no response at all. */
async function statusFor(url: string, identity: RequestOptions): Promise<number | 'ended'> {
  const request = httpsRequest(new URL('panel/api/server/status', url), {
    agent: false,
    rejectUnauthorized: false,
    ...identity,
  });
  request.end();
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode ?? 0;
  } catch {
    return 'ended';
  }
}

test('13.29 and 13.30 a panel is let in by its certificate alone, not by another one or a resumed session', async () => {
  const central = await openPanel({ panelGuid: 'guid-of-the-first', startMs: Date.now() });
  afterTest(() => central.close());
  const { caCert } = await central.done<{ caCert: string }>('/nodes/mtls/ca');
  const strangers = {
    expired: makeSelfSigned(-1, { isForClients: true }),
    notForClients: makeSelfSigned(),
    ofAnother: makeSelfSigned(2, { isForClients: true }),
  };
  const { node, shown } = await openOverTls(
    [caCert, strangers.expired.certPem, strangers.notForClients.certPem].join('\n'),
  );
  const { url } = node.app.panel;
  const { port, pathname: basePath } = new URL(url);
  // The certificate replaces the token, not the check of the server.
  const known = getCACertificates('default');
  setDefaultCACertificates([...known, shown.certPem]);
  afterTest(() => setDefaultCACertificates(known));
  const { id: nodeId } = await central.done<Node>('/nodes/add', {
    name: 'by certificate',
    address: '127.0.0.1',
    port: Number(port),
    basePath,
    tlsVerifyMode: 'mtls',
    allowPrivateAddress: true,
  });
  await central.add({ email: 'alice' }, [await central.inbound(443, { nodeId })]);
  await central.nodes.pollAll();
  await central.nodes.idle();
  expect((await central.read<Node[]>('/nodes/list'))[0]).toMatchObject({ status: 'online', hasApiToken: false });
  expect(await node.state('alice')).toMatchObject({ enable: 1 });

  expect(await statusFor(url, {})).toBe(404);
  for (const [name, { certPem, keyPem }] of Object.entries(strangers))
    expect([name, await statusFor(url, { cert: certPem, key: keyPem })]).not.toContain(200);
  const first = tlsConnect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false, minVersion: 'TLSv1.3' });
  const [session] = (await once(first, 'session')) as [Buffer];
  first.destroy();
  const second = tlsConnect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false, session });
  await once(second, 'secureConnect');
  expect(second.isSessionReused()).toBe(true);
  second.write(`GET ${basePath}panel/api/server/status HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
  expect(await text(second)).toMatch(/^HTTP\/1\.1 404 /);
});

test('13.31 a pin is accepted in every form, and with another certificate no request is sent', async () => {
  const certificate = makeSelfSigned();
  const more = await pair.another('guid-of-the-second', { certificate });
  const digest = createHash('sha256').update(new X509Certificate(certificate.certPem).raw);
  const hex = digest.copy().digest('hex');
  const pins = [
    hex.toUpperCase().replaceAll(/(..)(?=.)/g, '$1:'),
    digest.copy().digest('base64'),
    digest.copy().digest('base64').replace(/=+$/, ''),
    digest.copy().digest('base64url'),
  ];
  const probe = () => pair.central.done<NodeProbe>(`/nodes/probe/${more.nodeId}`);
  for (const pinnedCertSha256 of pins) {
    await more.trust({ tlsVerifyMode: 'pin', pinnedCertSha256 });
    expect(await probe()).toMatchObject({ status: 'online', error: '' });
  }
  const before = more.heard();
  await more.trust({ tlsVerifyMode: 'pin', pinnedCertSha256: createHash('sha256').update('another').digest('hex') });
  const error = 'node certificate does not match pinned SHA-256';
  expect(await probe()).toMatchObject({ status: 'offline', error });
  await pair.sync();
  expect(more.heard()).toBe(before);
});

test('13.33 a panel in an internal network gets no request unless allowed, in any spelling of its address', async () => {
  const { central, nodeId, port, token } = pair;
  const probeAddress = (address: string, allowPrivateAddress: boolean) =>
    central.done<NodeProbe>('/nodes/test', {
      id: nodeId,
      scheme: 'http',
      address,
      port,
      apiToken: token,
      allowPrivateAddress,
    });
  const before = pair.heard();
  for (const address of ['127.0.0.1', 'localhost', '[::1]', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '2130706433'])
    expect([address, (await probeAddress(address, false)).refusal?.code]).toEqual([address, 'node.privateAddress']);
  const details = { name: 'node', scheme: 'http', address: 'localhost', port, tlsVerifyMode: 'skip' };
  await central.post(`/nodes/update/${nodeId}`, details);
  await pair.sync();
  expect(pair.heard()).toBe(before);
  expect((await central.read<Node[]>('/nodes/list'))[0]).toMatchObject({ status: 'offline' });
  for (const address of ['127.0.0.1', 'localhost'])
    expect(await probeAddress(address, true)).toMatchObject({ status: 'online' });
});

test('13.34 bodies from another panel: long ones compressed, all hashed; a wrong hash changes nothing', async () => {
  const { central, node, nodeId } = pair;
  const inboundId = await central.inbound(443, { nodeId });
  const many = Array.from({ length: 40 }, (_, at) => ({ client: { email: `many${at}` }, inboundIds: [inboundId] }));
  await pair.sync();
  await central.done('/clients/bulkCreate', many);
  await pair.sync();
  expect(await clientsOf(node)).toHaveLength(40);
  const [plain, packed] = [false, true].map((is) => pair.bodies.filter(({ encoding }) => (encoding === 'zstd') === is));
  expect(packed).toContainEqual(expect.objectContaining({ path: 'inbounds/update/1' }));
  expect(plain!.every(({ bytes }) => bytes < 1_024)).toBe(true);

  const body = JSON.stringify({ client: { email: 'sent' }, inboundIds: [1] });
  const hash = createHash('sha256').update(body).digest('hex');
  const send = async (sent: string | Buffer, headers: Record<string, string>): Promise<number> => {
    const response = await fetch(new URL('panel/api/clients/add', node.app.panel.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${API_TOKEN}`, 'content-type': 'application/json', ...headers },
      body: sent,
    });
    await response.arrayBuffer();
    return response.status;
  };
  const zstd = { 'content-encoding': 'zstd' };
  const bomb = zstdCompressSync(Buffer.alloc(9 * 1_024 * 1_024, 0x20));
  expect(await send(gzipSync(body), { 'content-encoding': 'gzip', 'x-config-sha256': hash })).toBe(415);
  expect(await send(body, { 'x-config-sha256': hash.replace(/^./, 'z') })).toBe(400);
  expect(await send(bomb, zstd)).toBe(400);
  expect(await clientsOf(node)).not.toContain('sent');
  expect(await send(zstdCompressSync(body), { ...zstd, 'x-config-sha256': hash })).toBe(200);
  expect(await send(body.replace('sent', 'plain'), {})).toBe(200);
  expect(await clientsOf(node)).toEqual(expect.arrayContaining(['plain', 'sent']));
});

test('13.35 a response over 64 MiB is rejected; other nodes are read, and the next response counts', async () => {
  const { central, nodeId } = pair;
  const more = await pair.another('guid-of-the-second');
  await central.add({ email: 'alice' }, [await central.inbound(443, { nodeId })]);
  await central.add({ email: 'bob' }, [await central.inbound(443, { nodeId: more.nodeId })]);
  await pair.tick();
  pair.node.core.move('users', 'alice', 7, 0);
  more.node.core.move('users', 'bob', 5, 0);
  await more.node.tick();
  const endless = pair.respondOnce('inbounds/list', 'x'.repeat(64 * 1_024 * 1_024 + 1));
  await pair.tick();
  expect(endless.isUsed()).toBe(true);
  const refused = central.log.lines.find(({ event }) => event === 'node.notSynced');
  expect(refused?.fields).toMatchObject({ nodeId, error: expect.stringContaining('67108864 bytes') as string });
  expect([(await central.state('alice'))!.upBytes, (await central.state('bob'))!.upBytes]).toEqual([0, 5]);
  await pair.tick();
  expect(await central.state('alice')).toMatchObject({ upBytes: 7 });
});
