import { expect, test } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { startSubPanel } from '../../testing/panels/sub-panel.ts';

const GIB = 1024 ** 3;
const OSLO = {
  protocol: 'vless',
  port: 8080,
  remark: 'Oslo',
  streamSettings: { network: 'tcp', security: 'none', tcpSettings: { header: { type: 'none' } } },
};

const panel = forEachTest(() => startSubPanel(1_800_000_000_000));

test('E37 raw body and headers', async () => {
  await panel.set({ subTitle: 'Nord {{SUB_ID}}', subUpdates: 12 });
  const id = '5f0c2b7e-91d4-4c38-a6f1-0d9be27c4410';
  const client = { email: 'nina', id, subId: 'k3v9', totalGB: 20 * GIB, expiryTime: 1_800_781_300_000 };
  await panel.add(client, [await panel.inbound(OSLO)]);
  panel.write('UPDATE clientStates SET upBytes = ?, downBytes = ?', 2 * GIB, 3 * GIB);

  const forwarded = { 'x-forwarded-host': 's.example:10882', 'x-forwarded-proto': 'https' };
  const response = await panel.fetchSub('/sub/k3v9', forwarded);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'subscription-userinfo': 'upload=2147483648; download=3221225472; total=21474836480; expire=1800781300',
    'profile-update-interval': '12',
    'profile-title': 'base64:Tm9yZCBrM3Y5',
    'profile-web-page-url': 'https://s.example:10882/sub/k3v9',
    'routing-enable': 'false',
  });
  for (const absent of ['support-url', 'announce', 'routing', 'set-cookie'])
    expect([absent, response.headers.get(absent)]).toEqual([absent, null]);
  expect(await response.text()).toBe(
    'dmxlc3M6Ly81ZjBjMmI3ZS05MWQ0LTRjMzgtYTZmMS0wZDliZTI3YzQ0MTBAMjAzLjAuMTEzLjc3OjgwODA/ZW5jcnlwdGlvbj1ub25lJnNlY3VyaXR5PW5vbmUmdHlwZT10Y3AjT3Nsby1uaW5hJTdDJUYwJTlGJTkzJThBMTUuMDBHQiU3QyVFMiU4RiVCMzlECg==',
  );
});

test('E38 two clients sharing a subId', async () => {
  await panel.set({ remarkTemplate: '{{INBOUND}}-{{EMAIL}}', subEncrypt: false });
  const porto = await panel.inbound({ ...OSLO, remark: 'Porto' });
  const paros = await panel.inbound({ ...OSLO, remark: 'Paros', port: 8081 });
  const expiryTime = 1_900_000_000_000;
  await panel.add({ email: 'a@x', subId: 'z', totalGB: 10 * GIB, expiryTime }, [porto]);
  await panel.add({ email: 'b@x', subId: 'y', expiryTime }, [paros]);
  // The panel itself gives each client its own id; imported panels do not.
  panel.write("UPDATE clients SET subId = 'z'");

  const response = await panel.fetchSub('/sub/z');
  const names = (await response.text())
    .trimEnd()
    .split('\n')
    .map((link) => decodeURIComponent(new URL(link).hash));
  expect(names).toEqual(['#Porto-a@x', '#Paros']);
  expect(response.headers.get('subscription-userinfo')).toBe('upload=0; download=0; total=0; expire=1900000000');

  panel.write('UPDATE clientStates SET expiresAtMs = 0 WHERE quotaBytes = 0');
  const changed = await panel.fetchSub('/sub/z');
  expect(changed.headers.get('subscription-userinfo')).toBe('upload=0; download=0; total=0; expire=0');
});
