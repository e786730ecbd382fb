import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** The oldest first: Debian's version has to be sufficient. */
function programs(): string {
  const installed = '/usr/lib/postgresql';
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(a) - Number(b)) : [];
  const folder = versions
    .map((version) => join(installed, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
  if (folder === undefined)
    throw new Error('tests on PostgreSQL need its programs (Debian: apt-get install postgresql)');
  return folder;
}

/** initdb refuses root, so the server runs as `nobody`. */
const isRoot = process.getuid?.() === 0;
const AS_NOBODY = ['--reuid=nobody', '--regid=nogroup', '--clear-groups'];

export const unprivileged = (program: string, args: readonly string[]): [string, string[]] =>
  isRoot ? ['setpriv', [...AS_NOBODY, program, ...args]] : [program, [...args]];

/** A separate PostgreSQL server in a temporary folder, reached through a socket in it. */
export interface Cluster {
  /** Address of one of its databases. */
  url(database: string): string;
  /** Folder of its socket. */
  readonly folder: string;
  psql: string;
  /** Ends it as a power cut does: without notice, and without writing anything more. */
  crash(): Promise<void>;
  /** Starts it again in the same place. */
  restart(): Promise<void>;
  /** Freezes it, like a machine that is gone from the network: connections stay open and silent. */
  freeze(): void;
  thaw(): void;
  /**
   * A streaming replica of it, which answers reads.
   * @param name under which the first server knows it (`synchronous_standby_names`)
   */
  startReplica(options?: { name?: string; settings?: readonly string[] }): Promise<Replica>;
  stop(): Promise<void>;
}

export interface Replica extends Cluster {
  /** Accepts writes from now on, and no longer follows another server. */
  promote(): Promise<void>;
}

/** Nothing survives a power cut; few tests need that. */
const CARELESS = ['fsync=off', 'full_page_writes=off'];
const GIVEN = [
  'listen_addresses=',
  'shared_buffers=64MB',
  'max_connections=200',
  'max_wal_size=4GB',
  'checkpoint_timeout=1h',
  'autovacuum=off',
];

/** @param settings of the server, `name=value` */
export async function startCluster(settings: readonly string[] = CARELESS): Promise<Cluster> {
  const folder = await newFolder();
  const data = join(folder, 'data');
  runProgram('initdb', ['-D', data, '-U', 'panel', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'], folder);
  // These roles need a password, one for each test that has one: a server is shared.
  const access = join(data, 'pg_hba.conf');
  writeFileSync(access, `local all guarded,importer,restorer scram-sha-256\n${readFileSync(access, 'utf8')}`);
  return serveFrom(folder, settings);
}

/** @returns one owned by the user that runs the programs */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-postgres-'));
  if (isRoot) {
    const [uid, gid] = ['-u', '-g'].map((what) => Number(execFileSync('id', [what, 'nobody'], { encoding: 'utf8' })));
    chownSync(folder, uid!, gid!);
  }
  chmodSync(folder, 0o700);
  return folder;
}

function runProgram(name: string, args: readonly string[], folder: string): void {
  execFileSync(...unprivileged(join(programs(), name), args), { stdio: ['ignore', 'ignore', 'pipe'], cwd: folder });
}

async function serveFrom(folder: string, settings: readonly string[]): Promise<Cluster> {
  const data = join(folder, 'data');
  const all = [...GIVEN, `unix_socket_directories=${folder}`, ...settings];
  const args = ['-D', data, ...all.flatMap((setting) => ['-c', setting])];
  const run = (): ChildProcess =>
    spawn(...unprivileged(join(programs(), 'postgres'), args), { cwd: folder, stdio: 'ignore' });
  let server = run();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  const processes = (): number[] => [
    server.pid!,
    ...readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number),
  ];
  const url = (database: string): string =>
    `postgres://panel@/${encodeURIComponent(database)}?host=${encodeURIComponent(folder)}`;
  await waitUntilReady(url('postgres'), server);
  return {
    url,
    folder,
    psql: join(programs(), 'psql'),
    crash: () => end('SIGQUIT'),
    async restart() {
      server = run();
      await waitUntilReady(url('postgres'), server);
    },
    freeze: () => processes().forEach((pid) => process.kill(pid, 'SIGSTOP')),
    thaw: () => processes().forEach((pid) => process.kill(pid, 'SIGCONT')),
    async startReplica({ name = 'replica', settings: own = settings } = {}) {
      const place = await newFolder();
      const from = `host=${folder} user=panel application_name=${name}`;
      // `-R` makes it a replica of the server it was copied from.
      runProgram('pg_basebackup', ['-D', join(place, 'data'), '-d', from, '-R', '-N', '-c', 'fast'], place);
      const replica = await serveFrom(place, own);
      return {
        ...replica,
        async promote() {
          const client = new Client(replica.url('postgres'));
          await client.connect();
          await client.query('SELECT pg_promote()');
          await client.end();
        },
      };
    },
    async stop() {
      await end('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
    const client = new Client(url);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
