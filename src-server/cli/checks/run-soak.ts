import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { USAGE_EXIT_CODE } from '../launch/exit-codes.ts';
import { ROOT, runnableProjects, runTests, testEnvironment } from './test-run.ts';
import { closingLine, longestFiles } from './vitest-report.ts';
import { prepareWeb } from '../build/web-build.ts';

/** Each soak that can be named: the project it runs in, and its files. */
const SOAKS: Readonly<Record<string, readonly [project: string, files: readonly string[]]>> = {
  'panel-kills': ['soak', ['e2e/soak/panel-kills']],
  'import-kills': ['soak', ['e2e/soak/import-kills']],
  postgres: ['soak', ['e2e/soak/postgres-kills', 'e2e/soak/postgres-promotions']],
  standby: ['soak', ['e2e/soak/standby-takeovers']],
  'install-kills': ['soak', ['e2e/soak/install-kills']],
  journal: ['soak', ['e2e/soak/journal-kills']],
  fleet: ['soak', ['e2e/soak/fleet']],
  'event-queue': ['e2e', ['e2e/events']],
  typing: ['soak', ['e2e/soak/typing']],
  clash: ['soak', ['e2e/soak/clash-apps']],
  stress: ['soak', ['e2e/soak/stress']],
  package: ['soak', ['e2e/soak/server-package']],
  timings: ['timings', []],
  window: ['window-soak', []],
};
const USAGE = `Usage: npm run soak -- [name...] [--seed N]\n  names: ${Object.keys(SOAKS).join(', ')}; all without one\n`;
const SEEDS = 2 ** 31;

/** `npm run soak`: long runs that look for unforeseen failures. Runs with the same seed draw the same numbers. */
async function main(args: string[]): Promise<number> {
  let parsed;
  try {
    parsed = parseArgs({ args, allowPositionals: true, options: { seed: { type: 'string' } } });
  } catch {
    process.stderr.write(USAGE);
    return USAGE_EXIT_CODE;
  }
  const names = parsed.positionals.length === 0 ? Object.keys(SOAKS) : parsed.positionals;
  const seed = parsed.values.seed === undefined ? randomInt(SEEDS) : Number(parsed.values.seed);
  if (names.some((name) => !Object.hasOwn(SOAKS, name)) || !Number.isSafeInteger(seed) || seed < 0) {
    process.stderr.write(USAGE);
    return USAGE_EXIT_CODE;
  }
  process.stdout.write(`Seed: ${seed}\n`);
  const env = { ...(await testEnvironment(true)), SOAK_SEED: String(seed) };
  await prepareWeb();
  const sum = { passed: 0, failed: 0, skipped: 0 };
  const files = [];
  for (const name of names) {
    const [project, only] = SOAKS[name]!;
    const projects = runnableProjects([project]);
    if (projects.length === 0) continue;
    const counts = await runTests(name, projects, { env, workers: 1, only });
    sum.passed += counts.passed;
    sum.failed += counts.failed;
    sum.skipped += counts.skipped;
    files.push(...counts.files);
    for (const failure of counts.failures) process.stdout.write(`\nFailed in ${failure}\n`);
  }
  process.stdout.write(`\nWhat took longest:\n${longestFiles(files, ROOT)}\n\nSeed: ${seed}\n${closingLine(sum)}\n`);
  return sum.failed === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
