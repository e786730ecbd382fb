import { beforeEach, describe, expect, test } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { startInboundPanel, vlessBody } from '../../testing/panels/inbound-panel.ts';
import type { Host, HostGroup } from './contract.ts';
import { parseHostEntry } from './host-entry-rules.ts';

const panel = forEachTest(() => startInboundPanel({ startMs: 1_000 }));
beforeEach(async () => {
  await panel.added(vlessBody(1001));
  await panel.added(vlessBody(1002));
  panel.events.length = 0;
});

const get = (path: string) => panel.call('GET', `/hosts${path}`);
const post = (path: string, body: object = {}) => panel.call('POST', `/hosts${path}`, body);
async function ok<T>(response: Promise<{ success: boolean; msg: string; obj: unknown }>): Promise<T> {
  const { success, msg, obj } = await response;
  if (!success) throw new Error(`${msg} ${JSON.stringify(obj)}`);
  return obj as T;
}
const list = () => ok<Host[]>(get('/list'));
const add = (body: object) => ok<Host>(post('/add', { inboundId: 1, remark: 'r', ...body }));

describe('rows', () => {
  test('an added host has every field, and pages are notified', async () => {
    const host = await add({
      address: 'cdn.example',
      sockoptParams: { mark: 5, V6Only: true },
      muxParams: '{"enabled":false}',
    });
    expect(host).toEqual({
      id: 1,
      groupId: expect.stringMatching(/^[a-z0-9]{16}$/),
      inboundId: 1,
      sortOrder: 0,
      remark: 'r',
      serverDescription: '',
      enable: true,
      isHidden: false,
      tags: [],
      address: 'cdn.example',
      port: 0,
      security: 'same',
      sni: '',
      overrideSniFromAddress: false,
      keepSniBlank: false,
      hostHeader: '',
      path: '',
      alpn: [],
      fingerprint: '',
      pinnedPeerCertSha256: [],
      verifyPeerCertByName: '',
      allowInsecure: false,
      echConfigList: '',
      muxParams: '',
      sockoptParams: '{"mark":5}',
      finalMask: '',
      vlessRoute: '',
      excludeFromSubTypes: [],
      yamlIpVersion: '',
      yamlX25519: false,
      shuffleHost: false,
      nodeGuids: [],
      createdAt: 1000,
      updatedAt: 1000,
    });
    expect(await ok(get('/get/1'))).toEqual(host);
    expect(panel.events).toEqual([{ type: 'invalidate', resource: 'hosts' }]);
    expect(panel.runtime.applied).toHaveLength(2);
  });

  test('an update replaces the content and nothing else', async () => {
    const before = await add({ tags: ['A'], sortOrder: 4 });
    panel.jumpClock(1_000);
    const after = await ok<Host>(
      post('/update/1', {
        id: 9,
        inboundId: 2,
        groupId: 'other',
        sortOrder: 9,
        remark: 'new',
        port: 8443,
        isDisabled: true,
      }),
    );
    expect(after).toEqual({ ...before, remark: 'new', tags: [], port: 8443, enable: false, updatedAt: 2000 });
    expect(await list()).toEqual([after]);
  });

  test('order, tags, switching and deleting', async () => {
    for (const tags of [['B'], ['A', 'B'], ['C']]) await add({ tags });
    await ok(post('/reorder', { ids: [3, 99, 1, 2] }));
    expect((await ok<Host[]>(get('/byInbound/1'))).map(({ id }) => id)).toEqual([3, 1, 2]);
    await ok(post('/setEnable/1', { enable: false }));
    expect(await ok(get('/tags'))).toEqual(['A', 'B', 'C']);
    await ok(post('/bulk/setEnable', { ids: [2, 3, 77], enable: false }));
    expect((await list()).every(({ enable }) => !enable)).toBe(true);
    await ok(post('/del/1'));
    await ok(post('/bulk/del', { ids: [2, 55] }));
    expect((await list()).map(({ id }) => id)).toEqual([3]);
    expect(await ok(get('/byInbound/404'))).toEqual([]);
    for (const path of ['/del/1', '/setEnable/1', '/update/1'])
      expect(await post(path, { enable: true, remark: 'x' })).toMatchObject({ success: false, msg: 'host not found' });
  });

  test('hosts are deleted with their inbound', async () => {
    await add({});
    await panel.post('/del/1');
    expect(await list()).toEqual([]);
  });

  test.each([
    [{ remark: '' }, 'remark', 'required'],
    [{ remark: 'a\r\nSet-Cookie: b' }, 'remark', 'format'],
    [{ remark: 'x'.repeat(1_000_000) }, 'remark', 'max'],
    [{ tags: ['lower'] }, 'tags[0]', 'pattern'],
    [{ vlessRoute: '70000' }, 'vlessRoute', 'pattern'],
    [{ vlessRoute: '9-3' }, 'vlessRoute', 'pattern'],
    [{ port: 65_536 }, 'port', 'lte'],
    [{ security: 'xtls' }, 'security', 'oneof'],
    [{ finalMask: '[1]' }, 'finalMask', 'format'],
    [{ muxParams: '{"a":{"__proto__":1}}' }, 'muxParams', 'format'],
    [{ excludeFromSubTypes: ['pdf'] }, 'excludeFromSubTypes[0]', 'oneof'],
    [{ inboundId: '1' }, 'inboundId', 'type'],
  ])('refuses %j', async (body, field, rule) => {
    const response = await post('/add', { inboundId: 1, remark: 'r', ...body });
    expect(response).toMatchObject({ success: false, obj: { issues: [expect.objectContaining({ field, rule })] } });
    expect(await list()).toEqual([]);
  });

  test.each(['a b', 'a/b', 'user@h', 'h:80', 'fe80::1%eth0', 'a"b'])('refuses the address %j', async (address) => {
    expect(await post('/add', { inboundId: 1, remark: 'r', address })).toMatchObject({
      success: false,
      error: { code: 'host.addressNotBare' },
    });
    expect(await list()).toEqual([]);
  });
});

