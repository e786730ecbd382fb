import { beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '../../../contract/domain-error.ts';
import { forEachTest } from '../../../testing/for-each-test.ts';
import { startNodePair, type NodePair } from '../../../testing/panels/node-pair.ts';
import type { Job } from '../../jobs/contract.ts';
import type { NodeCall, NodeClient } from '../node-client.ts';
import type { Probe } from '../stored-types.ts';
import type { NodeVersions, Rollout } from './contract.ts';
import { exchangeOn, type Exchange } from './exchange.ts';

const VERSION = '26.7.28';

describe('on three nodes', () => {
  let nodes: Awaited<ReturnType<NodePair['another']>>[];
  const pair = forEachTest(startNodePair);
  beforeEach(async () => {
    nodes = [pair, await pair.another('second'), await pair.another('third')];
    for (const { node } of nodes) node.core.start();
    await pair.sync();
  });

  const start = (body: object) =>
    pair.central.done<{ jobId: string }>('/nodes/rollout', { ids: nodes.map(({ nodeId }) => nodeId), ...body });
  const rollout = () => pair.central.read<Rollout>('/nodes/rollout');
  const jobOf = (id: string) => pair.central.read<Job>(`/jobs/${id}`);
  const ended = (id: string) =>
    expect.poll(async () => (await jobOf(id)).state, { timeout: 20_000 }).not.toBe('running');
  /** The node accepts the installation and reports its end. */
  function respond(at: number, state: string, error = ''): void {
    nodes[at]!.respondOnce(`server/installCore/${VERSION}`, { jobId: `job-${at}` });
    nodes[at]!.respondOnce(`jobs/job-${at}`, { state, error });
  }
  const installs = (at: number) => nodes[at]!.calls.filter((call) => call.includes('installCore'));

  test('one goes first and the others follow in waves, each checked afterwards', async () => {
    for (const at of nodes.keys()) respond(at, 'done');
    const { jobId } = await start({ what: 'core', version: VERSION, waveSize: 2 });
    await ended(jobId);
    expect(await jobOf(jobId)).toMatchObject({ kind: 'rollOut', state: 'done', done: 3, total: 3 });
    expect(await rollout()).toMatchObject({
      isRunning: false,
      lines: [
        { name: 'node', wave: 0, state: 'updated', after: VERSION },
        { wave: 1, state: 'updated' },
        { wave: 1, state: 'updated' },
      ],
    });
  });

  test('the first failure ends it: the node is named with its reason, and the next ones stay unchanged', async () => {
    respond(0, 'done');
    respond(1, 'failed', 'there is no space left');
    respond(2, 'done');
    const { jobId } = await start({ what: 'core', version: VERSION, waveSize: 1 });
    await ended(jobId);
    expect(await jobOf(jobId)).toMatchObject({
      state: 'failed',
      errorCode: 'node.rolloutStopped',
      error: 'stopped at node 2: the node says: there is no space left; the nodes after it were left as they are',
    });
    expect((await rollout()).lines.map(({ state }) => state)).toEqual(['updated', 'failed', 'untouched']);
    expect(installs(2)).toEqual([]);
  });

  test('unreachable nodes are skipped, and another one goes first', async () => {
    pair.setUp(false);
    await pair.sync();
    respond(1, 'done');
    respond(2, 'done');
    const { jobId } = await start({ what: 'core', version: VERSION });
    await ended(jobId);
    expect((await rollout()).lines).toMatchObject([
      { state: 'skipped', error: 'node is offline' },
      { wave: 0, state: 'updated' },
      { wave: 1, state: 'updated' },
    ]);
  });

  test('a node that was disabled or removed before its wave is skipped', async () => {
    respond(0, 'done');
    const checked = nodes[0]!.hold('server/status');
    const { jobId } = await start({ what: 'core', version: VERSION, waveSize: 1 });
    await checked.reached;
    await pair.central.done(`/nodes/setEnable/${nodes[1]!.nodeId}`, { enable: false });
    await pair.central.done(`/nodes/del/${nodes[2]!.nodeId}`);
    checked.release();
    await ended(jobId);
    expect(await jobOf(jobId)).toMatchObject({ state: 'done', result: { updated: 1 } });
    expect((await rollout()).lines).toMatchObject([
      { state: 'updated' },
      { state: 'skipped', error: 'node is disabled' },
      { state: 'skipped', error: 'node not found' },
    ]);
    expect([...installs(1), ...installs(2)]).toEqual([]);
  });

  test('a cancelled rollout asks the current node to stop and touches no other', async () => {
    nodes[0]!.respondOnce(`server/installCore/${VERSION}`, { jobId: 'job-0' });
    nodes[0]!.respondOnce('jobs/job-0', { state: 'running', error: '' });
    const { jobId } = await start({ what: 'core', version: VERSION });
    await expect.poll(() => installs(0).length, { timeout: 20_000 }).toBe(1);
    expect(await pair.central.post('/nodes/rollout', { what: 'geo', ids: [1] })).toMatchObject({
      error: { code: 'node.rolloutRunning' },
    });
    await pair.central.done(`/jobs/${jobId}/cancel`);
    await ended(jobId);
    expect((await jobOf(jobId)).state).toBe('cancelled');
    expect((await rollout()).lines.map(({ state }) => state)).toEqual(['cancelled', 'untouched', 'untouched']);
    expect(nodes[0]!.calls).toContain('POST jobs/job-0/cancel');
    expect(installs(1)).toEqual([]);
  });

  test('previous versions are kept for the rollback, which restores every node’s own', async () => {
    pair.central.write(`UPDATE nodes SET coreVersionBefore = '26.1.1' WHERE id = ?`, nodes[1]!.nodeId);
    await pair.central.done(`/nodes/setEnable/${nodes[1]!.nodeId}`, { enable: true });
    const versions = await pair.central.read<NodeVersions[]>('/nodes/versions');
    expect(versions).toMatchObject([
      { name: 'node', coreVersion: VERSION, coreState: 'running', coreVersionBefore: '', geoFiles: [] },
      { coreVersionBefore: '26.1.1' },
      { coreVersionBefore: '' },
    ]);
    nodes[1]!.respondOnce('server/installCore/26.1.1', { jobId: 'back' });
    nodes[1]!.respondOnce('jobs/back', { state: 'failed', error: 'gone' });
    const { jobId } = await start({ what: 'core', back: true });
    await ended(jobId);
    expect(await rollout()).toMatchObject({
      isBack: true,
      lines: [{ state: 'skipped' }, { state: 'failed' }, { state: 'skipped' }],
    });
  });

  test('invalid requests are refused', async () => {
    const refused = (body: object) => pair.central.post('/nodes/rollout', body);
    expect(await refused({ what: 'core', ids: [99], version: VERSION })).toMatchObject({
      error: { code: 'node.noneReady' },
    });
    expect(await refused({ what: 'core', ids: [pair.nodeId] })).toMatchObject({ error: { code: 'node.noVersion' } });
    expect(await pair.central.read('/nodes/rollout')).toBeNull();
  });
});

describe('a node that replaces a version', () => {
  const well: Probe = {
    status: 'online',
    lastError: '',
    lastRefusal: '',
    latencyMs: 1,
    cpuPct: 0,
    memPct: 0,
    uptimeSec: 1,
    netUpBytesPerSec: 0,
    netDownBytesPerSec: 0,
    coreVersion: VERSION,
    coreState: 'running',
    coreError: '',
  };
  const PATIENCE = { everyMs: 1, workMs: 1_000, silenceMs: 500, healthMs: 20 };

  /** @param responses by path, in order; the last one repeats */
  function exchange(responses: Record<string, unknown[]>, probes: Probe[], more: Partial<Exchange> = {}) {
    const call = async ({ path, result }: NodeCall<never>): Promise<unknown> => {
      const left = responses[path]!;
      const response = left.length > 1 ? left.shift() : left[0];
      if (response instanceof Error) throw response;
      return (result as { parse: (value: unknown) => unknown }).parse(response);
    };
    return exchangeOn({
      client: { call } as unknown as NodeClient,
      what: 'panel',
      version: '',
      isDev: false,
      wasRunning: true,
      signal: new AbortController().signal,
      patience: PATIENCE,
      probe: async () => (probes.length > 1 ? probes.shift()! : probes[0]!),
      onChecking: () => {},
      ...more,
    });
  }
  const away = new DomainError('node.unreachable', { text: 'refused' });
  const launch = { 'server/updatePanel': [{ runId: '7' }] };
  const install = { [`server/installCore/${VERSION}`]: [{ jobId: 'j' }], 'jobs/j': [{ state: 'done', error: '' }] };
  const core = { what: 'core', version: VERSION } as const;

  test('may be unreachable while its panel is replaced', async () => {
    const status = [away, away, { runId: '7', state: 'pending' }, { runId: '7', state: 'success' }];
    const back = await exchange({ ...launch, 'server/getUpdateStatus': status }, [
      { ...well, status: 'offline', lastError: 'starting' },
      well,
    ]);
    expect(back).toMatchObject({ status: 'online' });
  });

  test('has failed when its updater reports it, and when it does not come back', async () => {
    const failed = [{ runId: '7', state: 'failed', message: 'no package' }];
    await expect(exchange({ ...launch, 'server/getUpdateStatus': failed }, [well])).rejects.toMatchObject({
      code: 'node.rolloutRefused',
      params: { text: 'no package' },
    });
    await expect(exchange({ ...launch, 'server/getUpdateStatus': [away] }, [well])).rejects.toMatchObject({
      code: 'node.unreachable',
    });
    const success = [{ runId: '7', state: 'success' }];
    const silent = { ...well, status: 'offline', lastError: 'refused' } as const;
    await expect(exchange({ ...launch, 'server/getUpdateStatus': success }, [silent])).rejects.toMatchObject({
      code: 'node.rolloutAway',
    });
  });

  test('is not healthy with a stopped core, or another version', async () => {
    const down: Probe = { ...well, coreState: 'error', coreError: 'port taken' };
    await expect(exchange(install, [down], core)).rejects.toMatchObject({
      code: 'node.rolloutCoreDown',
      params: { text: 'port taken' },
    });
    const other: Probe = { ...well, coreVersion: '1.0.0' };
    await expect(exchange(install, [other], core)).rejects.toMatchObject({
      code: 'node.rolloutOtherVersion',
      params: { found: '1.0.0', version: VERSION },
    });
    // Its operator had stopped the core before.
    expect(await exchange(install, [{ ...well, coreState: 'stop' }], { ...core, wasRunning: false })).toMatchObject({
      coreState: 'stop',
    });
  });
});
