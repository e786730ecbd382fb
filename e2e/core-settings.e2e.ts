import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTcp } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CoreClient } from './harness/core-client.ts';
import { startFarCore, type FarCore } from '../src-server/testing/core/far-core.ts';
import { freePort } from '../src-server/testing/free-port.ts';
import { disposePanel, startPanel, type PanelProcess } from './harness/panel-process.ts';
import { report } from './harness/report.ts';
import { startTargetServer, type TargetServer } from './harness/target-server.ts';
import { waitFor } from './harness/wait-for.ts';
import { addVlessInbound, connectVless } from './harness/vless-inbound.ts';
import { listening, originOf, portOf } from '../src-server/testing/peers/local-server.ts';

type Json = Record<string, unknown>;
interface Template {
  outbounds: (Json & { tag: string })[];
  routing: { rules: Json[]; balancers?: Json[] };
}
interface OutboundTest {
  tag: string;
  success: boolean;
}

const CORE = '/panel/api/core';
/** Sites are told apart by the length of their responses. */
const SIZES = { far: 101, one: 202, two: 303, left: 404, right: 505 };
/** An external address; the far core answers for it. */
const TEST_URL = 'http://93.184.216.34/generate_204';

/** A name that only the far side resolves. */
const LIST_HOST = 'lists.test';

let panel: PanelProcess;
let far: FarCore;
let site: TargetServer;
let client: CoreClient;
let list: Server;
let listed: string;
const sites: Server[] = [];
let ports: Record<keyof typeof SIZES, number>;

beforeAll(async () => {
  const opened = await Promise.all(Object.values(SIZES).map(startSite));
  ports = Object.fromEntries(Object.keys(SIZES).map((name, index) => [name, opened[index]])) as typeof ports;
  [far, site, panel] = await Promise.all([
    startFarCore([ports.far, ports.one, ports.two]),
    startTargetServer(),
    startPanel(),
  ]);
  list = createServer((_request, response) => response.end(listed));
  await listening(list);
  await save(await baseTemplate());
  const port = await freePort();
  const inbound = await addVlessInbound(panel.api, { port });
  await panel.api.post('/panel/api/clients/add', { client: { email: 'traveller' }, inboundIds: [inbound.id] });
  client = await connectVless(panel.api, port, 'traveller');
});
afterAll(async () => {
  await client.close();
  await disposePanel(panel);
  await Promise.all([far.close(), site.close()]);
  for (const server of [...sites, list]) {
    server.closeAllConnections();
    server.close();
  }
});

async function startSite(size: number): Promise<number> {
  const server = createServer(({ headers }, response) =>
    response.end(headers.host === LIST_HOST ? listed : Buffer.alloc(size, 'x')),
  );
  await listening(server);
  sites.push(server);
  return portOf(server);
}

/** The built-in template with two more outbounds, each to its own site, and with loopback allowed. */
async function baseTemplate(): Promise<Template> {
  const template = await panel.api.get<Template>(`${CORE}/getDefaultJsonConfig`);
  const finalRules = [{ action: 'allow' }];
  template.outbounds[0] = { tag: 'direct', protocol: 'freedom', settings: { finalRules } };
  template.outbounds.splice(1, 0, wayTo('left', ports.left), wayTo('right', ports.right));
  template.outbounds.push({ tag: 'far', ...far.outbounds['shadowsocks'] });
  template.routing.rules = [
    ...template.routing.rules.filter(({ ip }) => ip === undefined),
    { domain: ['full:left.test'], outboundTag: 'left' },
    { domain: ['full:balanced.test'], balancerTag: 'either' },
    { domain: ['full:listed.test'], outboundTag: 'sub1-tokyo' },
  ];
  template.routing.balancers = [{ tag: 'either', selector: ['left', 'right'] }];
  return template;
}
const wayTo = (tag: string, port: number): Json & { tag: string } => ({
  tag,
  protocol: 'freedom',
  settings: { redirect: `127.0.0.1:${port}`, finalRules: [{ action: 'allow' }] },
});
const save = (template: Template): Promise<unknown> =>
  panel.api.post(
    `${CORE}/update`,
    new URLSearchParams({ xraySetting: JSON.stringify(template), outboundTestUrl: TEST_URL }),
  );
