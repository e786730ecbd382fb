import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { notifyServiceManager } from './service-manager.ts';

const canRun = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
/** A socket like systemd's; Node has no such kind. */
const LISTEN = `use Socket; $| = 1; socket(my $s, PF_UNIX, SOCK_DGRAM, 0) or die; bind($s, sockaddr_un($ARGV[0])) or die;
  print "listening\\n"; while (defined recv($s, my $said, 4096, 0)) { print join(' ', split /\\n/, $said), "\\n" }`;

it.skipIf(!canRun('systemd-notify') || !canRun('perl'))(
  'tells the service manager that the panel answers, and then that it lives',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
    const socket = join(folder, 'notify');
    const listener = spawn('perl', ['-e', LISTEN, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
    let stop = (): void => undefined;
    try {
      const said: string[] = [];
      for await (const line of createInterface({ input: listener.stdout })) {
        said.push(line);
        if (line === 'listening') {
          process.env['NOTIFY_SOCKET'] = socket;
          stop = notifyServiceManager({ ...process.env, WATCHDOG_USEC: '40000' });
        }
        if (line.includes('WATCHDOG=1')) break;
      }
      expect(said[0]).toBe('listening');
      expect(said.join('\n')).toContain('READY=1');
      expect(said.join('\n')).toContain('WATCHDOG=1');
    } finally {
      stop();
      delete process.env['NOTIFY_SOCKET'];
      listener.kill();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

it('does nothing where no one listens', () => {
  expect(() => notifyServiceManager({})).not.toThrow();
});
