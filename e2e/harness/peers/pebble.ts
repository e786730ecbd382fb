import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSelfSigned } from '../../../src-server/testing/peers/self-signed.ts';
import { freePort } from '../../../src-server/testing/free-port.ts';
import { waitFor } from '../wait-for.ts';

const VERSION = 'v2.8.0';
const PROGRAMS = ['pebble', 'pebble-challtestsrv'] as const;
/** Where the programs are kept between runs. */
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache', `pebble-${VERSION}`);

export interface Pebble {
  directoryUrl: string;
  /** Certificate authority of the directory itself. */
  authorityFile: string;
  /** Ports it connects to for validation. */
  httpPort: number;
  tlsPort: number;
  /** Accepts DNS records from programs: `POST /set-txt`. */
  dnsControl: string;
  /** Values of a DNS record in its resolver. */
  txt(name: string): Promise<string[]>;
  /** Sets the address of a name; 127.0.0.1 by default. */
  pointTo(name: string, address: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * The programs, built with this machine's Go if they are missing.
 * @returns why there are none; empty when there are
 */
export async function providePebble(): Promise<string> {
  const missing = PROGRAMS.filter((name) => !existsSync(join(CACHE, name)));
  if (missing.length === 0) return '';
  const building = `${CACHE}.${process.pid}`;
  await mkdir(building, { recursive: true });
  try {
    const packages = missing.map((name) => `github.com/letsencrypt/pebble/v2/cmd/${name}@${VERSION}`);
    const problem = await goInstall(packages, building);
    if (problem !== '') return problem;
    await mkdir(CACHE, { recursive: true });
    for (const name of missing) await rename(join(building, name), join(CACHE, name));
    return '';
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

function goInstall(packages: readonly string[], bin: string): Promise<string> {
  return new Promise((resolve) => {
    const env = { ...process.env, CGO_ENABLED: '0', GOBIN: bin };
    const child = spawn('go', ['install', '-trimpath', '-ldflags=-s -w', ...packages], {
      env,
      cwd: tmpdir(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-500)));
    child.once('error', () => resolve('Go is not installed on this machine'));
    child.once('close', (code) => resolve(code === 0 ? '' : `the authority for tests cannot be built: ${said}`));
  });
}

/** A real ACME authority, with its random failures, and its DNS server. */
export async function startPebble(): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-pebble-'));
  const [port, httpPort, tlsPort, dnsPort, controlPort] = await Promise.all(
    Array.from({ length: 5 }, () => freePort()),
  );
  const pair = join(folder, 'pair.pem');
  const { certPem, keyPem } = makeSelfSigned();
  await writeFile(pair, keyPem + certPem);
  const config = {
    pebble: {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: '',
      certificate: pair,
      privateKey: pair,
      httpPort,
      tlsPort,
      retryAfter: { authz: 1, order: 1 },
      profiles: { default: { description: 'The usual one', validityPeriod: 90 * 86_400 } },
    },
  };
  await writeFile(join(folder, 'pebble.json'), JSON.stringify(config));
  const off = ['-http01', '-https01', '-doh', '-tlsalpn01', '-defaultIPv6'].flatMap((name) => [name, '']);
  const on = ['-dns01', `127.0.0.1:${dnsPort}`, '-management', `127.0.0.1:${controlPort}`];
  const dns = run('pebble-challtestsrv', [...on, ...off]);
  const pebble = run('pebble', ['-config', join(folder, 'pebble.json'), '-dnsserver', `127.0.0.1:${dnsPort}`], {
    PEBBLE_WFE_NONCEREJECT: '15',
    PEBBLE_AUTHZREUSE: '50',
    PEBBLE_VA_NOSLEEP: '1',
  });
  const dnsControl = `http://127.0.0.1:${controlPort}`;
  const control = async (path: string, body: object): Promise<Response> => {
    const response = await fetch(`${dnsControl}/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response;
  };
  await waitFor('the authority', () => /Listening on/.test(pebble.said()));
  await waitFor(
    'its DNS',
    async () => (await fetch(`${dnsControl}/dns-request-history`, { method: 'POST', body: '{"host":"x"}' })).ok,
  );
  return {
    directoryUrl: `https://127.0.0.1:${port}/dir`,
    authorityFile: pair,
    httpPort: httpPort!,
    tlsPort: tlsPort!,
    dnsControl,
    async txt(name) {
      const { Resolver } = await import('node:dns/promises');
      const resolver = new Resolver();
      resolver.setServers([`127.0.0.1:${dnsPort}`]);
      return (await resolver.resolveTxt(name).catch(() => [])).flat();
    },
    async pointTo(name, address) {
      await control('add-a', { host: `${name}.`, addresses: [address] });
    },
    async close() {
      await Promise.all([pebble.end(), dns.end()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function run(name: (typeof PROGRAMS)[number], args: readonly string[], env: Record<string, string> = {}) {
  const child: ChildProcess = spawn(join(CACHE, name), args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const take = (chunk: Buffer): void => void (said = (said + chunk.toString()).slice(-100_000));
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  return {
    said: () => {
      if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`);
      return said;
    },
    end: () =>
      new Promise<void>((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}