const post = <T>(path: string, fields: Record<string, string>): Promise<T> =>
  panel.api.post<T>(`${CORE}/${path}`, new URLSearchParams(fields));
/** Which site answers for a name, by the length of the response. */
const siteOf = (name: string): Promise<number> => client.fetchBytes(`http://${name}/`, 5_000);
async function corePid(): Promise<number> {
  const { core } = await panel.api.get<{ core: { pid: number | null } }>('/panel/api/server/status');
  if (core.pid === null) throw new Error('the core does not run');
  return core.pid;
}
/** Does something while a download runs, which must neither end nor stall. */
async function duringTransfer(work: () => Promise<void>): Promise<void> {
  const pid = await corePid();
  const transfer = await client.stream(`${site.url}/drip/300000`);
  await waitFor('the download', () => transfer.receivedBytes() > 30_000);
  await work();
  const before = transfer.receivedBytes();
  await waitFor('more of the download', () => transfer.receivedBytes() > before + 60_000);
  expect(transfer.isOpen()).toBe(true);
  expect(await corePid()).toBe(pid);
  report(`live change: longest gap of the running download ${Math.round(transfer.longestGapMs())} ms`);
  transfer.abort();
}

describe('outbound tests', () => {
  test('one alone, and as a job', async () => {
    const outbound = JSON.stringify({ tag: 'only', ...far.outbounds['shadowsocks'] });
    expect(await post('testOutbound', { outbound })).toMatchObject({ tag: 'only', success: true, mode: 'http' });
    const { jobId } = await post<{ jobId: string }>('testOutbounds', {
      outbounds: `[${outbound}]`,
      background: 'true',
    });
    const job = await waitFor('the job', async () => {
      const found = await panel.api.get<{ state: string; result: OutboundTest[] }>(`/panel/api/jobs/${jobId}`);
      return found.state === 'running' ? undefined : found;
    });
    expect(job).toMatchObject({ state: 'done', result: [{ tag: 'only', success: true }] });
  });
});

describe('routes and balancers', () => {
  test('the route test reports where the traffic really goes', async () => {
    expect(await post('routeTest', { domain: 'left.test', port: '80' })).toEqual({
      matched: true,
      outboundTag: 'left',
    });
    expect(await siteOf('left.test')).toBe(SIZES.left);
    expect(await post('routeTest', { domain: 'elsewhere.test' })).toEqual({ matched: false, outboundTag: '' });
    const balanced = await post<{ outboundTag: string; groupTags: string[] }>('routeTest', { domain: 'balanced.test' });
    expect(['left', 'right']).toContain(balanced.outboundTag);
  });
});

