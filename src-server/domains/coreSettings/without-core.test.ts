import { expect, it } from 'vitest';
import { forAllTests } from '../../testing/for-each-test.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';

/** The whole panel on a machine without a core: every call that needs one reports that. */

const panel = forAllTests(() => openPanel({ isWithoutCore: true }));

const call = (method: 'GET' | 'POST', path: string, fields: Record<string, string> = {}) =>
  panel.call(method, `/${path}`, method === 'POST' ? new URLSearchParams(fields) : undefined);

it.each<['GET' | 'POST', string, Record<string, string>]>([
  ['GET', 'server/getNewmldsa65', {}],
  ['GET', 'server/getNewmlkem768', {}],
  ['GET', 'server/getNewVlessEnc', {}],
  ['POST', 'server/getNewEchCert', { sni: 'example.com' }],
])('%s %s: no key material without a core, and how to fix it', async (method, path, fields) => {
  const { success, msg } = await call(method, path, fields);
  expect(success).toBe(false);
  expect(msg).toMatch(/core/i);
  expect(msg).toContain('no-such-core');
});

it.each<[string, Record<string, string>, string]>([
  ['core/routeTest', { domain: 'a.example' }, 'core is not running'],
  ['core/balancerOverride', { tag: 'b', target: 'a' }, 'core is not running'],
])('POST %s %j: %s', async (path, fields, text) => {
  expect(await call('POST', path, fields)).toMatchObject({ success: false, msg: text });
});

it('balancers do not run, and tests report that there is no core', async () => {
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
