import { beforeEach, expect, test } from 'vitest';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startClientPanel } from '../../../testing/panels/client-panel.ts';

const panel = forEachTest(startClientPanel);
beforeEach(async () => {
  await panel.add({ email: 'alice' }, [await panel.inbound()]);
});

const set = (externalLinks: unknown, email = 'alice') => panel.post(`/${email}/externalLinks`, { externalLinks });
const stored = async () => (await panel.ok<{ externalLinks: unknown[] }>(panel.get('/get/alice'))).externalLinks;
const VMESS = `vmess://${Buffer.from('{"add":"a.example","port":"443","id":"x"}').toString('base64')}`;
const SS = `ss://${Buffer.from('aes-256-gcm:secret@10.0.0.1:8388').toString('base64')}`;

test('the set is replaced in the given order; blank rows are dropped and values trimmed', async () => {
  expect(
    await set([
      { kind: '', value: ' vless://uuid@a.example:443?type=tcp#one ', remark: 'one' },
      { kind: 'link', value: '   ' },
      { kind: 'subscription', value: 'https://b.example/sub/1' },
      { value: 'trojan://pw@[2001:db8::1]:80' },
      { value: VMESS },
      { value: SS },
      { value: 'hy2://secret@c.example:8443/?sni=c.example' },
      // Without a port, 443; names are often written as they are.
      { value: 'vless://uuid@a.example?type=tcp#My node' },
      { value: 'wg://key@d.example:51820?publickey=k' },
    ]),
  ).toEqual({ success: true, msg: 'The external links have been saved.', obj: null });
  expect(await stored()).toEqual([
    { kind: 'link', value: 'vless://uuid@a.example:443?type=tcp#one', remark: 'one' },
    { kind: 'subscription', value: 'https://b.example/sub/1', remark: '' },
    { kind: 'link', value: 'trojan://pw@[2001:db8::1]:80', remark: '' },
    { kind: 'link', value: VMESS, remark: '' },
    { kind: 'link', value: SS, remark: '' },
    { kind: 'link', value: 'hy2://secret@c.example:8443/?sni=c.example', remark: '' },
    { kind: 'link', value: 'vless://uuid@a.example?type=tcp#My node', remark: '' },
    { kind: 'link', value: 'wg://key@d.example:51820?publickey=k', remark: '' },
  ]);
  expect(panel.events.at(-1)).toEqual({ type: 'invalidate', resource: 'clients' });
  await panel.ok(set([]));
  expect(await stored()).toEqual([]);
});

test.each([
  [{ value: 'hello' }, 'unsupported or invalid share link: hello'],
  [{ value: 'vless://a.example:443' }, 'unsupported or invalid share link: vless://a.example:443'],
  [{ value: 'vless://uuid@' }, 'unsupported or invalid share link: vless://uuid@'],
  [{ value: 'trojan://a@b\ntrojan://c@d' }, 'unsupported or invalid share link: trojan://a@b\ntrojan://c@d'],
  [{ value: 'vmess://e30=' }, 'unsupported or invalid share link: vmess://e30='],
  [{ value: 'socks://a:b@c.example:1' }, 'unsupported or invalid share link: socks://a:b@c.example:1'],
  [{ kind: 'subscription', value: 'ftp://a' }, 'external subscription must be an http(s) URL: ftp://a'],
  [{ kind: 'subscription', value: 'https://' }, 'external subscription must be an http(s) URL: https://'],
  [{ kind: 'other', value: 'x' }, 'unknown external link kind: other'],
])('a bad row refuses the whole call: %j', async (row, message) => {
  const good = { kind: 'link', value: 'trojan://pw@a.example:443', remark: '' };
  await panel.ok(set([good]));
  expect(await panel.refusal(set([{ value: 'trojan://other@a.example:443' }, row]))).toBe(message);
  expect(await stored()).toEqual([good]);
});

test('unknown clients and oversized input are refused; the links are deleted with their client', async () => {
  expect(await panel.refusal(set([], 'nobody'))).toBe('client not found');
  expect(await panel.refusal(set([{ value: `vless://${'x'.repeat(9000)}` }]))).toBe('request body failed validation');
  expect(await panel.refusal(set('text'))).toBe('request body failed validation');
  await panel.ok(set([{ value: 'trojan://pw@a.example:443' }]));
  await panel.ok(panel.post('/del/alice'));
  expect(await panel.store.reader.selectFrom('clientExternalLinks').selectAll().execute()).toEqual([]);
});

test('a subscription is shown with the result of its last fetch', async () => {
  const url = 'https://b.example/sub/1';
  await panel.ok(set([{ kind: 'subscription', value: url }, { value: SS }]));
  await panel.store.write(async (trx) => {
    await trx
      .insertInto('remoteSubscriptions')
      .values({ url, fetchedAtMs: 5, error: 'non-2xx subscription response' })
      .execute();
  });
  expect(await stored()).toEqual([
    {
      kind: 'subscription',
      value: url,
      remark: '',
      lastFetchAt: 5,
      lastFetchError: 'non-2xx subscription response',
    },
    { kind: 'link', value: SS, remark: '' },
  ]);
});
