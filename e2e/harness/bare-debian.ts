import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export const ROOT = join(import.meta.dirname, '../..');
const DIST = join(ROOT, 'src-server/cli/build/dist.ts');
/** Where packages are built. */
export const PACKAGES = join(ROOT, 'dist', 'packages');

/** A minimal Debian, made by debootstrap and entered by chroot: needs root, and access to a package mirror. */
export interface BareDebian {
  /** Its root folder. */
  system: string;
  /** Runs a command inside, as root. @returns its output */
  inside(...command: string[]): Promise<string>;
  dispose(): Promise<void>;
}

export async function openBareDebian(): Promise<BareDebian> {
  const system = await mkdtemp(join(tmpdir(), 'switchyard-debian-'));
  await chmod(system, 0o755);
  await run('debootstrap', ['--variant=minbase', 'stable', system], { maxBuffer: MAX_OUTPUT_BYTES });
  await copyFile('/etc/resolv.conf', join(system, 'etc/resolv.conf'));
  await run('mount', ['-t', 'proc', 'proc', join(system, 'proc')]);
  const debian: BareDebian = {
    system,
    async inside(...command) {
      const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', HOME: '/root' };
      const { stdout } = await run('chroot', [system, ...command], { env, maxBuffer: MAX_OUTPUT_BYTES });
      return stdout;
    },
    async dispose() {
      await run('umount', [join(system, 'proc')]);
      await rm(system, { recursive: true, force: true });
    },
  };
  await debian.inside('apt-get', 'update', '-q');
  return debian;
}

/** Builds the package for this machine's architecture, with the core inside. @param env of the build */
export async function makePackage(revision: string, env: Record<string, string> = {}): Promise<void> {
  const args = [DIST, '--server', '--arch', process.arch, '--with-core', '--revision', revision];
  await run(process.execPath, args, { env: { ...process.env, ...env }, maxBuffer: MAX_OUTPUT_BYTES });
}

/** The Debian package of a revision. */
export const debOf = (revision: string): string =>
  join(PACKAGES, `switchyard_0.1.0-${revision}_${process.arch === 'x64' ? 'amd64' : 'arm64'}.deb`);
