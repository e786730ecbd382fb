import { InstallError } from '../core/binary/install.ts';
import { buildDesktop } from './build/desktop-build.ts';
import { electronBinary, hasScreen, windowTrouble } from './electron/electron-binary.ts';
import { USAGE_EXIT_CODE } from './launch/exit-codes.ts';
import { FLAG_USAGE, parseServerFlags, type ServerFlags } from './flags.ts';
import { provideCore } from './build/provide-core.ts';
import { parseReadyLine } from './launch/ready-line.ts';
import { offerElectron, runWindow } from './electron/run-window.ts';
import { outliveReader } from './outlive-reader.ts';
import { runUnderLauncher } from './electron/run-launcher.ts';
import { prepareServer } from './build/server-build.ts';
import { prepareWeb } from './build/web-build.ts';

const USAGE = `Usage: npm start -- [options]\n${FLAG_USAGE}`;

/**
 * `npm start`: gets a core when there is none, then opens the panel in its window, or runs it and prints its address.
 */
async function main(argv: readonly string[]): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    outliveReader();
    process.stdout.write(USAGE);
    return 0;
  }
  const parsed = parseServerFlags(argv);
  if (!parsed.ok) {
    process.stderr.write(`${parsed.text}\n\n${USAGE}`);
    return USAGE_EXIT_CODE;
  }
  if (parsed.flags.role === 'subscriptions') {
    process.stderr.write(`A subscription server has no window. Start it with: npm run serve -- --role subscriptions\n`);
    return USAGE_EXIT_CODE;
  }
  await provideCoreOrSay(parsed.flags);
  const [entry] = await Promise.all([prepareServer(), prepareWeb()]);
  const isNamed = (process.env['ELECTRON_BIN'] ?? '') !== '';
  if (!isNamed && hasScreen() && electronBinary() === null) await offerElectron();
  const trouble = windowTrouble();
  const electron = electronBinary();
  if (trouble === '' && electron !== null) {
    await buildDesktop();
    return runWindow(electron, entry, parsed.flags);
  }
  return runUnderLauncher(parsed.flags, entry, (line) =>
    process.stdout.write(addressText(line, parsed.flags, trouble)),
  );
}

/** Without a core the panel still opens: settings, clients and backups work, and it says what is missing. */
async function provideCoreOrSay({ core }: ServerFlags): Promise<void> {
  try {
    await provideCore(core === null ? {} : { core });
  } catch (error) {
    if (!(error instanceof InstallError)) throw error;
    process.stderr.write(`${error.message}\nThe panel starts without a proxy core.\n`);
  }
}

function addressText(line: string, { dataDir }: ServerFlags, trouble: string): string {
  const ready = parseReadyLine(line);
  return [
    '',
    `No window: ${trouble}.`,
    'The panel runs all the same: open it in a browser. Ctrl+C stops it.',
    `  panel          ${ready?.panel ?? ''}`,
    `  subscriptions  ${ready?.sub === '' || ready === null ? 'switched off' : ready.sub}`,
    `  data folder    ${dataDir}`,
    '',
    '',
  ].join('\n');
}

process.exitCode = await main(process.argv.slice(2));
