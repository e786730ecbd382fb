import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Envelope } from '../../contract/envelope.ts';
import { forEachTest } from '../../testing/for-each-test.ts';
import { startNodePair } from '../../testing/panels/node-pair.ts';
import { makeSelfSigned } from '../../testing/peers/self-signed.ts';
import type { Node } from './contract.ts';
import type { NodeProbe } from './probes/contract.ts';
import { PANEL_VERSION } from '../../version.ts';

let details: Record<string, unknown>;
const pair = forEachTest(startNodePair);
beforeEach(async () => {
  details = {
    scheme: 'http',
    address: '127.0.0.1',
    port: pair.port,
    basePath: '',
    apiToken: pair.token,
    allowPrivateAddress: true,
  };
});

const list = () => pair.central.read<Node[]>('/nodes/list');
const post = (path: string, body?: object): Promise<Envelope> => pair.central.post(`/nodes${path}`, body);
const stored = () => pair.central.store.reader.selectFrom('nodes').selectAll().orderBy('id').execute();
/** The refused fields, with their messages. */
const complaints = ({ success, obj }: Envelope): Record<string, string> => {
  expect(success).toBe(false);
  const { issues } = obj as { issues: { field: string; message: string }[] };
  return Object.fromEntries(issues.map(({ field, message }) => [field, message]));
};

describe('the list of nodes', () => {
  it('shows the state of a node without its token, and counts what is on it', async () => {
    const { central, nodeId } = pair;
    const one = await central.inbound(443, { nodeId });
    const two = await central.inbound(444, { nodeId });
    await central.inbound(445);
    await central.add({ email: 'both' }, [one, two]);
    await central.add({ email: 'off', enable: false }, [one]);
    await central.add({ email: 'late', expiryTime: 1 }, [two]);
    await pair.useThere('both', 5);
    const [node] = await list();
    expect(node).toMatchObject({
      id: nodeId,
      name: 'node',
      hasApiToken: true,
      status: 'online',
      guid: 'guid-of-the-node',
      parentGuid: central.panelGuid,
      coreState: 'running',
      coreVersion: '26.7.28',
      inboundCount: 2,
      clientCount: 3,
      activeCount: 1,
      disabledCount: 1,
      depletedCount: 1,
      onlineCount: 1,
    });
    expect(node!.lastHeartbeat).toBe(Math.floor(central.clock() / 1000));
    expect(JSON.stringify(node)).not.toContain(pair.token);
    expect(node).not.toHaveProperty('apiToken');
    const { parentGuid: _, ...single } = node!;
    expect(await central.read(`/nodes/get/${nodeId}`)).toEqual(single);
  });

  it('shows each panel behind a node once, and counts what runs there for it', async () => {
    const { central, nodeId } = pair;
    const inboundId = await central.inbound(443, { nodeId });
    await central.add({ email: 'alice' }, [inboundId]);
    await pair.sync();
    const panel = {
      guid: 'behind',
      name: 'Behind',
      address: '10.0.0.3',
      scheme: 'https',
      port: 2053,
      status: 'online',
    };
    pair.respondOnce('server/descendants', [
      { ...panel, parentGuid: 'a lie', coreVersion: '1.2.3', apiToken: 'x' },
      { ...panel, name: 'twice' },
      { ...panel, guid: '' },
      { guid: 'bare' },
    ]);
    await pair.central.store.write((trx) =>
      trx.updateTable('inbounds').set({ originNodeGuid: 'behind' }).where('id', '=', inboundId).execute(),
    );
    pair.respondOnce('inbounds/list', [
      { id: 1, tag: 'in-443-tcp', up: 0, down: 0, originNodeGuid: 'behind', clientStats: [] },
    ]);
    // Panels behind a node are requested every ten seconds.
    central.jumpClock(10_000);
    await pair.sync();
    const [node, behind, bare, ...more] = await list();
    expect(more).toEqual([]);
    expect(node).toMatchObject({ id: nodeId, inboundCount: 0, clientCount: 1, activeCount: 0 });
    expect(behind).toMatchObject({
      id: 0,
      transitive: true,
      name: 'Behind',
      parentGuid: 'guid-of-the-node',
      coreVersion: '1.2.3',
      inboundCount: 1,
      activeCount: 1,
      hasApiToken: false,
    });
    expect(behind).not.toHaveProperty('apiToken');
    expect(bare).toMatchObject({ guid: 'bare', status: 'unknown', port: 0 });
    pair.setUp(false);
    await pair.sync();
    expect(await list()).toMatchObject([{ id: nodeId, status: 'offline', inboundCount: 1 }]);
  });

  it('shows a node with fields that cannot be read, without them', async () => {
    const { central, nodeId } = pair;
    await central.inbound(443, { nodeId });
    await pair.sync();
    const altered = { inboundTags: '{bad', lastRefusal: '[]', syncRefusals: '{"a":1}', answerOrder: 'text' };
    await central.store.write((trx) => trx.updateTable('nodes').set(altered).execute());
    await pair.restartCentral();
    const unread = { inboundTags: [], lastRefusal: null, syncRefusals: [] };
    expect(await list()).toMatchObject([{ id: nodeId, name: 'node', ...unread }]);
    await pair.central.store.write((trx) =>
      trx.updateTable('nodes').set({ inboundTags: '"in"', inboundSyncMode: 'selected' }).execute(),
    );
    await pair.restartCentral();
    await pair.node.inbound(444);
    await pair.sync();
    expect(await list()).toMatchObject([{ status: 'online', inboundCount: 1, syncError: '' }]);
    // The field is whole again once something is saved to it.
    await pair.central.inbound(445, { nodeId });
    expect(await stored()).toMatchObject([{ inboundTags: '["n1-in-445-tcp"]' }]);
  });

  it('lists the panels below for the master, without counts and tokens', async () => {
    await post('/add', { ...details, name: 'never reached', address: '127.0.0.1', port: 1, enable: false });
    expect(await pair.central.read('/server/descendants')).toEqual([
      {
        guid: 'guid-of-the-node',
        parentGuid: pair.central.panelGuid,
        name: 'node',
        address: '127.0.0.1',
        scheme: 'http',
        port: pair.port,
        status: 'online',
        lastHeartbeat: Math.floor(pair.central.clock() / 1000),
        latencyMs: expect.any(Number) as number,
        panelVersion: PANEL_VERSION,
        coreVersion: '26.7.28',
        coreState: 'running',
        coreError: '',
      },
    ]);
  });
});

