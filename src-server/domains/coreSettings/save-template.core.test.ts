import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../contract/json.ts';
import { defaultTemplate } from '../../core/config/template/default-template.ts';
import { realCore } from '../../testing/core/core-bench.ts';
import { forEachTest } from '../../testing/for-each-test.ts';
import { openPanel } from '../../testing/panels/open-panel.ts';
import { freePort } from '../../testing/free-port.ts';

const panel = forEachTest(() => openPanel({ isWithoutCore: true, app: { core: realCore() } }));

const status = () => panel.parts.engine.core.status();
const post = (call: string, xraySetting: string) => panel.post(`/core/${call}`, { xraySetting });
const save = async (xraySetting: string) => (await post('update', xraySetting)).obj;
const stored = () => panel.parts.engine.templates.text();

/** The built-in template without a metrics listener, whose fixed port another core on this machine may use. */
function template(change: (template: JsonObject) => JsonObject = (same) => same): string {
  const { metrics: _, ...rest } = defaultTemplate();
  return JSON.stringify(change(rest));
}
const outbounds = (base: JsonObject): JsonObject[] => base['outbounds'] as JsonObject[];
const withOutbound = (outbound: JsonObject) => (base: JsonObject) => ({
  ...base,
  outbounds: [...outbounds(base), outbound],
});

it('reports what is applied live, what needs a restart, and what changes nothing', async () => {
  await save(template());
  const { bootId } = status();
  const extra = template(withOutbound({ tag: 'extra', protocol: 'freedom' }));
  const changes = [{ part: 'outbound', name: 'extra', action: 'added' }];
  expect((await post('preview', extra)).obj).toEqual({ kind: 'live', reason: '', changes });
  expect(await save(extra)).toEqual({ applied: 'live', reason: '', changes, coreWarnings: [] });
  expect(await save(await stored())).toMatchObject({ applied: 'unchanged' });
  expect(status().bootId).toBe(bootId);
  expect(await save(template((base) => ({ ...base, log: { loglevel: 'error' } })))).toEqual({
    applied: 'restarted',
    reason: expect.stringMatching(/./),
    changes: [],
    coreWarnings: [],
  });
  expect(status()).toMatchObject({ state: 'running' });
  expect(status().bootId).not.toBe(bootId);
  await panel.done('/server/stopCoreService');
  expect(await save(template())).toMatchObject({ applied: 'notRunning' });
  expect(status().state).toBe('stop');
});

it('refuses, with the tag, what the core would not start with, and leaves the running core alone', async () => {
  await save(template());
  const before = await stored();
  const { bootId } = status();
  const exposed = {
    tag: 'exit',
    protocol: 'vless',
    settings: { address: '8.8.8.8', port: 443, id: crypto.randomUUID(), encryption: 'none' },
  };
  expect((await post('update', template(withOutbound(exposed)))).error).toMatchObject({
    code: 'coreSettings.handlerRejected',
    params: { kind: 'outbound', tag: 'exit', text: expect.stringMatching(/^vless without TLS/) },
  });
  const odd = template((base) => ({ ...base, routing: { rules: [{ outboundTag: 'direct', ip: ['999.1.1.1'] }] } }));
  expect((await post('update', odd)).error).toMatchObject({
    code: 'coreSettings.templateRejected',
    params: { text: expect.stringContaining('999') },
  });
  expect(await stored()).toBe(before);
  expect(status()).toMatchObject({ state: 'running', bootId });
});

it('lets the core reach its own DNS server on a private address', async () => {
  const dns = createSocket('udp4');
  dns.bind(0, '127.0.0.1');
  await once(dns, 'listening');
  const port = await freePort();
  const queried = once(dns, 'message');
  await save(
    template((base) => ({
      ...base,
      dns: { servers: [{ address: '127.0.0.1', port: dns.address().port }] },
      inbounds: [{ tag: 'probe', listen: '127.0.0.1', port, protocol: 'http' }],
      routing: { ...(base['routing'] as JsonObject), domainStrategy: 'IPIfNonMatch' },
    })),
  );
  const client = connect(port, '127.0.0.1', () => client.write('CONNECT asked.example:443 HTTP/1.1\r\n\r\n'));
  try {
    const [query] = (await queried) as [Buffer];
    expect(query.toString('latin1')).toContain('asked\x07example');
  } finally {
    client.destroy();
    dns.close();
  }
});
