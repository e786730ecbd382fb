import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { prepareServer } from '../../../src-server/cli/build/server-build.ts';
import { electronBinary, electronTrouble } from '../../../src-server/cli/electron/electron-binary.ts';
import { buildDesktop } from '../../../src-server/cli/build/desktop-build.ts';
import { prepareWeb } from '../../../src-server/cli/build/web-build.ts';
import { coreBinary } from '../../harness/core/core-binary.ts';
import { endLeftCores } from '../../harness/core-figures.ts';
import { watchPage } from '../../ui/report-failures.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMPAT = join(import.meta.dirname, '../compat');
/** Builds the application; for an old Electron with polyfills for what it lacks. @returns how to start it */
export async function buildApplication(binary: string): Promise<Record<string, string>> {
  const PANEL_ENTRY = await prepareServer();
  await prepareWeb();
  if (electronTrouble(binary) === '') {
    await buildDesktop();
    return { PANEL_ENTRY };
  }
  await buildDesktop({
    format: 'cjs',
    target: 'node16',
    inject: [join(COMPAT, 'polyfills.ts')],
    standIns: {
      'protocol/serve-scheme.ts': join(COMPAT, 'serve-scheme.ts'),
      'connections/key-store.ts': join(COMPAT, 'key-store.ts'),
    },
  });
  return { PANEL_ENTRY, ELECTRON_TEST_MAIN: 'dist/desktop/main.cjs' };
}

/** The build of this run's setup; scripts without one, such as `take-screenshots`, build it themselves. */
async function builtApplication(binary: string): Promise<Record<string, string>> {
  const built = process.env['DESKTOP_BUILT'];
  return built === undefined ? buildApplication(binary) : (JSON.parse(built) as Record<string, string>);
}

/** A virtual display. */
async function openScreen(): Promise<{ display: string; close(): void }> {
  const server: ChildProcess = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const display = await new Promise<string>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error('Xvfb ended')));
    server.stdout!.once('data', (chunk: Buffer) => resolve(`:${chunk.toString().trim()}`));
  });
  return { display, close: () => void server.kill() };
}

export interface Desktop {
  /** Starts the application on a data folder; resolves with its window. */
  launch(options?: {
    dataDir?: string;
    args?: readonly string[];
    env?: Readonly<Record<string, string>>;
    /** False: it has to find a core by itself. */
    isCoreNamed?: boolean;
  }): Promise<Running>;
  /** Starts it a second time and resolves with that process's exit code. */
  startAgain(dataDir: string, ...args: string[]): Promise<number | null>;
  /** Ends what still runs and removes the data folders. */
  close(): Promise<void>;
}

export interface Running {
  app: ElectronApplication;
  page: Page;
  dataDir: string;
  quit: () => Promise<void>;
}

/** Longer than the application waits for its panel. */
const END_MS = 30_000;

/** The starting point of every desktop journey. */
export async function openDesktop(): Promise<Desktop> {
  const binary = electronBinary();
  if (binary === null) throw new Error('no Electron: set ELECTRON_BIN');
  const [extra, screen] = await Promise.all([builtApplication(binary), openScreen()]);
  const env = {
    ...(process.env as Record<string, string>),
    ...extra,
    DISPLAY: screen.display,
    PANEL_NODE: process.execPath,
    LANG: 'en_US.UTF-8',
  };
  const folders: string[] = [];
  const running = new Set<ElectronApplication>();
  const argsFor = (dataDir: string, more: readonly string[], core = [`--core=${coreBinary()}`]): string[] => [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ROOT,
    `--data-dir=${dataDir}`,
    '--listen=127.0.0.1',
    '--port=0',
    '--sub-port=0',
    ...core,
    ...more,
  ];
  return {
    async launch({ dataDir, args = [], env: more = {}, isCoreNamed = true } = {}) {
      const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'switchyard-app-')));
      folders.push(folder);
      const app = await _electron.launch({
        executablePath: binary,
        args: argsFor(folder, args, isCoreNamed ? undefined : []),
        env: { ...env, ...more },
        cwd: ROOT,
      });
      running.add(app);
      app.once('close', () => running.delete(app));
      const page = await app.firstWindow();
      watchPage(page);
      return {
        app,
        page,
        dataDir: folder,
        async quit() {
          const ended = new Promise<void>((resolve) => app.once('close', () => resolve()));
          await app.evaluate(({ app: electron }) => electron.quit());
          await ended;
        },
      };
    },
    startAgain(dataDir, ...more) {
      const second = spawn(binary, argsFor(dataDir, more), { env, cwd: ROOT, stdio: 'ignore' });
      return new Promise((resolve) => second.once('exit', resolve));
    },
    async close() {
      // As at the end of a session: unlike quitting, it asks nothing, whatever a failed journey left running.
      for (const app of running) {
        const ended = new Promise<void>((resolve) => app.once('close', () => resolve()));
        const process = app.process();
        process.kill('SIGTERM');
        // Whether it ends by itself is tested elsewhere.
        const overdue = setTimeout(() => process.kill('SIGKILL'), END_MS);
        await ended;
        clearTimeout(overdue);
      }
      screen.close();
      await Promise.all(
        folders.map(async (folder) => {
          await endLeftCores(folder);
          await rm(folder, { recursive: true, force: true });
        }),
      );
    },
  };
}