describe('adding and changing nodes', () => {
  it('keeps a node that cannot be reached, with the reason', async () => {
    const response = await post('/add', { ...details, name: ' far ', port: 1, basePath: 'panel', remark: 'in Oslo' });
    expect(response).toMatchObject({
      success: true,
      obj: { name: 'far', remark: 'in Oslo', basePath: '/panel/', enable: true, status: 'offline', hasApiToken: true },
    });
    expect((response.obj as Node).lastError).toContain('ECONNREFUSED');
    expect(await stored()).toHaveLength(2);
  });

  it('names every invalid field and stores nothing', async () => {
    const refused = await post('/add', {
      name: ' ',
      address: 'http://x',
      port: 70_000,
      scheme: 'https',
      tlsVerifyMode: 'pin',
      pinnedCertSha256: '',
      apiToken: 'x',
    });
    expect(complaints(refused)).toMatchObject({
      name: 'name: node name is required',
      address: 'address: invalid host "http://x"',
      port: 'port: node port must be 1-65535',
    });
    const base = { ...details, name: 'new' };
    const words = async (body: object) => Object.values(complaints(await post('/add', { ...base, ...body })))[0];
    expect(await words({ tlsVerifyMode: 'mtls' })).toContain('mtls requires the node scheme to be https');
    expect(await words({ scheme: 'https', tlsVerifyMode: 'pin' })).toContain('certificate pin is empty');
    expect(await words({ scheme: 'https', tlsVerifyMode: 'pin', pinnedCertSha256: 'abc' })).toContain(
      'certificate pin must be a SHA-256 hash (base64 or hex)',
    );
    expect(await words({ apiToken: ' ' })).toBe('apiToken is required unless mtls is enabled');
    expect(await words({ clearApiToken: true })).toContain('mutually exclusive');
    expect(await words({ apiToken: '', clearApiToken: true })).toBe(
      'credentials cannot be cleared while creating a node',
    );
    expect(await words({ name: 'node' })).toBe('node name already exists');
    expect(await words({ port: 1.5 })).toContain('node port must be 1-65535');
    expect(await words({ port: undefined })).toContain('node port must be 1-65535');
    expect(await words({ address: ' ' })).toContain('address is required');
    expect(await stored()).toHaveLength(1);
  });

  it('replaces the settings of a node, keeps the token if blank, and delivers everything again', async () => {
    const { central, nodeId } = pair;
    await central.inbound(443, { nodeId });
    await pair.sync();
    pair.calls.length = 0;
    expect(await post(`/update/${nodeId}`, { ...details, name: 'renamed', apiToken: '' })).toMatchObject({
      success: true,
      obj: null,
    });
    expect(await list()).toMatchObject([{ name: 'renamed', hasApiToken: true, enable: true, configDirty: true }]);
    await pair.sync();
    expect(pair.calls).toEqual([expect.stringMatching(/^POST inbounds\/update\/\d+$/)]);
    expect(await list()).toMatchObject([{ status: 'online', configDirty: false }]);
    expect(await post(`/update/${nodeId}`, { ...details, name: 'renamed', apiToken: 'wrong' })).toMatchObject({
      success: true,
    });
    await pair.sync();
    expect(await list()).toMatchObject([
      { status: 'offline', lastError: expect.stringContaining('HTTP 404') as string },
    ]);
    expect(await post('/update/77', { ...details, name: 'x' })).toMatchObject({
      success: false,
      msg: 'record not found',
    });
  });

  it('clears a token only where none is needed', async () => {
    const { nodeId } = pair;
    const base = { ...details, name: 'node', apiToken: '', clearApiToken: true };
    expect(Object.values(complaints(await post(`/update/${nodeId}`, base)))).toEqual([
      'disable the node or enable mtls before clearing its apiToken',
    ]);
    expect(await post(`/update/${nodeId}`, { ...base, enable: false })).toMatchObject({ success: true });
    expect(await list()).toMatchObject([{ hasApiToken: false, enable: false }]);
    expect(
      Object.values(complaints(await post(`/update/${nodeId}`, { ...base, clearApiToken: false, enable: true }))),
    ).toEqual(['apiToken is required unless mtls is enabled']);
  });

  it('pauses and resumes a node', async () => {
    const { central, nodeId } = pair;
    await post(`/setEnable/${nodeId}`, { enable: false });
    await central.inbound(443, { nodeId });
    await pair.sync();
    expect(pair.calls).toEqual([]);
    expect(await list()).toMatchObject([{ enable: false, configDirty: true }]);
    await post(`/setEnable/${nodeId}`, { enable: true });
    await pair.sync();
    expect(pair.calls).toEqual(['POST inbounds/add']);
    expect(await post(`/setEnable/${nodeId}`, {})).toMatchObject({
      obj: { issues: [{ field: 'enable', rule: 'required' }] },
    });
    expect(await post('/setEnable/9', { enable: true })).toMatchObject({ success: false, msg: 'record not found' });
  });

  it('removes a node without inbounds', async () => {
    const { central, nodeId } = pair;
    const inboundId = await central.inbound(443, { nodeId });
    expect(await post(`/del/${nodeId}`)).toMatchObject({
      success: false,
      msg: 'cannot delete node: 1 inbound(s) still attached to it; detach or delete them first',
    });
    await central.done(`/inbounds/del/${inboundId}`);
    await pair.sync();
    expect(await post(`/del/${nodeId}`)).toMatchObject({ success: true });
    expect(await list()).toEqual([]);
    expect(await post(`/del/${nodeId}`)).toMatchObject({ success: false, msg: 'record not found' });
  });
});

