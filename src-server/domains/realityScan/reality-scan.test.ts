import { once } from 'node:events';
import { connect, type AddressInfo, type Server } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEventBus } from '../../contract/events.ts';
import { createGuardedDialer } from '../../net/guarded-dialer.ts';
import { makeSelfSigned } from '../../testing/peers/self-signed.ts';
import { serveRoutes, type ServedRoutes } from '../../testing/peers/serve-routes.ts';
import { recordingLogger } from '../../testing/test-store.ts';
import { createJobService, type JobService } from '../jobs/service.ts';
import { RealityScan } from './contract.ts';
import { createProbe, type Probe } from './probe.ts';
import { realityScanRoutes } from './routes.ts';
import { createRealityScanService } from './service.ts';
import { SEED_TARGETS } from './targets.ts';
import { texts } from './texts.ts';

const PATH = '/panel/api/server';
const { certPem: cert, keyPem: key } = makeSelfSigned(2, { dnsNames: ['site.example'] });

let panel: ServedRoutes;
let servers: Server[];
let dialled: string[];
let jobs: JobService;

async function serve(probe: Probe, budgetMs?: number): Promise<void> {
  const { publish } = createEventBus(() => {});
  const log = recordingLogger();
  jobs = createJobService({ clock: Date.now, publish, log });
  const service = createRealityScanService({ probe, jobs, log, ...(budgetMs === undefined ? {} : { budgetMs }) });
  panel = await serveRoutes((ctx) => realityScanRoutes(ctx, service), {
    ...texts,
    'request.invalid': 'request body failed validation',
  });
}
beforeEach(() => {
  servers = [];
  dialled = [];
});
afterEach(async () => {
  await panel.close();
  for (const server of servers) {
    server.close();
    await once(server, 'close');
  }
});