describe('groups', () => {
  const group = {
    inboundIds: [1, 2, 1],
    hosts: ['h1.com', '[2001:db8::1]:80', 'h1.com:8443'],
    port: 8443,
    remark: 'g',
  };

  test('expand to all hosts, without duplicates, and are returned as saved', async () => {
    const rows = await ok<Host[]>(post('/bulk/add', group));
    expect(rows.map(({ inboundId, address, port }) => [inboundId, address, port])).toEqual([
      [1, 'h1.com', 8443],
      [2, 'h1.com', 8443],
      [1, '2001:db8::1', 80],
      [2, '2001:db8::1', 80],
    ]);
    const [shown] = await ok<[HostGroup]>(get('/groups'));
    expect(shown).toMatchObject({
      inboundIds: [1, 2],
      hosts: ['h1.com:8443', '[2001:db8::1]:80'],
      port: 0,
      remark: 'g',
    });
    const { groupId } = shown;
    expect(await ok<Host[]>(post(`/group/update/${groupId}`, shown))).toEqual(rows);
  });

  test("with the inbound's address and a port of their own are saved again as shown", async () => {
    const rows = await ok<Host[]>(post('/bulk/add', { inboundIds: [1, 2], port: 8443, remark: 'g' }));
    const shown = await ok<HostGroup>(get(`/group/${rows[0]!.groupId}`));
    expect(shown).toMatchObject({ hosts: [':8443'], port: 0 });
    expect(await ok<Host[]>(post(`/group/update/${shown.groupId}`, shown))).toEqual(rows);
  });

  test('an update keeps the ids of remaining rows', async () => {
    const rows = await ok<Host[]>(post('/bulk/add', group));
    panel.jumpClock(4_000);
    const { groupId } = rows[0]!;
    await ok(post(`/group/update/${groupId}`, { inboundIds: [2], hosts: ['h1.com:8443', 'new.com'], remark: 'h' }));
    expect(
      (await list()).map(({ id, address, port, remark, createdAt }) => [id, address, port, remark, createdAt]),
    ).toEqual([
      [2, 'h1.com', 8443, 'h', 1000],
      [5, 'new.com', 0, 'h', 5000],
    ]);
  });

  test('an unknown inbound or a bad address leaves everything as it was', async () => {
    const rows = await ok<Host[]>(post('/bulk/add', group));
    const { groupId } = rows[0]!;
    for (const bad of [{ inboundIds: [1, 99] }, { hosts: ['h1.com:65536'] }, { hosts: ['[2001:db8::1'] }]) {
      expect(await post(`/group/update/${groupId}`, { ...group, ...bad })).toMatchObject({ success: false });
      expect(await post('/bulk/add', { ...group, ...bad })).toMatchObject({ success: false });
    }
    expect(await post('/bulk/add', { ...group, inboundIds: [99] })).toMatchObject({ msg: 'inbound not found' });
    expect(await list()).toHaveLength(4);
    expect(await post('/bulk/add', { ...group, groupId })).toMatchObject({ success: false });
  });

  test('order, switching and deleting', async () => {
    const [one] = await ok<Host[]>(post('/bulk/add', { inboundIds: [1], remark: 'one' }));
    const [two] = await ok<Host[]>(post('/bulk/add', { inboundIds: [1], remark: 'two' }));
    await ok(post('/group/reorder', { ids: [two!.groupId, one!.groupId] }));
    expect((await ok<HostGroup[]>(get('/groups'))).map(({ remark }) => remark)).toEqual(['two', 'one']);
    await ok(post(`/group/setEnable/${one!.groupId}`, { enable: false }));
    expect(await ok(get(`/group/${one!.groupId}`))).toMatchObject({ enable: false, hosts: [''] });
    await ok(post(`/group/del/${one!.groupId}`));
    for (const response of [get(`/group/${one!.groupId}`), post(`/group/del/${one!.groupId}`)])
      expect(await response).toMatchObject({ success: false, msg: 'host not found' });
  });
});

