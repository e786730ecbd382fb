import { USAGE_EXIT_CODE } from './launch/exit-codes.ts';
import { FLAG_USAGE, parseServerFlags } from './flags.ts';
import { runUnderLauncher } from './electron/run-launcher.ts';
import { outliveReader } from './outlive-reader.ts';
import { prepareServer } from './build/server-build.ts';
import { prepareWeb } from './build/web-build.ts';

const USAGE = `Usage: npm run serve -- [options]\n${FLAG_USAGE}`;

/** `npm run serve`: keeps the panel running, without a window. Its stdout is the ready line and nothing else. */
async function main(argv: readonly string[]): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    outliveReader();
    process.stderr.write(USAGE);
    return 0;
  }
  const parsed = parseServerFlags(argv);
  if (parsed.ok) {
    const [entry] = await Promise.all([prepareServer(), parsed.flags.role === 'subscriptions' ? null : prepareWeb()]);
    return runUnderLauncher(parsed.flags, entry, (line) => process.stdout.write(`${line}\n`));
  }
  process.stderr.write(`${parsed.text}\n\n${USAGE}`);
  return USAGE_EXIT_CODE;
}

process.exitCode = await main(process.argv.slice(2));
