import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntilReady, newFolder, unprivileged } from './cluster.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

/** A separate PgBouncer in front of a test's server, in transaction mode. */
export interface Pooler {
  url(database: string): string;
  /** Kills it and everything that it held. */
  crash(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param serverFolder folder of the server's socket
 * @param settings `name = value`
 */
export async function startPooler(serverFolder: string, settings: readonly string[] = []): Promise<Pooler> {
  if (!existsSync(PROGRAM)) throw new Error('tests behind a pooler need PgBouncer (Debian: apt-get install pgbouncer)');
  const folder = await newFolder();
  const file = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${serverFolder} user=panel`,
    '[pgbouncer]',
    'listen_addr =',
    'listen_port = 6432',
    `unix_socket_dir = ${folder}`,
    'auth_type = any',
    'pool_mode = transaction',
    // Fewer servers than the panel has connections: session state gets lost between them.
    'default_pool_size = 3',
    ...settings,
  ];
  writeFileSync(file, lines.join('\n'));
  // Whatever mask an earlier test in this process has left.
  chmodSync(file, 0o644);
  let complaint = '';
  function run(): ChildProcess {
    const started = spawn(...unprivileged(PROGRAM, [file]), { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    started.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    return started;
  }
  const url = (database: string): string =>
    `postgres://panel@/${encodeURIComponent(database)}?host=${encodeURIComponent(folder)}&port=6432`;
  let pooler = run();
  const end = async (): Promise<void> => {
    const ended = once(pooler, 'exit');
    pooler.kill('SIGKILL');
    await ended;
    // A leftover socket would be taken for a running pooler.
    await rm(join(folder, '.s.PGSQL.6432'), { force: true });
  };
  const serving = (): Promise<void> =>
    waitUntilReady(url('postgres'), pooler).catch(async (error: unknown) => {
      // Its last words may still be on their way.
      if (!pooler.stderr!.closed) await once(pooler.stderr!, 'close');
      throw new Error(complaint, { cause: error });
    });
  await serving();
  return {
    url,
    crash: end,
    async restart() {
      pooler = run();
      await serving();
    },
    async stop() {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
