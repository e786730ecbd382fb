import { InstallError } from '../core/binary/install.ts';
import { buildDesktop } from './desktop-build.ts';
import { electronBinary, hasScreen, isCurrentElectron } from './electron-binary.ts';
import { USAGE_EXIT_CODE } from './exit-codes.ts';
import { FLAG_USAGE, parseServerFlags, type ServerFlags } from './flags.ts';
import { provideCore } from './provide-core.ts';
import { parseReadyLine } from './ready-line.ts';
import { offerElectron, runWindow } from './run-window.ts';
import { runUnderLauncher } from './run-launcher.ts';
import { prepareServer } from './server-build.ts';
import { prepareWeb } from './web-build.ts';

const USAGE = `Usage: npm start -- [options]\n${FLAG_USAGE}`;

/** `npm start`: gets a core when there is none, then opens the panel in its window, or runs it and says where it is. */
async function main(argv: readonly string[]): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const parsed = parseServerFlags(argv);
  if (!parsed.ok) {
    process.stderr.write(`${parsed.text}\n\n${USAGE}`);
    return USAGE_EXIT_CODE;
  }
  await provideCoreOrSay(parsed.flags);
  const [entry] = await Promise.all([prepareServer(), prepareWeb()]);
  const window = await windowBinary();
  if (window !== null) {
    await buildDesktop();
    return runWindow(window, entry, parsed.flags);
  }
  return runUnderLauncher(parsed.flags, entry, (line) => process.stdout.write(addressText(line, parsed.flags)));
}

/** The Electron to show the panel in; null where there is no screen, no current Electron, or nobody wants one. */
async function windowBinary(): Promise<string | null> {
  if (!hasScreen()) return null;
  const found = electronBinary() ?? ((await offerElectron()) ? electronBinary() : null);
  return found !== null && isCurrentElectron(found) ? found : null;
}

/** Without a core the panel still opens: settings, clients and backups are there, and it says what is missing. */
async function provideCoreOrSay({ core }: ServerFlags): Promise<void> {
  try {
    await provideCore(core === null ? {} : { core });
  } catch (error) {
    if (!(error instanceof InstallError)) throw error;
    process.stderr.write(`${error.message}\nThe panel starts without a proxy core.\n`);
  }
}

function addressText(line: string, { dataDir }: ServerFlags): string {
  const ready = parseReadyLine(line);
  return [
    '',
    'The panel runs without a window: open it in a browser. Ctrl+C stops it.',
    `  panel          ${ready?.panel ?? ''}`,
    `  subscriptions  ${ready?.sub === '' || ready === null ? 'switched off' : ready.sub}`,
    `  data folder    ${dataDir}`,
    '',
    '',
  ].join('\n');
}

process.exitCode = await main(process.argv.slice(2));
