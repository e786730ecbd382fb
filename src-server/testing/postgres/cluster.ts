import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, readFileSync, readdirSync, statfsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** The oldest first: the version that Debian has is the one that must do. */
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

/** initdb refuses root, for which the server runs as `nobody`. */
const isRoot = process.getuid?.() === 0;
const AS_NOBODY = ['--reuid=nobody', '--regid=nogroup', '--clear-groups'];

const unprivileged = (program: string, args: readonly string[]): [string, string[]] =>
  isRoot ? ['setpriv', [...AS_NOBODY, program, ...args]] : [program, [...args]];

/** In memory where there is plenty of it: every test has a database of its own, of 8 MB. */
function roomyFolder(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 4e9 ? memory : tmpdir();
}

/** A PostgreSQL server of its own in a temporary folder, reached through a socket in it. */
export interface Cluster {
  /** Address of one of its databases. */
  url(database: string): string;
  psql: string;
  /** Ends it as a power cut does: no word to anybody, nothing written that was not yet. */
  crash(): Promise<void>;
  /** Starts it again where it was. */
  restart(): Promise<void>;
  /** Stands still as a machine that is gone from the network: connections stay open and say nothing. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** @param settings of the server, `name=value`; by default nothing survives a power cut, which no test asks for. */
export async function startCluster(
  settings: readonly string[] = ['fsync=off', 'full_page_writes=off'],
): Promise<Cluster> {
  const bin = programs();
  const folder = await mkdtemp(join(roomyFolder(), 'switchyard-postgres-'));
  if (isRoot) {
    const [uid, gid] = ['-u', '-g'].map((what) => Number(execFileSync('id', [what, 'nobody'], { encoding: 'utf8' })));
    chownSync(folder, uid!, gid!);
  }
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  const making = ['-D', data, '-U', 'panel', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
  execFileSync(...unprivileged(join(bin, 'initdb'), making), {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: folder,
  });
  // One role has to prove itself.
  const access = join(data, 'pg_hba.conf');
  writeFileSync(access, `local all guarded scram-sha-256\n${readFileSync(access, 'utf8')}`);
  const given = [
    'listen_addresses=',
    `unix_socket_directories=${folder}`,
    'shared_buffers=64MB',
    'max_connections=200',
    'max_wal_size=4GB',
    'checkpoint_timeout=1h',
    'autovacuum=off',
  ];
  const run = (): ChildProcess =>
    spawn(
      ...unprivileged(join(bin, 'postgres'), [
        '-D',
        data,
        ...[...given, ...settings].flatMap((setting) => ['-c', setting]),
      ]),
      { cwd: folder, stdio: 'ignore' },
    );
  let server = run();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  const all = (): number[] => [
    server.pid!,
    ...readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number),
  ];
  const url = (database: string): string =>
    `postgres://panel@/${encodeURIComponent(database)}?host=${encodeURIComponent(folder)}`;
  await answering(url('postgres'), server);
  return {
    url,
    psql: join(bin, 'psql'),
    crash: () => end('SIGQUIT'),
    async restart() {
      server = run();
      await answering(url('postgres'), server);
    },
    freeze: () => all().forEach((pid) => process.kill(pid, 'SIGSTOP')),
    thaw: () => all().forEach((pid) => process.kill(pid, 'SIGCONT')),
    async stop() {
      await end('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answering(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`);
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
