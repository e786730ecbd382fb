import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InstallError } from '../core/binary/install.ts';
import { electronBinary } from './electron-binary.ts';
import { USAGE_EXIT_CODE } from './exit-codes.ts';
import { provideCore } from './provide-core.ts';
import { prepareWeb } from './web-build.ts';
import { closingLine, readTestCounts } from './vitest-report.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Scripts of package.json that read the sources only. */
const STATIC_CHECKS = ['format:check', 'typecheck', 'lint', 'layers', 'unused'];
/** Stages, one after the other; the lanes of a stage run side by side, because both wait most of the time. */
const STAGES: Record<'check' | 'all', readonly (readonly (readonly string[])[])[]> = {
  check: [[['unit']], [['renderer'], ['main']]],
  all: [
    [['unit']],
    [['renderer'], ['main']],
    [['core']],
    [
      ['e2e', 'window'],
      ['ui', 'desktop'],
    ],
  ],
};
/** Projects that open real windows. */
const IN_WINDOWS = new Set(['desktop', 'window']);

/**
 * `npm run check` (static checks and unit tests) and `npm test` (these, then the tests with the real core and the journeys).
 * Everything runs, whatever failed before; the last line of stdout is the sum over all tests, where each failed static check
 * counts as one failure.
 */
async function main(scope: string | undefined): Promise<number> {
  if (scope !== 'check' && scope !== 'all') {
    process.stderr.write('Usage: run-checks.ts check|all\n');
    return USAGE_EXIT_CODE;
  }
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PATH: `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
  };
  if (scope === 'all') Object.assign(env, await findCore());
  await prepareWeb();
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const sum = { passed: 0, failed: 0, skipped: 0 };
  const failures: string[] = [];
  const failedChecks: string[] = [];
  await Promise.all(
    STATIC_CHECKS.map(async (name) => {
      if (!(await succeeds(name, scripts[name]!, env, 'together'))) failedChecks.push(name);
    }),
  );
  const reports = await mkdtemp(join(tmpdir(), 'switchyard-reports-'));
  async function test(project: string, output: Output): Promise<void> {
    const report = join(reports, `${project}.json`);
    const command = `vitest run --project ${project} --reporter=default --reporter=json --outputFile.json="${report}"`;
    const isGreen = await succeeds(`${project} tests`, command, env, output);
    const counts = await readTestCounts(report);
    sum.passed += counts.passed;
    // A run that ends with an error in spite of its report failed all the same.
    sum.failed += !isGreen && counts.failed === 0 ? 1 : counts.failed;
    sum.skipped += counts.skipped;
    failures.push(...counts.failures.map((failure) => `${project}: ${failure}`));
  }
  const isLeftOut = scope === 'all' && !hasElectron();
  for (const stage of STAGES[scope])
    await Promise.all(
      stage.map(async (lane, at) => {
        for (const project of lane)
          if (!IN_WINDOWS.has(project) || !isLeftOut) await test(project, at === 0 ? 'asItComes' : 'together');
      }),
    );
  await rm(reports, { recursive: true, force: true });
  sum.failed += failedChecks.length;
  if (failedChecks.length > 0) process.stdout.write(`\nFailed checks: ${failedChecks.join(', ')}\n`);
  // Once more at the end: what failed may stand thousands of lines above.
  for (const failure of failures) process.stdout.write(`\nFailed in ${failure}\n`);
  process.stdout.write(`\n${closingLine(sum)}\n`);
  return sum.failed === 0 ? 0 : 1;
}

/** The journeys in a real window need an Electron; where there is none the log says so. */
function hasElectron(): boolean {
  if (electronBinary() !== null) return true;
  process.stdout.write('\nNot run: the journeys in the window, for want of an Electron (ELECTRON_BIN).\n');
  return false;
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

/** `together`: all at once when it has ended, so that lines of two programs do not mix. */
type Output = 'asItComes' | 'together';

function succeeds(title: string, command: string, env: NodeJS.ProcessEnv, output: Output): Promise<boolean> {
  const heading = `\n=== ${title}\n`;
  if (output === 'asItComes') process.stdout.write(heading);
  return new Promise((resolve) => {
    const said: Buffer[] = [];
    const out = output === 'asItComes' ? 'inherit' : 'pipe';
    const child = spawn(command, { cwd: ROOT, env, shell: true, stdio: ['ignore', out, out] });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => said.push(chunk));
    child.once('error', () => resolve(false));
    child.once('close', (code) => {
      if (output === 'together') process.stdout.write(`${heading}${Buffer.concat(said).toString()}`);
      resolve(code === 0);
    });
  });
}

process.exitCode = await main(process.argv[2]);