/** A TLS server on loopback; the dialer resolves every name to it. */
async function startTarget(options: TlsOptions = {}): Promise<number> {
  const server = createServer({ cert, key, ALPNProtocols: ['h2', 'http/1.1'], ...options }, (socket) => socket.end());
  server.on('tlsClientError', () => {});
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
const toLoopback = (authorities: string[]): Probe =>
  createProbe({
    authorities,
    dialer: {
      async connect({ host, port }) {
        dialled.push(`${host}:${port}`);
        const socket = connect(port, '127.0.0.1');
        await once(socket, 'connect');
        return socket;
      },
    },
  });
const scan = async (form: Record<string, string>): Promise<RealityScan> => {
  const { success, msg, obj } = await panel.post(`${PATH}/scanRealityTarget`, new URLSearchParams(form));
  expect([success, msg]).toEqual([true, '']);
  return RealityScan.strict().parse(obj);
};

describe('one target', () => {
  it('is feasible with TLS 1.3, h2, X25519 and a trusted certificate', async () => {
    await serve(toLoopback([cert]));
    const port = await startTarget();
    const found = await scan({ target: `site.example:${port}` });
    expect(found).toMatchObject({
      target: `site.example:${port}`,
      host: 'site.example',
      ip: '127.0.0.1',
      port,
      feasible: true,
      tls13: true,
      tlsVersion: '1.3',
      h2: true,
      alpn: 'h2',
      x25519: true,
      certValid: true,
      certChainValid: true,
      certSubject: 'localhost',
      serverNames: ['site.example'],
      reason: '',
    });
    expect(found.curveID).toMatch(/^X25519/);
    expect(found.latencyMs).toBeGreaterThan(0);
    expect(found.notAfter).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+Z$/);
  });

  it.each<[string, TlsOptions, string[], Record<string, string>, string]>([
    ['an old protocol', { maxVersion: 'TLSv1.2' }, [cert], {}, 'server does not negotiate TLS 1.3'],
    ['no h2', { ALPNProtocols: ['http/1.1'] }, [cert], {}, 'server does not negotiate HTTP/2 (h2)'],
    ['another key exchange', { ecdhCurve: 'P-256' }, [cert], {}, 'server did not use X25519 key exchange'],
    ['a certificate of nobody', {}, [], {}, 'certificate not trusted'],
    ['a certificate of another name', {}, [cert], { sni: 'other.example' }, 'certificate not trusted'],
  ])('%s is reported', async (_what, options, authorities, form, reason) => {
    await serve(toLoopback(authorities));
    const port = await startTarget(options);
    const found = await scan({ target: `site.example:${port}`, ...form });
    expect(found.feasible).toBe(false);
    expect(found.reason).toContain(reason);
    expect(found.latencyMs).toBeGreaterThan(0);
  });

  it('by its address: the certificate names it', async () => {
    await serve(toLoopback([cert]));
    const port = await startTarget();
    expect(await scan({ target: `203.0.113.9:${port}` })).toMatchObject({
      host: 'site.example',
      target: `site.example:${port}`,
      feasible: true,
    });
  });

  it('that is not a TLS server, or not reachable', async () => {
    await serve(toLoopback([cert]));
    const port = await startTarget();
    servers[0]!.removeAllListeners('connection');
    servers[0]!.on('connection', (socket) => socket.write('no tls', () => socket.destroy()));
    const found = await scan({ target: `site.example:${port}` });
    expect(found).toMatchObject({ feasible: false, latencyMs: 0, tlsVersion: '' });
    expect(found.reason).toMatch(/^TLS handshake failed: /);
  });

  it.each([
    ['', 'target is required'],
    ['   ', 'target is required'],
    ['host:0', 'invalid target port'],
    ['host:70000', 'invalid target port'],
    ['host:', 'invalid target port'],
    ['host:1e3', 'invalid target port'],
    ['bad host!', 'invalid target host: bad host!'],
    ['a_b.example', 'invalid target host: a_b.example'],
    ['example.com.', 'invalid target host: example.com.'],
    ['0x7f.1', 'invalid target host: 0x7f.1'],
    ['2130706433', 'invalid target host: 2130706433'],
    [`${'a'.repeat(64)}.example`, `invalid target host: ${'a'.repeat(64)}.example`],
    ['[::1', 'invalid target host: ['],
  ])('%j is refused: %s', async (target, text) => {
    await serve(toLoopback([]));
    expect(await panel.post(`${PATH}/scanRealityTarget`, { target })).toMatchObject({
      success: false,
      msg: `Failed to scan REALITY target. (${text})`,
    });
    expect(dialled).toEqual([]);
  });

  it('refuses a name that cannot be requested, and oversized texts', async () => {
    await serve(toLoopback([]));
    expect(await panel.post(`${PATH}/scanRealityTarget`, { target: 'a.example', sni: 'b c' })).toMatchObject({
      msg: 'Failed to scan REALITY target. (invalid SNI: b c)',
    });
    expect(await panel.post(`${PATH}/scanRealityTarget`, { target: 'x'.repeat(1_000_000) })).toMatchObject({
      success: false,
      obj: { issues: [{ field: 'target' }] },
    });
  });
});

describe('addresses of internal networks', () => {
  const guarded = (): Probe =>
    createProbe({
      authorities: [cert],
      dialer: createGuardedDialer({ lookup: async () => [{ address: '10.1.2.3', family: 4 }] }),
    });

  it.each([
    '127.0.0.1:443',
    '10.0.0.1',
    '[::1]:443',
    '169.254.169.254',
    '[::ffff:192.168.0.1]',
    '100.64.0.1',
    '0.0.0.0',
    '64:ff9b::a00:1',
  ])('%s is not dialled', async (target) => {
    await serve(guarded());
    const found = await scan({ target });
    expect(found).toMatchObject({ feasible: false, privateTarget: true, latencyMs: 0 });
    expect(found.reason).toMatch(/^connection failed: blocked private\/internal address /);
  });

  it('a name that resolves there is not dialled, and the result says where it points', async () => {
    await serve(guarded());
    expect(await scan({ target: 'inside.example' })).toMatchObject({
      privateTarget: true,
      reason: 'connection failed: blocked private/internal address 10.1.2.3',
    });
  });

  it('may be probed when the operator allows it for this one', async () => {
    await serve(guarded());
    const port = await startTarget();
    expect(await scan({ target: `127.0.0.1:${port}`, allowPrivate: 'true', sni: 'site.example' })).toMatchObject({
      privateTarget: false,
      feasible: true,
    });
  });

  it('three malformed targets give three results, and a whole private network none', async () => {
    await serve(guarded());
    const targets = '127.0.0.1:443,10.0.0.1:443,bad host!';
    const { obj } = await panel.post(`${PATH}/scanRealityTargets`, new URLSearchParams({ targets }));
    expect((obj as RealityScan[]).map(({ target, privateTarget }) => `${target} ${privateTarget}`).toSorted()).toEqual([
      '10.0.0.1:443 true',
      '127.0.0.1:443 true',
      'bad host! false',
    ]);
    expect(await panel.post(`${PATH}/scanRealityTargets`, { targets: '10.0.0.0/8,fd00::/8' })).toMatchObject({
      obj: [],
    });
  });
});

