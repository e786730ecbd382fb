import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ValidationIssue } from '../../../contract/envelope.ts';
import { startInboundPanel, vlessBody, type InboundPanel } from '../../../testing/panels/inbound-panel.ts';
import type { Inbound } from '../contract.ts';

let panel: InboundPanel;
afterEach(() => panel.close());

const issuesOf = (obj: unknown) =>
  (obj as { issues: ValidationIssue[] }).issues.map(({ field, rule }) => `${field} ${rule}`);

describe('POST /add', () => {
  it('stores the inbound, notifies the core and the pages, and returns it', async () => {
    panel = await startInboundPanel();
    const response = await panel.post(
      '/add',
      vlessBody(443, {
        remark: 'VLESS-443',
        total: 1000,
        expiryTime: 1_800_000_000_000,
        trafficReset: 'monthly',
        nodeId: 0,
        id: 77,
        userId: 5,
        settings: { decryption: 'none', clients: [{ email: 'user1', subId: 's1' }] },
        sniffing: { enabled: true, destOverride: ['http', 'tls'] },
      }),
      { 'X-Request-Id': 'r-1' },
    );
    expect(response.msg).toBe('Inbound has been successfully created.');
    const { clientStats, settings, ...rest } = response.obj as Inbound;
    expect(rest).toEqual({
      id: 1,
      enable: true,
      remark: 'VLESS-443',
      listen: '',
      port: 443,
      protocol: 'vless',
      expiryTime: 1_800_000_000_000,
      total: 1000,
      up: 0,
      down: 0,
      trafficReset: 'monthly',
      lastTrafficResetTime: 0,
      nodeId: null,
      serverId: null,
      originNodeGuid: 'guid-of-this-panel',
      tag: 'in-443-tcp',
      streamSettings: { network: 'tcp', security: 'none' },
      sniffing: { enabled: true, destOverride: ['http', 'tls'] },
      fallbackParent: null,
      coreWarnings: [],
      certificateWarnings: [],
    });
    expect(settings).toMatchObject({ decryption: 'none', clients: [{ email: 'user1' }] });
    expect(clientStats.map(({ email }) => email)).toEqual(['user1']);
    const row = await panel.store.reader.selectFrom('inbounds').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ settings: '{"decryption":"none"}', nodeId: null, originNodeGuid: '', disabledBy: '' });
    expect(panel.runtime.staged).toEqual([{ inboundIds: [1], users: [] }]);
    expect(panel.runtime.applied).toEqual(panel.runtime.staged);
    expect(panel.events).toEqual([
      { type: 'invalidate', resource: 'inbounds', requestId: 'r-1' },
      { type: 'invalidate', resource: 'clients', requestId: 'r-1' },
    ]);
  });

  it('reads sections encoded as text, and forms', async () => {
    panel = await startInboundPanel();
    const body = vlessBody(1001, {
      settings: '{"decryption":"none"}',
      streamSettings: '{"network":"ws","wsSettings":{}}',
    });
    expect((await panel.added(body)).streamSettings).toMatchObject({ network: 'ws' });
    const form = new URLSearchParams({
      enable: 'false',
      port: '1002',
      total: '5',
      nodeId: '',
      protocol: 'http',
      settings: '{"accounts":[{"user":"a","pass":"b"}]}',
      streamSettings: '{"network":"tcp"}',
      sniffing: '',
    });
    const response = await panel.post('/add', form);
    expect(response.obj).toMatchObject({ enable: false, port: 1002, total: 5, streamSettings: null, sniffing: null });
  });

  it('enables by default and takes over the counters sent', async () => {
    panel = await startInboundPanel();
    const { enable: _, ...body } = vlessBody(1003, { up: 7, down: 8 });
    expect(await panel.added(body)).toMatchObject({ enable: true, up: 7, down: 8 });
  });

  it('refuses empty settings with the text of the interface', async () => {
    panel = await startInboundPanel();
    for (const settings of [undefined, null, '', ' ', 'null'])
      expect((await panel.post('/add', vlessBody(1004, { settings }))).msg).toBe('inbound settings is empty');
    expect((await panel.post('/add', vlessBody(1004, { settings: {} }))).msg).not.toBe('inbound settings is empty');
  });

  it('names every invalid field and stores nothing', async () => {
    panel = await startInboundPanel();
    const response = await panel.post('/add', {
      enable: 'maybe',
      remark: 5,
      listen: null,
      port: 70_000,
      protocol: 'tun',
      total: -1,
      trafficReset: 'yearly',
      nodeId: -3,
      tag: 'a>>>b',
      settings: [],
      streamSettings: '{broken',
      sniffing: '{"__proto__":{}}',
    });
    expect(response).toMatchObject({ success: false, msg: 'request body failed validation' });
    expect(issuesOf(response.obj)).toEqual([
      'enable type',
      'remark type',
      'listen type',
      'port lte',
      'protocol oneof',
      'total gte',
      'trafficReset oneof',
      'nodeId gte',
      'tag format',
      'settings invalid',
      'streamSettings format',
      'sniffing format',
    ]);
    expect(issuesOf((await panel.post('/add', {})).obj)).toEqual(['port required', 'protocol required']);
    expect(await panel.rowCount()).toBe(0);
    expect(panel.runtime.staged).toEqual([]);
  });

  it.each([
    ['port 0', { port: 0 }, 'port gte'],
    ['port 70000', { port: 70_000 }, 'port lte'],
    ['a port with a fraction', { port: 443.5 }, 'port type'],
    ['a port that is a word', { port: 'https' }, 'port type'],
    ['a host name as listen', { listen: 'example.com' }, 'listen format'],
    ['a remark of a megabyte', { remark: 'x'.repeat(1_000_001) }, 'remark max'],
    ['a tag of a megabyte', { tag: 'x'.repeat(1_000_001) }, 'tag max'],
    [
      'a section of more than a megabyte',
      { settings: { decryption: 'none', more: 'x'.repeat(1_000_001) } },
      'settings max',
    ],
    ['clients that are no list', { settings: { decryption: 'none', clients: {} } }, 'settings.clients type'],
    [
      'a client that is no object',
      { settings: { decryption: 'none', clients: [{ email: 'a' }, 5] } },
      'settings.clients[1] type',
    ],
    ['an unknown network', { streamSettings: { network: 'quic' } }, 'streamSettings.network'],
    [
      'JSON text nested 10,000 deep',
      { settings: `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}` },
      'settings format',
    ],
    ['a NUL in JSON text', { settings: String.raw`{"a":"\u0000"}` }, 'settings format'],
  ])('refuses %s', async (_, change, issue) => {
    panel = await startInboundPanel();
    const response = await panel.post('/add', vlessBody(443, change));
    expect(response.success).toBe(false);
    expect(issuesOf(response.obj).some((found) => found.startsWith(issue))).toBe(true);
    expect(await panel.rowCount()).toBe(0);
  });

  it('refuses clients where the protocol has none, and accepts an empty list', async () => {
    panel = await startInboundPanel();
    const http = (clients: unknown[]) =>
      panel.post('/add', { port: 8080, protocol: 'http', settings: { accounts: [], clients } });
    expect((await http([{ email: 'a' }])).msg).toBe('protocol http does not support clients');
    expect(await http([])).toMatchObject({ success: true, obj: { settings: { accounts: [] } } });
  });

  it('has bytes under the e-mails read first', async () => {
    panel = await startInboundPanel();
    await panel.added(vlessBody(443, { settings: { decryption: 'none', clients: [{ email: 'a' }] } }));
    await panel.post('/update/1', vlessBody(443, { settings: { decryption: 'none', clients: [{ email: 'b' }] } }));
    expect(panel.settled).toEqual(['a', 'b']);
  });

  it('leaves nothing behind when a client is refused midway', async () => {
    panel = await startInboundPanel();
    await panel.added(vlessBody(443, { settings: { decryption: 'none', clients: [{ email: 'Alice' }] } }));
    const changes = panel.runtime.applied.length;
    const clients = [{ email: 'bob' }, { email: 'ALICE' }];
    const response = await panel.post('/add', vlessBody(444, { settings: { decryption: 'none', clients } }));
    const error = { code: 'client.duplicateEmail', params: { email: 'ALICE' } };
    expect(response).toEqual({ success: false, msg: 'Duplicate email: ALICE', obj: null, error });
    expect(await panel.rowCount()).toBe(1);
    const emails = await panel.store.reader.selectFrom('clients').select('email').execute();
    expect(emails).toEqual([{ email: 'Alice' }]);
    expect(panel.runtime.applied).toHaveLength(changes);
  });

  it('notifies the core about the other inbounds of a client it attaches', async () => {
    panel = await startInboundPanel();
    const body = (port: number) =>
      vlessBody(port, { settings: { decryption: 'none', clients: [{ email: 'a', subId: 's' }] } });
    await panel.added(body(443));
    await panel.added(body(444));
    expect(panel.runtime.applied.at(-1)).toEqual({ inboundIds: [2], users: [{ inboundId: 1, emails: ['a'] }] });
  });

  it('returns the core’s message about an inbound it refuses, and keeps it out of the log', async () => {
    panel = await startInboundPanel();
    panel.core.verdict = { ok: false, text: 'invalid "privateKey": SECRET' };
    const refused = await panel.post('/add', vlessBody(443));
    expect(refused).toMatchObject({
      success: false,
      msg: 'the core refuses this inbound: invalid "privateKey": SECRET',
      obj: null,
    });
    expect(JSON.stringify(panel.log.lines)).not.toContain('SECRET');
    expect(await panel.rowCount()).toBe(0);
    expect((await panel.added(vlessBody(443, { enable: false }))).enable).toBe(false);
  });

  it('refuses missing geo files by name', async () => {
    panel = await startInboundPanel();
    const { assetDir } = panel.parts.engine.core;
    await mkdir(assetDir, { recursive: true });
    await writeFile(join(assetDir, 'geosite.dat'), '');
    const sniffing = { enabled: true, destOverride: ['tls'], domainsExcluded: ['geosite:cn', 'ext:ads.dat:all'] };
    const response = await panel.post('/add', vlessBody(443, { sniffing }));
    expect((response.obj as { issues: unknown[] }).issues).toEqual([
      {
        field: 'sniffing',
        rule: 'geofile',
        param: 'ads.dat',
        code: 'inboundField.geoFile',
        params: { name: 'ads.dat' },
        message:
          'sniffing needs the geo file ads.dat, which is not there; download it or remove the entries that name it',
      },
    ]);
  });

  it('checks nodes: unknown ones are refused; for known ones nothing is tested or probed here', async () => {
    panel = await startInboundPanel({ app: { findForeignUse: async () => 'tcp' } });
    const nodeId = await panel.unreachableNode();
    panel.write(`UPDATE nodes SET inboundSyncMode = 'selected', inboundTags = '["old"]'`);
    panel.core.verdict = { ok: false, text: 'no' };
    expect((await panel.post('/add', vlessBody(443, { nodeId: 9 }))).msg).toBe('node #9 not found');
    const inbound = await panel.added(vlessBody(443, { nodeId }));
    expect(inbound).toMatchObject({ nodeId, tag: 'n1-in-443-tcp', originNodeGuid: '' });
    const node = await panel.store.reader.selectFrom('nodes').select('inboundTags').executeTakeFirstOrThrow();
    expect(node.inboundTags).toBe('["old","n1-in-443-tcp"]');
    const local = await panel.added({
      enable: false,
      port: 443,
      protocol: 'mixed',
      settings: { auth: 'noauth' },
      nodeId,
    });
    expect(local.nodeId).toBeNull();
  });

  it('refuses a server where the panel has its database in a file', async () => {
    panel = await startInboundPanel();
    expect((await panel.post('/add', vlessBody(443, { serverId: 'other' }))).error?.code).toBe('inbound.serverAlone');
  });
});

