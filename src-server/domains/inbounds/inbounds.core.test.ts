import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { forEachTest } from '../../testing/for-each-test.ts';
import { freePort } from '../../testing/free-port.ts';
import { realCore } from '../../testing/core/core-bench.ts';
import { startInboundPanel, vlessBody } from '../../testing/panels/inbound-panel.ts';
import { accepts } from '../../testing/peers/local-server.ts';
import type { SavedInbound } from './contract.ts';
import { findForeignUse } from '../../net/port-probe.ts';

const panel = forEachTest(() => startInboundPanel({ isWithoutCore: true, app: { core: realCore(), findForeignUse } }));

it('listens, moves, stops and frees its port without a restart of the core', async () => {
  const { bootId } = panel.parts.engine.core.status();
  const [port, other] = [await freePort(), await freePort()];
  const body = (at: number, more: object = {}) => vlessBody(at, { listen: '127.0.0.1', ...more });
  const { id } = await panel.added(body(port));
  expect(await accepts(port)).toBe(true);
  // The core uses the port: saving without moving must not report "another program".
  expect((await panel.post(`/update/${id}`, body(port, { streamSettings: { network: 'ws' } }))).success).toBe(true);
  expect((await panel.post(`/update/${id}`, body(other))).success).toBe(true);
  expect([await accepts(port), await accepts(other)]).toEqual([false, true]);
  await panel.post(`/setEnable/${id}`, { enable: false });
  expect(await accepts(other)).toBe(false);
  await panel.post(`/setEnable/${id}`, { enable: true });
  await panel.post(`/del/${id}`);
  expect((await panel.added(body(other))).tag).toBe(`in-${other}-tcp`);
  expect(await accepts(other)).toBe(true);
  expect(panel.parts.engine.core.status().bootId).toBe(bootId);
});

it('stores nothing that the core refuses, and nothing on a port of another program', async () => {
  const port = await freePort();
  const unloadable = vlessBody(port, {
    streamSettings: { network: 'tcp', tcpSettings: { header: { type: 'http', response: { status: {} } } } },
  });
  const refused = await panel.post('/add', unloadable);
  expect(refused.success).toBe(false);
  expect(await panel.rowCount()).toBe(0);

  const foreign = createServer().listen(port, '0.0.0.0');
  const response = await panel.post('/add', vlessBody(port));
  expect(response.msg).toContain(`port ${port} (tcp) is used by another program`);
  await new Promise((resolve) => foreign.close(resolve));
  expect((await panel.added(vlessBody(port))).port).toBe(port);
});

it('is stored with the core’s warnings', async () => {
  const response = await panel.post(
    '/add',
    vlessBody(await freePort(), { streamSettings: { network: 'ws', wsSettings: { path: '/w' } } }),
  );
  expect((response.obj as SavedInbound).coreWarnings).toEqual([
    expect.stringMatching(/^The feature WebSocket transport .* deprecated/),
  ]);
  const { id } = await panel.added(vlessBody(await freePort()));
  const changed = await panel.post(`/update/${id}`, vlessBody(await freePort()));
  expect((changed.obj as SavedInbound).coreWarnings).toEqual([]);
});

it('is refused with the core’s message', async () => {
  const response = await panel.post(
    '/add',
    vlessBody(await freePort(), {
      tag: 'x',
      sniffing: { enabled: true, destOverride: ['tls'], domainsExcluded: ['regexp:('] },
    }),
  );
  expect(response.msg).toMatch(/^the core refuses this inbound: .*regexp/);
  expect(response.msg).not.toContain(panel.dataDir);
});
