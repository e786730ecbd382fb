import { createServer, connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort, openBench, template, type Bench } from '../../core/process/bench/core-bench.ts';
import type { DesiredState } from '../../core/core.ts';
import { createDesiredState } from '../../runtime/desired-state.ts';
import { createLocalRuntime } from '../../runtime/local-runtime.ts';
import { startInboundPanel, vlessBody, type InboundPanel } from '../../testing/inbound-panel.ts';
import { findForeignUse } from './port-probe.ts';

let bench: Bench;
let panel: InboundPanel;
beforeEach(async () => {
  let desired: DesiredState | null = null;
  const stored = () => {
    if (desired === null) throw new Error('asked before the store was open');
    return desired;
  };
  bench = openBench({
    desired: {
      full: () => stored().full(),
      inbound: (id) => stored().inbound(id),
      inboundUsers: (id, emails) => stored().inboundUsers(id, emails),
    },
  });
  panel = await startInboundPanel(({ store }) => {
    const state = createDesiredState(store, async () => template());
    desired = state;
    const runtime = createLocalRuntime(
      bench.core,
      async () => template(),
      () => state.framesOnly(),
    );
    return { runtime, findForeignUse };
  });
  await bench.core.boot();
});
afterEach(async () => {
  await panel.close();
  await bench.end();
});

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

it('listens, moves, stops and is free again, without a restart of the core', async () => {
  const { bootId } = bench.core.status();
  const [port, other] = [await freePort(), await freePort()];
  const body = (at: number, more: object = {}) => vlessBody(at, { listen: '127.0.0.1', ...more });
  const { id } = await panel.added(body(port));
  expect(await accepts(port)).toBe(true);
  // The core holds the port: saving without moving is no conflict with "another program".
  expect((await panel.post(`/update/${id}`, body(port, { streamSettings: { network: 'ws' } }))).success).toBe(true);
  expect((await panel.post(`/update/${id}`, body(other))).success).toBe(true);
  expect([await accepts(port), await accepts(other)]).toEqual([false, true]);
  await panel.post(`/setEnable/${id}`, { enable: false });
  expect(await accepts(other)).toBe(false);
  await panel.post(`/setEnable/${id}`, { enable: true });
  await panel.post(`/del/${id}`);
  expect((await panel.added(body(other))).tag).toBe(`in-${other}-tcp`);
  expect(await accepts(other)).toBe(true);
  expect(bench.core.status().bootId).toBe(bootId);
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
  const answer = await panel.post('/add', vlessBody(port));
  expect(answer.msg).toContain(`port ${port} (tcp) is used by another program`);
  await new Promise((resolve) => foreign.close(resolve));
  expect((await panel.added(vlessBody(port))).port).toBe(port);
});

it('is refused in the words of the core', async () => {
  const answer = await panel.post(
    '/add',
    vlessBody(await freePort(), {
      tag: 'x',
      sniffing: { enabled: true, destOverride: ['tls'], domainsExcluded: ['regexp:('] },
    }),
  );
  expect(answer.msg).toMatch(/^the core refuses this inbound: .*regexp/);
  expect(answer.msg).not.toContain(bench.dataDir);
});