test.each([
  ['h1.com', { address: 'h1.com', port: 8443 }],
  [' h1.com:443 ', { address: 'h1.com', port: 443 }],
  ['h1.com:0', { address: 'h1.com', port: 0 }],
  ['', { address: '', port: 8443 }],
  ['2001:db8::1', { address: '2001:db8::1', port: 8443 }],
  ['[2001:db8::1]', { address: '2001:db8::1', port: 8443 }],
  ['[2001:db8::1]:80', { address: '2001:db8::1', port: 80 }],
  ['h1.com:65536', null],
  ['h1.com:80a', null],
  ['h1.com:', null],
  [':80', { address: '', port: 80 }],
  [':', null],
  ['[2001:db8::1', null],
  ['[h1.com]:80', null],
])('entry %j', (text, entry) => expect(parseHostEntry(text, 8443)).toEqual(entry));

test('a new inbound imports the hosts of its legacy list', async () => {
  const externalProxy = [
    { forceTls: 'tls', dest: 'a.example', port: 443, remark: 'A', sni: 's.example', alpn: 'h2,http/1.1' },
    'nonsense',
    { forceTls: 'weird', dest: '[2001:db8::1]', port: 'x', alpn: ['nope'] },
  ];
  await panel.added(vlessBody(1003, { streamSettings: { network: 'tcp', security: 'none', externalProxy } }));
  expect(await ok(get('/byInbound/3'))).toMatchObject([
    {
      address: 'a.example',
      port: 443,
      remark: 'A',
      security: 'tls',
      sni: 's.example',
      alpn: ['h2', 'http/1.1'],
      sortOrder: 0,
    },
    { address: '2001:db8::1', port: 0, remark: 'imported 3', security: 'same', alpn: [], sortOrder: 2 },
  ]);
});

test('a legacy entry without a usable port has the port of the inbound, as in links', async () => {
  const ports = [undefined, null, '', '8443', ' 80 ', 65_536, '65536', -1, 1.5, 'x', 0, '0'];
  const externalProxy = ports.map((port) => ({ dest: 'a.example', port }));
  await panel.added(vlessBody(1003, { streamSettings: { network: 'tcp', security: 'none', externalProxy } }));
  const hosts = await ok<Host[]>(get('/byInbound/3'));
  expect(hosts.map(({ port }) => port)).toEqual([0, 0, 0, 8443, 80, 0, 0, 0, 0, 0, 0, 0]);
});
