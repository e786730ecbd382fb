import { beforeEach, describe, expect, it } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { API_TOKEN } from '../../../testing/credentials.ts';
import { REALITY_STREAM, startInboundPanel, vlessBody } from '../../../testing/panels/inbound-panel.ts';
import type { CountedInbound, Inbound } from '../contract.ts';

const panel = forEachTest(startInboundPanel);

const UUID = 'e18c9a96-71bf-48d4-933f-8b9a46d4290c';

describe('lists', () => {
  beforeEach(async () => {
    panel.online.add('a');
    const clients = [
      { email: 'a', id: UUID, subId: 's-a', comment: 'first' },
      { email: 'b', subId: 's-b', enable: false },
    ];
    await panel.added(vlessBody(443, { settings: { decryption: 'none', clients } }));
    await panel.added(vlessBody(444, { settings: { decryption: 'none', clients: [clients[0]] } }));
  });

  it('/list shows whole clients and counters without the totals of other panels', async () => {
    const inbounds = (await panel.get('/list')).obj as Inbound[];
    expect(inbounds.map(({ id }) => id)).toEqual([1, 2]);
    expect((inbounds[0]!.settings as { clients: object[] }).clients).toMatchObject([
      { email: 'a', id: UUID, subId: 's-a' },
      { email: 'b', subId: 's-b' },
    ]);
    expect(inbounds.map(({ clientStats }) => clientStats.map(({ email, uuid }) => [email, uuid]))).toEqual([
      [
        ['a', UUID],
        ['b', expect.any(String)],
      ],
      [['a', UUID]],
    ]);
    expect(panel.calls.at(-1)).toBe('statsOf overlay=false');
    expect(inbounds.every((inbound) => !('userId' in inbound))).toBe(true);
  });

  it('/list/slim reduces clients and includes totals', async () => {
    const [first] = (await panel.get('/list/slim')).obj as Inbound[];
    expect(first?.settings).toEqual({
      decryption: 'none',
      clients: [
        { email: 'a', enable: true, comment: 'first' },
        { email: 'b', enable: false },
      ],
    });
    expect(first?.clientStats.map(({ email, uuid, subId }) => [email, uuid, subId])).toEqual([
      ['a', '', ''],
      ['b', '', ''],
    ]);
    expect(panel.calls.at(-1)).toBe('statsOf overlay=true');
  });

  it.each(['/list', '/list/slim'])(
    '%s is not sent again to a caller that holds it until something is committed',
    async (list) => {
      const url = `${panel.app.panel.url}panel/api/inbounds${list}`;
      const authorization = `Bearer ${API_TOKEN}`;
      const first = await fetch(url, { headers: { authorization } });
      const tag = first.headers.get('etag')!;
      const known = { authorization, 'If-None-Match': `"another", ${tag}` };
      expect(await first.json()).toMatchObject({ success: true, obj: [{ id: 1 }, { id: 2 }] });
      const same = await fetch(url, { headers: known });
      expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', tag]);
      await panel.store.write((trx) => trx.updateTable('clientStates').set({ upBytes: 5 }).execute());
      const moved = await fetch(url, { headers: known });
      expect(moved.status).toBe(200);
      expect(moved.headers.get('etag')).not.toBe(tag);
      expect(await moved.json()).toMatchObject({ obj: [{ clientStats: [{ up: 5 }, { up: 5 }] }, {}] });
    },
  );

  it('/list/counted and /get/:id/counted return numbers of clients and read none of them', async () => {
    const callsBefore = panel.calls.length;
    const counted = (await panel.get('/list/counted')).obj as CountedInbound[];
    expect(counted.map(({ id, clientCount, onlineCount }) => [id, clientCount, onlineCount])).toEqual([
      [1, 2, 1],
      [2, 1, 1],
    ]);
    expect(counted[0]).toMatchObject({ port: 443, settings: { decryption: 'none' } });
    expect(counted[0]!.settings).not.toHaveProperty('clients');
    expect(counted[0]).not.toHaveProperty('clientStats');
    expect((await panel.get('/get/1/counted')).obj).toEqual(counted[0]);
    expect((await panel.get('/get/9/counted')).msg).toBe('record not found');
    expect(panel.calls.length).toBe(callsBefore);
  });

  it('/soleClients counts clients without another inbound', async () => {
    const count = async (...ids: number[]) => (await panel.post('/soleClients', { ids })).obj;
    expect(await count(1)).toEqual({ count: 1 });
    expect(await count(2)).toEqual({ count: 0 });
    expect(await count(1, 2, 9)).toEqual({ count: 2 });
    expect(await count()).toEqual({ count: 0 });
  });

  it('/get/:id returns one, including totals', async () => {
    expect((await panel.get('/get/2')).obj).toMatchObject({ id: 2, port: 444, clientStats: [{ email: 'a' }] });
    expect(panel.calls.at(-1)).toBe('statsOf overlay=true');
    expect(await panel.get('/get/9')).toMatchObject({ success: false, msg: 'record not found', obj: null });
    expect((await panel.get('/get/x')).success).toBe(false);
  });
});

