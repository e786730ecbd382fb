import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InstallError } from '../../core/binary/install.ts';
import { electronBinary } from '../electron/electron-binary.ts';
import { provideCore } from '../build/provide-core.ts';
import { readTestCounts, type TestCounts } from './vitest-report.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** `together`: all at once when it has ended, so that lines of two programs do not mix. */
export type Output = 'asItComes' | 'together';

/** The environment in which checks and tests run: their programs, and the core when they need one. */
export async function testEnvironment(needsCore: boolean): Promise<NodeJS.ProcessEnv> {
  return {
    ...process.env,
    PATH: `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    ...(needsCore ? await findCore() : {}),
  };
}

/** Without a core the tests that need one fail and say so; the others still run. */
async function findCore(): Promise<{ CORE_BINARY?: string }> {
  try {
    return { CORE_BINARY: (await provideCore()).path };
  } catch (error) {
    if (!(error instanceof InstallError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return {};
  }
}

/** Projects that open real windows need an Electron; where there is none the log says so. */
export function runnableProjects(projects: readonly string[]): string[] {
  const inWindows = new Set(['desktop', 'window', 'window-soak']);
  if (electronBinary() !== null || !projects.some((project) => inWindows.has(project))) return [...projects];
  process.stdout.write('\nNot run: the journeys in the window, for want of an Electron (ELECTRON_BIN).\n');
  return projects.filter((project) => !inWindows.has(project));
}

/** Runs these projects once. @param options.workers files at a time; @param options.only parts of file names */
export async function runTests(
  title: string,
  projects: readonly string[],
  options: { env: NodeJS.ProcessEnv; workers: number; only?: readonly string[] },
): Promise<TestCounts> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-report-'));
  const report = join(folder, 'report.json');
  const named = projects.map((project) => `--project ${project}`).join(' ');
  const command = [
    `vitest run ${named} --maxWorkers=${options.workers}`,
    `--reporter=default --reporter=json --outputFile.json="${report}"`,
    ...(options.only ?? []),
  ].join(' ');
  const isGreen = await succeeds(title, command, options.env, 'asItComes');
  const counts = await readTestCounts(report);
  await rm(folder, { recursive: true, force: true });
  // A run that exits with an error has failed, whatever its report says.
  return isGreen || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

export function succeeds(title: string, command: string, env: NodeJS.ProcessEnv, output: Output): Promise<boolean> {
  const heading = `\n=== ${title}\n`;
  if (output === 'asItComes') process.stdout.write(heading);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const out = output === 'asItComes' ? 'inherit' : 'pipe';
    const child = spawn(command, { cwd: ROOT, env, shell: true, stdio: ['ignore', out, out] });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', () => resolve(false));
    child.once('close', (code) => {
      if (output === 'together') process.stdout.write(`${heading}${Buffer.concat(chunks).toString()}`);
      resolve(code === 0);
    });
  });
}