describe('POST /import', () => {
  const importing = (data: unknown) =>
    panel.post('/import', new URLSearchParams({ data: typeof data === 'string' ? data : JSON.stringify(data) }));

  it('creates an inbound from an export, with counters for new clients only', async () => {
    panel = await startInboundPanel();
    const clients = [{ email: 'a', subId: 's1' }];
    await panel.added(vlessBody(443, { settings: { decryption: 'none', clients } }));
    await panel.store.write((trx) => trx.updateTable('clientStates').set({ upBytes: 50 }).execute());
    const exported = (await panel.get('/get/1')).obj as Inbound;
    const response = await importing({
      ...exported,
      id: 99,
      port: 444,
      nodeId: 12,
      up: 5,
      clientStats: [...exported.clientStats, { email: 'b', up: 3, down: 4, enable: false }].map((row) => ({
        ...row,
        down: 4,
      })),
      settings: { decryption: 'none', clients: [...clients, { email: 'b', subId: 's2' }] },
    });
    expect(response.msg).toBe('Inbound has been successfully created.');
    const inbound = response.obj as Inbound;
    expect(inbound).toMatchObject({ id: 2, port: 444, nodeId: null, up: 5, tag: 'in-444-tcp' });
    expect(inbound.clientStats.map(({ email, up, down }) => [email, up, down])).toEqual([
      ['a', 50, 0],
      ['b', 3, 4],
    ]);
  });

  it('keeps a free tag and replaces a taken one', async () => {
    panel = await startInboundPanel();
    expect((await importing(vlessBody(443, { tag: 'mine' }))).obj).toMatchObject({ tag: 'mine' });
    expect((await importing(vlessBody(444, { tag: 'mine' }))).obj).toMatchObject({ tag: 'in-444-tcp' });
    expect((await importing(vlessBody(445, { tag: 'api' }))).obj).toMatchObject({ tag: 'in-445-tcp' });
  });

  it.each(['', '{', '[]', 'null', '5', '['.repeat(10_000)])('refuses %s as data', async (data) => {
    panel = await startInboundPanel();
    expect((await importing(data)).msg).toBe('data is not the JSON text of an exported inbound');
    expect(await panel.rowCount()).toBe(0);
  });

  it('refuses hostile and invalid exports field by field', async () => {
    panel = await startInboundPanel();
    expect(issuesOf((await importing('{"__proto__":{"port":1}}')).obj)).toEqual(['data format']);
    expect(issuesOf((await importing({ ...vlessBody(0), up: -1 })).obj)).toEqual(['port gte', 'up gte']);
    expect(issuesOf((await panel.post('/import', {})).obj)).toEqual(['data required']);
    expect(await panel.rowCount()).toBe(0);
  });
});