it('/options returns what a form needs', async () => {
  await panel.added(vlessBody(443, { remark: 'VLESS-443', streamSettings: REALITY_STREAM }));
  await panel.added(vlessBody(444));
  const ss = { method: 'aes-256-gcm', password: '', network: 'tcp' };
  await panel.added({ ...vlessBody(445), protocol: 'shadowsocks', settings: ss, enable: false, listen: '127.0.0.1' });
  const plain = { remark: '', protocol: 'vless', tlsFlowCapable: false, ssMethod: '', enable: true, listen: '' };
  const here = { nodeId: null, nodeAddress: '' };
  expect((await panel.get('/options')).obj).toEqual([
    { ...plain, ...here, id: 1, tag: 'in-443-tcp', port: 443, remark: 'VLESS-443', tlsFlowCapable: true },
    { ...plain, ...here, id: 2, tag: 'in-444-tcp', port: 444 },
    {
      ...plain,
      ...here,
      id: 3,
      tag: 'in-445-tcp',
      port: 445,
      protocol: 'shadowsocks',
      ssMethod: 'aes-256-gcm',
      enable: false,
      listen: '127.0.0.1',
    },
  ]);
});

it('returns stored text that is not valid JSON unchanged', async () => {
  await panel.added(vlessBody(443));
  await panel.store.write((trx) =>
    trx.updateTable('inbounds').set({ settings: '{"clients": [', streamSettings: 'not json', sniffing: '' }).execute(),
  );
  for (const path of ['/get/1', '/list', '/list/slim']) {
    const { obj } = await panel.get(path);
    const inbound = Array.isArray(obj) ? (obj[0] as Inbound) : (obj as Inbound);
    expect(inbound).toMatchObject({ settings: '{"clients": [', streamSettings: 'not json', sniffing: null });
  }
  expect((await panel.get('/options')).obj).toMatchObject([{ tlsFlowCapable: false }]);
});

it('shows old rows: a tun protocol, a port map as an object', async () => {
  const tunnel = { rewriteAddress: 'example.com', rewritePort: 80, allowedNetwork: 'tcp' };
  await panel.added({ port: 443, protocol: 'tunnel', settings: tunnel });
  await panel.added({ port: 444, protocol: 'http', settings: { accounts: [] } });
  await panel.store.write(async (trx) => {
    await trx
      .updateTable('inbounds')
      .set({ settings: JSON.stringify({ portMap: { '8443': 'example.com:443' } }) })
      .where('id', '=', 1)
      .execute();
    await trx
      .updateTable('inbounds')
      .set({ protocol: 'tun', settings: '{"name":"xray0","mtu":1500}' })
      .where('id', '=', 2)
      .execute();
  });
  expect((await panel.get('/list')).obj).toMatchObject([
    { settings: { portMap: [{ name: '8443', value: 'example.com:443' }] } },
    { protocol: 'tun', settings: { name: 'xray0', mtu: 1500 } },
  ]);
});

it('is empty at first', async () => {
  for (const path of ['/list', '/list/slim', '/options'])
    expect(await panel.get(path)).toEqual({ success: true, msg: '', obj: [] });
});
