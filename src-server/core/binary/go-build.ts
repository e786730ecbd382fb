import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InstallError } from './install.ts';
import { GO_PACKAGE } from './releases/release.ts';

const LIMIT_MS = 20 * 60_000;

/**
 * Builds the core from its sources with the Go tool chain of this machine and returns the executable.
 * @throws {InstallError} without Go, or when the build fails
 */
export async function buildWithGo(onLine: (line: string) => void): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'core-build-'));
  try {
    const args = ['install', '-v', '-trimpath', '-ldflags=-s -w -buildid=', GO_PACKAGE];
    await runGo(args, { ...process.env, CGO_ENABLED: '0', GOBIN: folder }, onLine);
    // The package is called main, and so is the binary.
    return await readFile(join(folder, process.platform === 'win32' ? 'main.exe' : 'main'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runGo(args: readonly string[], env: NodeJS.ProcessEnv, onLine: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, {
      env,
      cwd: tmpdir(),
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: LIMIT_MS,
      windowsHide: true,
    });
    let rest = '';
    let last = '';
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine((last = line));
    });
    child.once('error', (error) => {
      reject(new InstallError('Go is not installed on this machine', { cause: error }));
    });
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new InstallError(`go install failed: ${rest || last || `exit code ${code}`}`));
    });
  });
}