describe('requests to panels', () => {
  it('are answered without storing anything', async () => {
    const { node } = pair;
    await node.inbound(8443, { remark: 'theirs' });
    const before = await stored();
    const known = { ...details, id: pair.nodeId };
    expect((await post('/test', known)).obj).toMatchObject({
      status: 'online',
      error: '',
      coreState: 'running',
      panelVersion: PANEL_VERSION,
      uptimeSecs: expect.any(Number) as number,
    });
    expect((await post('/inbounds', details)).obj).toEqual([
      {
        id: expect.any(Number) as number,
        tag: 'in-8443-tcp',
        remark: 'theirs',
        listen: '',
        protocol: 'vless',
        port: 8443,
      },
    ]);
    expect((await post('/test', { ...known, apiToken: '' })).obj).toMatchObject({
      status: 'online',
    });
    expect(await stored()).toEqual(before);
  });

  it('report problems: no token, no panel, a private address, no TLS on the other side', async () => {
    const said = async (body: object) => ((await post('/test', { ...details, ...body })).obj as NodeProbe).error;
    expect(await said({ apiToken: '' })).toBe('node has no API token configured');
    expect(await said({ basePath: '/other/' })).toContain('HTTP 404 from remote panel');
    expect(await said({ allowPrivateAddress: false })).toContain('blocked private/internal address 127.0.0.1');
    expect(await said({ scheme: 'https' })).toBe('the server speaks HTTP, not HTTPS; set the node scheme to http');
    expect(await said({ id: 99, apiToken: '' })).toBe('record not found');
  });

  it('show the certificate of a panel without trusting it and without a token', async () => {
    const { certPem, keyPem } = makeSelfSigned();
    const received: string[] = [];
    const server = createTlsServer({ cert: certPem, key: keyPem }, (socket) =>
      socket.on('data', (bytes) => received.push(String(bytes))).on('error', () => {}),
    );
    server.on('tlsClientError', () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const response = await post('/certFingerprint', { ...details, scheme: 'https', port });
      const expected = createHash('sha256').update(new X509Certificate(certPem).raw).digest('base64');
      expect(response).toMatchObject({ success: true, obj: expected });
      expect(received).toEqual([]);
      expect(await post('/certFingerprint', { ...details, port })).toMatchObject({
        success: false,
        msg: 'certificate pinning is only available for https nodes',
      });
      expect(
        await post('/certFingerprint', { ...details, scheme: 'https', port, allowPrivateAddress: false }),
      ).toMatchObject({ success: false, error: { code: 'node.privateAddress' } });
    } finally {
      server.close();
    }
  });

  it('find no certificate without TLS', async () => {
    const server = createTcpServer((socket) => socket.end('no TLS here\r\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      expect(await post('/certFingerprint', { ...details, scheme: 'https', port })).toMatchObject({
        success: false,
        msg: 'the server speaks HTTP, not HTTPS; set the node scheme to http',
      });
    } finally {
      server.close();
    }
  });

  it('probe one node now and store the result', async () => {
    const { nodeId } = pair;
    pair.setUp(false);
    expect((await post(`/probe/${nodeId}`)).obj).toMatchObject({ status: 'offline' });
    expect(await list()).toMatchObject([{ status: 'offline', coreVersion: '26.7.28', cpuPct: 0 }]);
    pair.setUp(true);
    expect((await post(`/probe/${nodeId}`)).obj).toMatchObject({ status: 'online', error: '' });
    expect(await post('/probe/9')).toMatchObject({ success: false, msg: 'record not found' });
  });

  it('launch updates one by one, each independent of the others', async () => {
    const { nodeId } = pair;
    await post('/add', { ...details, name: 'paused', enable: false });
    await post('/add', { ...details, name: 'gone', port: 1 });
    const launched = pair.respondOnce('server/updatePanel', { runId: '1' });
    expect((await post('/updatePanel', { ids: [nodeId, nodeId + 1, nodeId + 2, 9], dev: true })).obj).toEqual([
      { id: nodeId, name: 'node', ok: true },
      { id: nodeId + 1, name: 'paused', ok: false, error: 'node is disabled' },
      { id: nodeId + 2, name: 'gone', ok: false, error: 'node is offline' },
      { id: 9, name: '', ok: false, error: 'node not found' },
    ]);
    expect(launched.isUsed()).toBe(true);
    expect(await post('/updatePanel', { ids: [] })).toMatchObject({ success: false, msg: 'no nodes selected' });
  });

  it('return the certificate files of a node', async () => {
    const { central, nodeId } = pair;
    const files = { webCertFile: '/etc/cert.pem', webKeyFile: '/etc/key.pem' };
    pair.respondOnce('server/getWebCertFiles', files);
    expect(await central.read(`/nodes/webCert/${nodeId}`)).toEqual(files);
    await post(`/setEnable/${nodeId}`, { enable: false });
    await expect(central.read(`/nodes/webCert/${nodeId}`)).rejects.toThrow('node is disabled');
    await expect(central.read('/nodes/webCert/9')).rejects.toThrow('node not found');
  });

  it('return figures of a node over time, with gaps while it is unreachable', async () => {
    const { central, nodeId } = pair;
    pair.setUp(false);
    await pair.tick();
    pair.setUp(true);
    await pair.tick();
    const points = await central.read<{ t: number; v: number }[]>(`/nodes/history/${nodeId}/mem/2`);
    const nowSec = Math.floor(central.clock() / 1000);
    expect(points.map(({ t }) => t)).toEqual([nowSec - 10, nowSec].map((sec) => sec - (sec % 2)));
    await expect(central.read(`/nodes/history/${nodeId}/disk/2`)).rejects.toThrow('invalid metric (unknown metric)');
    await expect(central.read(`/nodes/history/${nodeId}/cpu/7`)).rejects.toThrow('invalid bucket (unsupported bucket)');
    await expect(central.read('/nodes/history/9/cpu/2')).rejects.toThrow('record not found');
  });
});
