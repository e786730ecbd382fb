import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../contract/json.ts';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startInboundPanel, vlessBody } from '../../../testing/panels/inbound-panel.ts';
import type { Inbound } from '../contract.ts';

const panel = forEachTest(startInboundPanel);

const withClients = (port: number, emails: string[], more: object = {}) =>
  vlessBody(port, {
    settings: { decryption: 'none', encryption: 'none', clients: emails.map((email) => ({ email })) },
    ...more,
  });

async function updated(id: number, body: object): Promise<Inbound> {
  const response = await panel.post(`/update/${id}`, body);
  expect(response).toMatchObject({ success: true, msg: 'Inbound has been successfully updated.' });
  return response.obj as Inbound;
}

const emailsOf = (inbound: Inbound) =>
  ((inbound.settings as { clients: { email: string }[] }).clients ?? []).map(({ email }) => email);

describe('POST /update/:id', () => {
  it('replaces the configuration and keeps identity, counters and node', async () => {
    await panel.added(vlessBody(443, { up: 5, down: 6, remark: 'old', total: 9 }));
    const sent = vlessBody(443, { remark: 'new', up: 100, id: 12, nodeId: 4, trafficReset: 'daily' });
    expect(await updated(1, sent)).toMatchObject({
      id: 1,
      remark: 'new',
      total: 0,
      up: 5,
      down: 6,
      nodeId: null,
      trafficReset: 'daily',
    });
  });

  it('keeps enable when it is omitted', async () => {
    await panel.added(vlessBody(443, { enable: false }));
    const { enable: _, ...body } = vlessBody(443);
    expect((await updated(1, body)).enable).toBe(false);
    expect((await updated(1, vlessBody(443))).enable).toBe(true);
    expect((await updated(1, body)).enable).toBe(true);
  });

  it('records what disabled it', async () => {
    await panel.added(vlessBody(443));
    const by = async () =>
      (await panel.store.reader.selectFrom('inbounds').select('disabledBy').executeTakeFirst())?.disabledBy;
    await panel.store.write((trx) => trx.updateTable('inbounds').set({ enable: 0, disabledBy: 'loop' }).execute());
    const { enable: _, ...body } = vlessBody(443);
    await updated(1, body);
    expect(await by()).toBe('loop');
    await updated(1, vlessBody(443));
    expect(await by()).toBe('');
    await updated(1, vlessBody(443, { enable: false }));
    expect(await by()).toBe('admin');
  });

  it('treats settings.clients as authoritative, and its absence as "keep"', async () => {
    await panel.added(withClients(443, ['a', 'b']));
    expect(emailsOf(await updated(1, vlessBody(443)))).toEqual(['a', 'b']);
    expect(emailsOf(await updated(1, withClients(443, ['b', 'c'])))).toEqual(['b', 'c']);
    expect(panel.runtime.applied.at(-1)).toEqual({
      inboundIds: [],
      users: [{ inboundId: 1, emails: ['a', 'c'] }],
    });
    expect(emailsOf(await updated(1, withClients(443, [])))).toEqual([]);
  });

  it('does not involve the core for a remark or a limit, only for other changes', async () => {
    await panel.added(vlessBody(443));
    panel.runtime.applied.length = 0;
    await updated(1, vlessBody(443, { remark: 'x', total: 5 }));
    expect(panel.runtime.applied).toEqual([]);
    await updated(1, vlessBody(443, { streamSettings: { network: 'ws' } }));
    expect(panel.runtime.applied).toEqual([{ inboundIds: [1], users: [] }]);
    expect(panel.events.at(-2)).toEqual({ type: 'invalidate', resource: 'inbounds' });
    expect(panel.events.at(-1)).toEqual({ type: 'invalidate', resource: 'clients' });
  });

  it('does not conflict with itself, but with others', async () => {
    await panel.added(vlessBody(443));
    await panel.added(vlessBody(444));
    await updated(1, vlessBody(443, { listen: '127.0.0.1' }));
    expect((await panel.post('/update/2', vlessBody(443))).msg).toBe(
      "port 443 (tcp) already used by inbound 'in-443-tcp' (#1) on 127.0.0.1",
    );
    expect((await panel.get('/get/2')).obj).toMatchObject({ port: 444, tag: 'in-444-tcp' });
  });

  it('moves a generated tag and the routing rules with the port, and keeps a custom tag', async () => {
    const rule = (...tags: string[]): JsonObject => ({ inboundTag: tags, outboundTag: 'direct' });
    const rules = async () => ((await panel.template.read())['routing'] as JsonObject)['rules'];
    await panel.added(vlessBody(443));
    await panel.added(vlessBody(444, { tag: 'custom' }));
    await panel.setTemplate({ routing: { rules: [rule('in-443-tcp', 'x'), rule('custom')] } });

    expect((await updated(1, vlessBody(1443, { tag: 'in-443-tcp' }))).tag).toBe('in-1443-tcp');
    expect(await rules()).toEqual([rule('in-1443-tcp', 'x'), rule('custom')]);
    expect(panel.runtime.applied.at(-1)).toEqual({ inboundIds: [1], users: [], everything: true });
    expect((await updated(2, vlessBody(1444))).tag).toBe('custom');
    expect(await rules()).toEqual([rule('in-1443-tcp', 'x'), rule('custom')]);
    expect((await updated(2, vlessBody(1444, { tag: 'other' }))).tag).toBe('other');
    expect(await rules()).toEqual([rule('in-1443-tcp', 'x'), rule('other')]);
    expect((await updated(2, vlessBody(1444, { tag: 'in-1443-tcp' }))).tag).toBe('in-1444-tcp');
  });

  it('gives the settings of the directory the new tag', async () => {
    await panel.added(vlessBody(443));
    await panel.done('/setting/update', { ldapInboundTags: 'other, in-443-tcp' });
    panel.events.length = 0;
    await updated(1, vlessBody(1443));
    const { ldapInboundTags } = await panel.done<{ ldapInboundTags: string }>('/setting/all');
    expect(ldapInboundTags).toBe('other,in-1443-tcp');
    expect(panel.events).toContainEqual({ type: 'invalidate', resource: 'settings' });
  });

  it('keeps a numbered generated tag while the place stays', async () => {
    await panel.added(vlessBody(443, { listen: '1.1.1.1' }));
    const { tag } = await panel.added(vlessBody(443, { listen: '2.2.2.2' }));
    expect(tag).toBe('in-443-tcp-2');
    expect((await updated(2, vlessBody(443, { listen: '3.3.3.3' }))).tag).toBe('in-443-tcp-2');
  });

  it('adapts clients when cipher, protocol or flow capability changes', async () => {
    const ss = (method: string, more: object = {}) =>
      vlessBody(443, { protocol: 'shadowsocks', settings: { method, password: '', network: 'tcp', ...more } });
    await panel.added(ss('aes-256-gcm'));
    panel.calls.length = 0;
    await updated(1, ss('chacha20-ietf-poly1305'));
    expect(panel.calls).toContain('regenerateForCipher shadowsocks');
    panel.calls.length = 0;
    await updated(1, ss('chacha20-ietf-poly1305', { network: 'tcp,udp' }));
    expect(panel.calls).not.toContain('regenerateForCipher shadowsocks');
    await updated(1, vlessBody(443));
    expect(panel.calls).toContain('regenerateForCipher vless');
    expect(panel.calls).not.toContain('adaptFlows vless');
    const encrypted = { decryption: `mlkem768x25519plus.native.600s.${'A'.repeat(43)}`, encryption: 'none' };
    await updated(1, vlessBody(443, { settings: encrypted, streamSettings: { network: 'xhttp', xhttpSettings: {} } }));
    expect(panel.calls).toContain('adaptFlows vless');
  });

  it('gives clients new keys when the cipher needs another length, and new credentials with another protocol', async () => {
    const inbound = (protocol: string, settings: object) => ({ port: 443, protocol, settings });
    const server = (bytes: number) => Buffer.alloc(bytes, 1).toString('base64');
    const aes256 = { method: '2022-blake3-aes-256-gcm', password: server(32), network: 'tcp' };
    const aes128 = { method: '2022-blake3-aes-128-gcm', password: server(16), network: 'tcp' };
    await panel.added(inbound('shadowsocks', { ...aes256, clients: [{ email: 'a' }] }));
    const entry = async () =>
      ((await panel.get('/get/1')).obj as { settings: { clients: JsonObject[] } }).settings.clients[0]!;
    expect(Buffer.from((await entry())['password'] as string, 'base64')).toHaveLength(32);
    await updated(1, inbound('shadowsocks', aes128));
    expect(Buffer.from((await entry())['password'] as string, 'base64')).toHaveLength(16);
    expect(await entry()).not.toHaveProperty('method');
    await updated(1, inbound('vmess', {}));
    expect((await entry())['id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(panel.runtime.applied.at(-1)?.inboundIds).toEqual([1]);
  });

  it('detaches clients when the new protocol has none', async () => {
    await panel.added(withClients(443, ['a']));
    await updated(1, { port: 443, protocol: 'http', settings: { accounts: [] } });
    expect(await panel.store.reader.selectFrom('clientInbounds').selectAll().execute()).toEqual([]);
    expect((await panel.get('/get/1')).obj).toMatchObject({ settings: { accounts: [] }, clientStats: [] });
  });

  it('updates masters when a fallback child moves', async () => {
    await panel.added(vlessBody(443));
    await panel.added(vlessBody(8081, { listen: '127.0.0.1' }));
    await panel.post('/1/fallbacks', { fallbacks: [{ childId: 2 }] });
    await updated(2, vlessBody(8082, { listen: '127.0.0.1' }));
    expect(panel.runtime.applied.at(-1)?.inboundIds).toEqual([2, 1]);
  });

  it('changes nothing when refused', async () => {
    await panel.added(withClients(443, ['a']));
    await panel.added(withClients(444, ['b']));
    const before = (await panel.get('/list')).obj;
    const changes = panel.runtime.applied.length;
    expect((await panel.post('/update/1', withClients(445, ['a', 'B'], { remark: 'x' }))).msg).toBe(
      'Duplicate email: B',
    );
    panel.core.verdict = { ok: false, text: 'no such transport' };
    expect((await panel.post('/update/1', vlessBody(445))).msg).toBe(
      'the core refuses this inbound: no such transport',
    );
    expect((await panel.post('/update/1', vlessBody(0))).success).toBe(false);
    expect((await panel.get('/list')).obj).toEqual(before);
    expect(panel.runtime.applied).toHaveLength(changes);
  });

  it.each(['9', '0', '-1', '1e3', 'x', '1%20OR%201=1'])('refuses the id %s', async (id) => {
    await panel.added(vlessBody(443));
    const response = await panel.post(`/update/${id}`, vlessBody(445));
    expect(response.success).toBe(false);
    expect(response.msg).toBe(id === '9' ? 'record not found' : 'request body failed validation');
  });

  it('reads forms', async () => {
    await panel.added(vlessBody(443));
    const form = new URLSearchParams({
      port: '445',
      protocol: 'vless',
      settings: '{"decryption":"none"}',
      enable: 'false',
    });
    const response = await panel.post('/update/1', form);
    expect(response.obj).toMatchObject({ port: 445, enable: false, streamSettings: null });
  });
});

describe('POST /setEnable/:id', () => {
  it('flips the flag, notifies the core and the pages of inbounds', async () => {
    await panel.added(vlessBody(443));
    panel.runtime.applied.length = 0;
    panel.events.length = 0;
    const response = await panel.post('/setEnable/1', { enable: false });
    expect(response).toEqual({ success: true, msg: 'Inbound has been successfully updated.', obj: null });
    expect(panel.runtime.applied).toEqual([{ inboundIds: [1] }]);
    expect(panel.events).toEqual([{ type: 'invalidate', resource: 'inbounds' }]);
    expect((await panel.post('/setEnable/1', new URLSearchParams({ enable: 'true' }))).success).toBe(true);
    expect((await panel.get('/get/1')).obj).toMatchObject({ enable: true });
  });

  it('does nothing when it is already in that state', async () => {
    await panel.added(vlessBody(443));
    panel.runtime.applied.length = 0;
    panel.events.length = 0;
    expect((await panel.post('/setEnable/1', { enable: true })).success).toBe(true);
    expect([panel.runtime.applied, panel.events]).toEqual([[], []]);
  });

  it('does not enable what the core refuses, but disables anything', async () => {
    await panel.added(vlessBody(443, { enable: false }));
    panel.core.verdict = { ok: false, text: 'bad' };
    expect((await panel.post('/setEnable/1', { enable: true })).msg).toBe('the core refuses this inbound: bad');
    expect((await panel.get('/get/1')).obj).toMatchObject({ enable: false });
    await panel.store.write((trx) => trx.updateTable('inbounds').set({ enable: 1 }).execute());
    expect((await panel.post('/setEnable/1', { enable: false })).success).toBe(true);
  });

  it('refuses unknown ids and other bodies', async () => {
    expect((await panel.post('/setEnable/5', { enable: true })).msg).toBe('record not found');
    for (const enable of [undefined, 'perhaps', 5, null])
      expect((await panel.post('/setEnable/5', { enable })).msg).toBe('request body failed validation');
  });
});
