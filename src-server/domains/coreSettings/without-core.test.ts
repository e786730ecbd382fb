import { expect, it } from 'vitest';
import type { Envelope } from '../../contract/envelope.ts';
import { forAllTests } from '../../testing/for-each-test.ts';
import { API_TOKEN } from '../../testing/credentials.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';

/** The whole panel on a machine where no core is installed: every call that needs one says so. */

const panel = forAllTests(() => openPanel({ isWithoutCore: true }));

async function call(method: 'GET' | 'POST', path: string, fields: Record<string, string> = {}): Promise<Envelope> {
  const answer = await fetch(new URL(`panel/api/${path}`, panel.app.panel.url), {
    method,
    headers: { authorization: `Bearer ${API_TOKEN}` },
    ...(method === 'POST' ? { body: new URLSearchParams(fields) } : {}),
  });
  return (await answer.json()) as Envelope;
}

it.each<['GET' | 'POST', string, Record<string, string>]>([
  ['GET', 'server/getNewmldsa65', {}],
  ['GET', 'server/getNewmlkem768', {}],
  ['GET', 'server/getNewVlessEnc', {}],
  ['POST', 'server/getNewEchCert', { sni: 'example.com' }],
])('%s %s: no key material without a core, and what to do about it', async (method, path, fields) => {
  const { success, msg } = await call(method, path, fields);
  expect(success).toBe(false);
  expect(msg).toMatch(/core/i);
  expect(msg).toContain('no-such-core');
});

it.each<[string, Record<string, string>, string]>([
  ['core/routeTest', { domain: 'a.example' }, 'core is not running'],
  ['core/balancerOverride', { tag: 'b', target: 'a' }, 'core is not running'],
  ['core/balancerOverride', { tag: ' ' }, 'tag is required'],
  ['core/routeTest', {}, 'domain or ip is required'],
  ['core/routeTest', { ip: '1.2.3' }, 'invalid IP address: 1.2.3'],
  ['core/routeTest', { domain: 'a.example', port: '70000' }, 'invalid port'],
  ['core/testOutbound', {}, 'outbound parameter is required'],
  ['core/testOutbounds', { outbounds: '' }, 'outbounds parameter is required'],
  ['core/tunnel/config', {}, 'tunnel not registered: missing access_token or device_id'],
  ['core/tunnel/changeIp', {}, 'tunnel not registered: missing access_token or device_id'],
  ['core/tunnel/nothing', {}, 'unknown action'],
  ['core/vpn/servers', {}, 'invalid country ID'],
  ['core/outbound-subs', {}, 'Failed to create outbound subscription (url is required)'],
  ['core/outbound-subs/parse', {}, 'Failed to fetch/parse subscription (url is required)'],
  ['core/outbound-subs/7/refresh', {}, 'subscription not found'],
  ['core/outbound-subs/seven/move', {}, 'Invalid id'],
])('POST %s %j: %s', async (path, fields, text) => {
  expect(await call('POST', path, fields)).toMatchObject({ success: false, msg: text });
});

it('balancers do not run, and tests say that no core is there', async () => {
  expect((await call('POST', 'core/balancerStatus', { tags: 'a,,' })).obj).toEqual({
    a: { tag: 'a', running: false, override: '', selected: [] },
  });
  const outbound = JSON.stringify({ tag: 'a', protocol: 'vless', settings: { address: 'a.example', port: 1 } });
  // An address instead of a name: nothing is resolved in this test.
  await call('POST', 'core/update', {
    xraySetting: JSON.stringify({ outbounds: [{ tag: 'direct', protocol: 'freedom' }] }),
    outboundTestUrl: 'http://93.184.216.34/',
  });
  expect((await call('POST', 'core/testOutbound', { outbound })).obj).toMatchObject({
    success: false,
    error: expect.stringMatching(/core/i),
  });
});

it('the interval of the tunnel is one of the settings', async () => {
  expect(await call('POST', 'core/tunnel/interval', { interval: '9' })).toMatchObject({ success: true, obj: '' });
  expect((await call('POST', 'setting/all')).obj).toMatchObject({ tunnelUpdateInterval: 9 });
});

it('a refresh of all subscriptions is a job', async () => {
  const { obj } = await call('POST', 'core/outbound-subs/refresh');
  const { jobId } = obj as { jobId: string };
  let job = (await call('GET', `jobs/${jobId}`)).obj as { state: string };
  while (job.state === 'running') job = (await call('GET', `jobs/${jobId}`)).obj as { state: string };
  expect(job).toMatchObject({ kind: 'refreshOutboundSubs', state: 'done', result: { refreshed: 0, failed: [] } });
});
