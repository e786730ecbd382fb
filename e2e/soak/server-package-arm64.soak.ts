import { execFile, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { PACKAGES, ROOT } from '../harness/bare-debian.ts';

/** The arm64 package under qemu: checks that its Node and the database driver fit each other and the panel. */
const QEMU = 'qemu-aarch64-static';
const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const isMissing = process.arch !== 'x64' || spawnSync(QEMU, ['--version']).status !== 0;

it.skipIf(isMissing)(
  'runs on arm64: the version, an administrator, a panel that answers, doctor',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchyard-arm64-'));
    const at = (path: string): string => join(folder, path);
    let end = (): void => undefined;
    try {
      const dist = join(ROOT, 'src-server/cli/build/dist.ts');
      await run(process.execPath, [dist, '--server', '--arch', 'arm64'], { maxBuffer: MAX_OUTPUT_BYTES });
      // The system's libraries: the first stage of a Debian, which runs none of its programs.
      const debian = ['--arch=arm64', '--foreign', '--variant=minbase', '--include=libstdc++6', 'stable', at('system')];
      await run('debootstrap', debian, { maxBuffer: MAX_OUTPUT_BYTES });
      await run(
        'sh',
        ['-c', `mkdir panel && tar -xzf "$0"/switchyard-*-linux-arm64.tar.gz --strip-components=1 -C panel`, PACKAGES],
        {
          cwd: folder,
        },
      );
      await rename(at('panel/bin/node'), at('panel/bin/node.arm64'));
      await writeFile(
        at('panel/bin/node'),
        `#!/bin/sh\nexec ${QEMU} -L ${at('system')} ${at('panel/bin/node.arm64')} "$@"\n`,
      );
      await chmod(at('panel/bin/node'), 0o755);

      // It must find no core of this machine.
      const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: at('data'), SWITCHYARD_DATA: at('data') };
      const switchyard = async (...args: string[]): Promise<string> =>
        (await run(at('panel/bin/switchyard'), args, { env })).stdout;
      expect((await run(at('panel/bin/node'), ['-p', 'process.arch'])).stdout).toBe('arm64\n');
      expect(await switchyard('version')).toMatch(/^\d+\.\d+\.\d+\n$/);
      expect(JSON.parse(await switchyard('admin', 'user', 'reset'))).toMatchObject({ password: expect.any(String) });
      const options = ['serve', '--listen', '127.0.0.1', '--port', '0', '--sub-port', '0'];
      const panel = spawn(at('panel/bin/switchyard'), options, { env, stdio: ['ignore', 'pipe', 'ignore'] });
      end = () => void panel.kill('SIGTERM');
      const exit = new Promise<number | null>((resolve) => panel.once('exit', resolve));
      const ready = await new Promise<string>((resolve) =>
        createInterface({ input: panel.stdout }).once('line', resolve),
      );
      expect((await fetch((JSON.parse(ready) as { panel: string }).panel)).status).toBe(200);
      // It has no core, and says so; everything else works.
      const said = await switchyard('doctor').catch((error: { stdout: string }) => error.stdout);
      expect(said).toContain('The database is sound.');
      expect(said.split('\n').filter((line) => line.startsWith('fix '))).toEqual([
        expect.stringContaining('No proxy core was found. Get one (page Core, Versions)') as string,
      ]);
      panel.kill('SIGTERM');
      expect(await exit).toBe(0);
    } finally {
      // After a failure it still runs.
      end();
      await rm(folder, { recursive: true, force: true });
    }
  },
  900_000,
);