describe('an outbound subscription', () => {
  const url = (): string => `${originOf(list)}/`;
  const BAD = 'vless://b831381d-6324-4d53-ad4f-8cda48b30811@93.184.216.34:443?security=none#Refused';

  test('a rule uses its outbound, a refresh is live, and a bad entry does no harm', async () => {
    expect(await siteOf('listed.test').catch(() => 'closed')).toBe('closed');
    listed = Buffer.from(`${far.links[0]}\n${BAD}\n`).toString('base64');
    await duringTransfer(async () => {
      const row = await post<Json>('outbound-subs', { url: url(), allowPrivate: 'true' });
      expect(row).toMatchObject({
        outboundCount: 1,
        leftOut: [{ tag: 'sub1-refused', reason: expect.stringContaining('vless without TLS') }],
        lastError: expect.stringContaining('dropped 1 outbound(s) the core rejects: sub1-refused'),
      });
      expect(await siteOf('listed.test')).toBe(SIZES.one);
    });
    expect(await panel.api.post(`${CORE}/`)).toMatchObject({ subscriptionOutboundTags: ['sub1-tokyo'] });
    listed = far.links[1];
    await duringTransfer(async () => {
      expect(await post('outbound-subs/1/refresh', {})).toMatchObject([{ tag: 'sub1-tokyo' }]);
      expect(await siteOf('listed.test')).toBe(SIZES.two);
    });
    listed = '<html>out of order</html>';
    const response = await panel.api.send('POST', `${CORE}/outbound-subs/1/refresh`, new URLSearchParams());
    expect(response).toMatchObject({ success: false, msg: 'Refresh failed (no outbounds found)' });
    expect(await siteOf('listed.test')).toBe(SIZES.two);
    // At the front it is the default route, which only a new process applies.
    const pid = await corePid();
    await post('outbound-subs/1', { prepend: 'true' });
    expect(await corePid()).not.toBe(pid);
    expect(await siteOf('anywhere.test')).toBe(SIZES.two);
    await post('outbound-subs/1', { prepend: 'false' });
    expect(await siteOf('anywhere.test').catch(() => 'nowhere')).toBe('nowhere');
    await duringTransfer(async () => {
      await panel.api.send('DELETE', `${CORE}/outbound-subs/1`);
      expect(await siteOf('listed.test').catch(() => 'closed')).toBe('closed');
    });
  });

  test('the panel’s own requests use the configured outbound as soon as it is set', async () => {
    listed = far.links[0];
    const fields = { url: `http://${LIST_HOST}/`, details: 'true' };
    const preview = () => panel.api.send('POST', `${CORE}/outbound-subs/parse`, new URLSearchParams(fields));
    expect(await preview()).toMatchObject({ success: false, msg: expect.stringContaining('cannot resolve host') });
    await duringTransfer(async () => {
      await panel.api.post('/panel/api/setting/update', { panelOutbound: 'far' });
      const response = await waitFor('the way out', async () => {
        const found = await preview();
        return found.success ? found : undefined;
      });
      expect(response.obj).toMatchObject({ outbounds: [{ tag: 'sub1-tokyo' }], leftOut: [] });
    });
    const inside = new URLSearchParams({ ...fields, url: url() });
    expect((await panel.api.send('POST', `${CORE}/outbound-subs/parse`, inside)).msg).toContain(
      'blocked private/internal address 127.0.0.1',
    );
    await panel.api.post('/panel/api/setting/update', { panelOutbound: '' });
    expect((await preview()).success).toBe(false);
  });
});

describe('a panel killed during a test of outbounds', () => {
  test('comes up again, and leaves neither the temporary core nor its config', async () => {
    const silent = createTcp(() => undefined);
    const port = await listening(silent);
    const { vless } = far.outbounds;
    const outbound = { tag: 'silent', ...vless, settings: { ...(vless!['settings'] as Json), port } };
    await post('testOutbounds', { outbounds: JSON.stringify([outbound]), background: 'true' });
    const configs = async (): Promise<string[]> =>
      (await readdir(panel.dataDir)).filter((name) => /^(probe|test|convert)-/.test(name));
    const cores = async (): Promise<string[]> => {
      const { stdout } = await promisify(execFile)('ps', ['-ww', '-ax', '-o', 'command=']);
      return stdout.split('\n').filter((line) => line.includes(join(panel.dataDir, 'probe-')));
    };
    await waitFor('the temporary core', async () => (await cores()).length > 0);
    await expect.poll(configs).toHaveLength(1);
    process.kill(panel.ready.pid, 'SIGKILL');
    await waitFor('the panel', async () => {
      const { core } = await panel.api.get<{ core: { state: string } }>('/panel/api/server/status');
      return core.state === 'running';
    });
    expect(await cores()).toEqual([]);
    expect(await configs()).toEqual([]);
    silent.close();
  });
});