describe('a batch', () => {
  const probed: string[] = [];
  const scripted: Probe = async (target, { sni, timeoutMs, signal }) => {
    probed.push(`${target.host} ${target.port} ${sni} ${timeoutMs}`);
    const base = {
      ...(await failing(target, { sni, timeoutMs, allowPrivate: false })),
      target: `${target.host}:${target.port}`,
    };
    if (target.host === 'slow.example')
      await new Promise((resolve) => signal!.addEventListener('abort', resolve, { once: true }));
    const latencyMs = { 'far.example': 300, 'near.example': 20, 'bad.example': 10 }[target.host] ?? 0;
    return { ...base, latencyMs, feasible: latencyMs > 0 && target.host !== 'bad.example' };
  };
  const failing = createProbe({
    dialer: {
      connect: () => Promise.reject(new Error('refused')),
    },
  });
  beforeEach(() => void probed.splice(0));

  it('ranks feasible and fast targets first, silent ones last, each target once', async () => {
    await serve(scripted);
    const targets = 'dead.example, far.example,near.example,,bad.example,near.example,1.1.1.1/64';
    const { obj } = await panel.post(`${PATH}/scanRealityTargets`, { targets });
    expect((obj as RealityScan[]).map(({ target }) => target)).toEqual([
      'near.example:443',
      'far.example:443',
      'bad.example:443',
      'dead.example:443',
      '1.1.1.1/64',
    ]);
    expect(probed).toContain('far.example 443 far.example 10000');
  });

  it('uses the built-in list by default, 256 of a network from its first address, and 512 in all', async () => {
    await serve(scripted);
    await panel.post(`${PATH}/scanRealityTargets`, { targets: ' , ' });
    expect(probed.map((line) => line.split(' ')[0])).toEqual(SEED_TARGETS);
    probed.splice(0);
    await panel.post(`${PATH}/scanRealityTargets`, { targets: '8.8.8.77/16,9.9.9.9/30,2606:4700::/32' });
    expect([probed.length, probed[0], probed[255], probed[256], probed[259]]).toEqual([
      512,
      '8.8.0.0 443  4000',
      '8.8.0.255 443  4000',
      '9.9.9.8 443  4000',
      '9.9.9.11 443  4000',
    ]);
    expect(probed[260]).toMatch(/^2606:4700:.* 443 {2}4000$/);
  });

  it('continues in the background, is listed as a job and can be cancelled', async () => {
    await serve(scripted);
    const { obj } = await panel.post(`${PATH}/scanRealityTargets`, { targets: 'slow.example', background: true });
    const { jobId } = obj as { jobId: string };
    expect(jobs.get(jobId)).toMatchObject({ kind: 'scanRealityTargets', state: 'running', total: 1 });
    const waiting = panel.post(`${PATH}/scanRealityTargets`, { targets: 'slow.example' });
    await expect.poll(() => jobs.list().length).toBe(2);
    for (const { id } of jobs.list()) jobs.cancel(id);
    expect(await waiting).toMatchObject({ success: false, msg: 'The scan was cancelled.' });
    await expect.poll(() => jobs.get(jobId).state).toBe('cancelled');
  });

  it('returns partial results when its time is over', async () => {
    await serve(scripted, 50);
    const targets = [...Array(32).fill('slow.example'), 'near.example'].join(',');
    const { obj } = await panel.post(`${PATH}/scanRealityTargets`, { targets });
    expect((obj as RealityScan[]).map(({ target, reason }) => [target, reason])).toEqual([
      ['slow.example:443', 'scan time budget exceeded'],
      ['near.example:443', 'scan time budget exceeded'],
    ]);
  });
});
