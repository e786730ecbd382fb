import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { USAGE_EXIT_CODE } from '../launch/exit-codes.ts';
import { ROOT, runnableProjects, runTests, succeeds, testEnvironment } from './test-run.ts';
import { closingLine, failedFiles, longestFiles, withFilesAgain, type TestCounts } from './vitest-report.ts';
import { prepareWeb } from '../build/web-build.ts';

/** Scripts of package.json that only read the sources. They run one after another, beside the quick tests. */
const STATIC_CHECKS = ['typecheck', 'lint', 'layers', 'unused', 'format:check'];
const QUICK = ['unit', 'renderer', 'main'];
const WAITING = ['postgres', 'core', 'e2e', 'ui', 'desktop', 'window'];
/**
 * Files at a time, on two processors: quick tests keep one processor busy each; the others wait for servers, the core
 * and pages.
 */
const WORKERS = { quick: 2, waiting: 5 };

/** With more failed files than this, lack of time is not the reason. */
const MAX_RERUN_FILES = 5;

/**
 * `npm run check` (static checks and unit tests) and `npm test` (these, and the tests with the real core and the
 * journeys). Everything runs, even after a failure; the last line of stdout is the sum over all tests, where each
 * failed static check counts as one failure.
 */
async function main(scope: string | undefined): Promise<number> {
  if (scope !== 'check' && scope !== 'all') {
    process.stderr.write('Usage: run-checks.ts check|all\n');
    return USAGE_EXIT_CODE;
  }
  const env = await testEnvironment(scope === 'all');
  await prepareWeb();
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const failedChecks: string[] = [];
  async function checkSources(): Promise<void> {
    for (const name of STATIC_CHECKS)
      if (!(await succeeds(name, scripts[name]!, env, 'together'))) failedChecks.push(name);
  }
  const quick = runTests('unit tests', QUICK, { env, workers: WORKERS.quick });
  await checkSources();
  // Begun before the last quick tests have ended: these leave processors idle at times.
  const projects = scope === 'all' ? runnableProjects(WAITING) : [];
  const title = 'tests with real servers and cores, journeys';
  const waiting = projects.length > 0 ? [runTests(title, projects, { env, workers: WORKERS.waiting })] : [];
  const [first, ...others] = await Promise.all([quick, ...waiting]);
  const runs = [await failedOnceMore(first, QUICK, env)];
  for (const other of others) runs.push(await failedOnceMore(other, projects, env));
  const sum = { passed: 0, failed: failedChecks.length, skipped: 0 };
  for (const { passed, failed, skipped } of runs) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  process.stdout.write(
    `\nWhat took longest:\n${longestFiles(
      runs.flatMap(({ files }) => files),
      ROOT,
    )}\n`,
  );
  if (failedChecks.length > 0) process.stdout.write(`\nFailed checks: ${failedChecks.join(', ')}\n`);
  // Repeated at the end: failures may be thousands of lines above.
  for (const failure of runs.flatMap(({ failures }) => failures)) process.stdout.write(`\nFailed in ${failure}\n`);
  process.stdout.write(`\n${closingLine(sum)}\n`);
  return sum.failed === 0 ? 0 : 1;
}

/**
 * Tests run beside others on processors that are all busy. A few failed files run once more, alone: one that passes then
 * was short of time, and the end of the log says so; one that fails again has failed.
 */
async function failedOnceMore(
  first: TestCounts,
  projects: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<TestCounts> {
  const failed = failedFiles(first);
  if (failed.length === 0 || failed.length > MAX_RERUN_FILES) return first;
  const again = await runTests('once more, alone', projects, { env, workers: 1, only: failed });
  if (again.failed > 0) return first;
  process.stdout.write(`\nPassed alone, failed beside others:\n${first.failures.join('\n')}\n`);
  return withFilesAgain(first, again);
}

process.exitCode = await main(process.argv[2]);
