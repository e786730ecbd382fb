import { fileURLToPath } from 'node:url';
import { USAGE_EXIT_CODE } from './exit-codes.ts';
import { FLAG_USAGE, parseServerFlags, toArguments } from './flags.ts';
import { startLauncher } from './launcher.ts';

/** The panel stops within 7 s: core counters, core, checkpoint and backup included. */
const STOP_GRACE_MS = 7000;
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const USAGE = `Usage: npm run serve -- [options]\n${FLAG_USAGE}`;

/** `npm run serve`: the panel without a window, kept running. Its stdout is the ready line and nothing else. */
async function main(): Promise<number> {
  const argv = process.argv.slice(2);
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stderr.write(USAGE);
    return 0;
  }
  const parsed = parseServerFlags(argv);
  if (!parsed.ok) {
    process.stderr.write(`${parsed.text}\n\n${USAGE}`);
    return USAGE_EXIT_CODE;
  }
  // Whoever reads may go away; that is no reason to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const launcher = startLauncher({
    command: process.execPath,
    args: [MAIN, ...toArguments(parsed.flags)],
    writeReady: (line) => process.stdout.write(`${line}\n`),
    say: (line) => process.stderr.write(`${line}\n`),
    clock: Date.now,
    random: Math.random,
    stopGraceMs: STOP_GRACE_MS,
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => launcher.stop());
  return launcher.done;
}

process.exitCode = await main();
