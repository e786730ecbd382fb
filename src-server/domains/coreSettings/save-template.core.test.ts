import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '../../contract/json.ts';
import { defaultTemplate } from '../../core/config/template/default-template.ts';
import { createCore, type LocalCore } from '../../core/create-core.ts';
import { createLocalRuntime } from '../../runtime/local-runtime.ts';
import { openSecrets } from '../../store/secrets/secret-key.ts';
import { manualSchedule } from '../../testing/manual-schedule.ts';
import { openTestStore, recordingLogger } from '../../testing/test-store.ts';
import { createHiddenSettings } from '../settings/hidden-settings.ts';
import { createSaveTemplate } from './save-template.ts';
import { createTemplateStore, type TemplateStore } from './template-store.ts';

let opened: Awaited<ReturnType<typeof openTestStore>>;
let core: LocalCore;
let templates: TemplateStore;
let save: ReturnType<typeof createSaveTemplate>['save'];
let preview: ReturnType<typeof createSaveTemplate>['preview'];

beforeEach(async () => {
  opened = await openTestStore();
  const { store, dataDir } = opened;
  const log = recordingLogger();
  const values = createHiddenSettings(store, await openSecrets({ dataDir, log, clock: Date.now }));
  templates = createTemplateStore(values);
  const full = async () => ({
    template: await templates.read(),
    inbounds: [],
    subscribedOutbounds: { prepend: [], append: [] },
  });
  const assetDir = join(dataDir, 'core');
  await mkdir(assetDir);
  core = createCore({
    dataDir,
    resourcesDir: join(dataDir, 'resources'),
    binary: process.env['CORE_BINARY'],
    desired: { full, inbound: async () => null, inboundUsers: async () => null },
    log,
    clock: Date.now,
    schedule: manualSchedule().schedule,
  });
  const runtime = createLocalRuntime(
    core,
    () => templates.read(),
    async () => [],
  );
  ({ save, preview } = createSaveTemplate({
    requireFreePort: async () => undefined,
    store,
    values,
    templates,
    runtime,
    plan: (wanted) => core.plan(wanted),
    subscribedOutbounds: async () => ({ prepend: [], append: [] }),
    assetDir,
    publish: () => {},
  }));
  await core.boot();
});
afterEach(async () => {
  await core.close();
  await opened.dispose();
});

/** The built-in template without a metrics listener, whose fixed port another core on this machine may hold. */
function template(change: (template: JsonObject) => JsonObject = (same) => same): string {
  const { metrics: _, ...rest } = defaultTemplate();
  return JSON.stringify(change(rest));
}
const outbounds = (base: JsonObject): JsonObject[] => base['outbounds'] as JsonObject[];
const withOutbound = (outbound: JsonObject) => (base: JsonObject) => ({
  ...base,
  outbounds: [...outbounds(base), outbound],
});

it('tells what goes live, what needs a restart, and what changes nothing', async () => {
  await save(template(), '', '');
  const { bootId } = core.status();
  const extra = template(withOutbound({ tag: 'extra', protocol: 'freedom' }));
  const changes = [{ part: 'outbound', name: 'extra', action: 'added' }];
  expect(await preview(extra)).toEqual({ kind: 'live', reason: '', changes });
  expect(await save(extra, '', '')).toEqual({ applied: 'live', reason: '', changes, coreWarnings: [] });
  expect(await save(JSON.stringify(await templates.read()), '', '')).toMatchObject({ applied: 'unchanged' });
  expect(core.status().bootId).toBe(bootId);
  expect(
    await save(
      template((base) => ({ ...base, log: { loglevel: 'error' } })),
      '',
      '',
    ),
  ).toEqual({ applied: 'restarted', reason: expect.stringMatching(/./), changes: [], coreWarnings: [] });
  expect(core.status()).toMatchObject({ state: 'running' });
  expect(core.status().bootId).not.toBe(bootId);
  await core.stop();
  expect(await save(template(), '', '')).toMatchObject({ applied: 'notRunning' });
  expect(core.status().state).toBe('stop');
});

it('refuses with the tag what the core would not start with, and leaves the running core alone', async () => {
  await save(template(), '', '');
  const before = await templates.text();
  const { bootId } = core.status();
  const exposed = {
    tag: 'exit',
    protocol: 'vless',
    settings: { address: '8.8.8.8', port: 443, id: crypto.randomUUID(), encryption: 'none' },
  };
  await expect(save(template(withOutbound(exposed)), '', '')).rejects.toMatchObject({
    code: 'coreSettings.handlerRejected',
    params: { kind: 'outbound', tag: 'exit', text: expect.stringMatching(/^vless without TLS/) },
  });
  await expect(
    save(
      template((base) => ({ ...base, routing: { rules: [{ outboundTag: 'direct', ip: ['999.1.1.1'] }] } })),
      '',
      '',
    ),
  ).rejects.toMatchObject({ code: 'coreSettings.templateRejected', params: { text: expect.stringContaining('999') } });
  expect(await templates.text()).toBe(before);
  expect(core.status()).toMatchObject({ state: 'running', bootId });
});

it('lets the core reach its own DNS server on a private address', async () => {
  const dns = createSocket('udp4');
  dns.bind(0, '127.0.0.1');
  await once(dns, 'listening');
  const listener = createServer();
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  const asked = once(dns, 'message');
  await save(
    template((base) => ({
      ...base,
      dns: { servers: [{ address: '127.0.0.1', port: dns.address().port }] },
      inbounds: [{ tag: 'probe', listen: '127.0.0.1', port, protocol: 'http' }],
      routing: { ...(base['routing'] as JsonObject), domainStrategy: 'IPIfNonMatch' },
    })),
    '',
    '',
  );
  const client = connect(port, '127.0.0.1', () => client.write('CONNECT asked.example:443 HTTP/1.1\r\n\r\n'));
  try {
    const [query] = (await asked) as [Buffer];
    expect(query.toString('latin1')).toContain('asked\x07example');
  } finally {
    client.destroy();
    dns.close();
  }
});
