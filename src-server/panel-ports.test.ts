import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { defaultTemplate } from './core/config/template/default-template.ts';
import { findForeignUse } from './net/port-probe.ts';
import { forAllTests } from './testing/for-each-test.ts';
import { openPanel } from './testing/panels/open-panel.ts';

/** The panel's own ports, its core's, and those of inbounds must not collide, whichever is saved. */
const INBOUND_PORT = 23_451;

const panel = forAllTests(() => openPanel({ app: { findForeignUse } }));
beforeAll(async () => {
  const added = await panel.post('/inbounds/add', inbound(INBOUND_PORT));
  expect(added).toMatchObject({ success: true });
});

const inbound = (port: number) => ({
  enable: false,
  remark: 'Oslo',
  port,
  protocol: 'vless',
  settings: { decryption: 'none' },
  streamSettings: { network: 'tcp', security: 'none' },
});

it.each(['webPort', 'subPort'])('%s is refused where an inbound listens, while typing and at save', async (field) => {
  const msg = `port ${INBOUND_PORT} (tcp) already used by inbound 'Oslo' (#1) on *`;
  for (const path of ['setting/checkPlaces', 'setting/update']) {
    const response = await panel.post(`/${path}`, { [field]: INBOUND_PORT });
    expect(response).toMatchObject({ success: false, msg, obj: { issues: [{ field }] } });
  }
});

it('the ports of the two servers and of the metrics are kept apart', async () => {
  const same = await panel.post('/setting/checkPlaces', { webPort: 23_452, subPort: 23_452 });
  expect(same).toMatchObject({ success: false, obj: null });
  expect(same.msg).toContain('Sub and Web could not use same ip:port');
  const metrics = await panel.post('/setting/update', { webPort: 11_111 });
  expect(metrics.msg).toBe('port 11111 (tcp) already used by the core metrics on 127.0.0.1');
});

it('a port used by another program is refused', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const response = await panel.post('/setting/update', { subPort: port, subListen: '127.0.0.1' });
  expect(response.msg).toContain(`port ${port} (tcp) is used by another program`);
  other.close();
});

it('a port that was saved for the next start is refused to inbounds', async () => {
  expect(await panel.post('/setting/update', { webPort: 23_453 })).toMatchObject({ success: true });
  expect((await panel.post('/inbounds/add', inbound(23_453))).msg).toBe(
    'port 23453 (tcp) already used by this panel: the web interface',
  );
  expect(await panel.post('/setting/checkPlaces', { webPort: 23_453, subPort: 23_454 })).toMatchObject({
    success: true,
  });
});

it.each([
  [INBOUND_PORT, "already used by inbound 'Oslo' (#1)"],
  [23_453, 'already used by this panel: the web interface'],
])('metrics on port %i: %s', async (port, words) => {
  const template = { ...defaultTemplate(), metrics: { tag: 'm', listen: `127.0.0.1:${port}` } };
  const response = await panel.post('/core/update', { xraySetting: JSON.stringify(template) });
  expect(response).toMatchObject({ success: false, obj: { issues: [{ field: 'metrics.listen' }] } });
  expect(response.msg).toContain(words);
});
