import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import { deepLinkIn } from './guards/deep-link.ts';
import { registerScheme } from './protocol/serve-scheme.ts';
import { keepErrors } from './shell/keep-errors.ts';
import { startShell, type Shell } from './shell/shell.ts';
import { readStartOptions } from './shell/start-options.ts';

/** Of the installer as well: Windows shows notifications only under a known id. */
const APP_ID = 'io.switchyard.desktop';

const options = readStartOptions(process.argv.slice(1), process.env);
// What the window keeps lives beside the panel's data: one data folder is one application, whatever starts it.
const profile = join(options.dataDir, 'window', 'profile');
mkdirSync(profile, { recursive: true, mode: 0o700 });
keepErrors(join(options.dataDir, 'window', 'errors.log'));
app.setPath('userData', profile);
app.setAppUserModelId(APP_ID);
// GTK draws no more than menus and dialogs here, yet would load the whole graphics driver into this process: 30 MiB.
if (process.platform === 'linux') process.env['GDK_GL'] = 'disable';
// The page talks to `app://` alone, which is answered here: a process of its own for Chromium's network is 15 MiB for nothing.
app.commandLine.appendSwitch('enable-features', 'NetworkServiceInProcess2');
// A page that was left, by locking for one, is gone: it must not be there to go back to.
app.commandLine.appendSwitch('disable-features', 'BackForwardCache');
// At rest, V8 gives back what it keeps for the next burst of the page; its code is compiled the same.
app.commandLine.appendSwitch('js-flags', '--optimize-for-size');
if (app.isPackaged) process.env['PANEL_RESOURCES'] = process.resourcesPath;

if (app.requestSingleInstanceLock()) start();
else app.exit(0);

function start(): void {
  let shell: Shell | null = null;
  let waiting = deepLinkIn(process.argv);
  const open = (link: string | null): void => {
    if (shell === null) waiting = link ?? waiting;
    else shell.open(link);
  };
  app.on('second-instance', (_event, argv) => open(deepLinkIn(argv)));
  app.on('open-url', (event, url) => {
    event.preventDefault();
    open(url);
  });
  app.on('activate', () => open(null));
  if (app.isPackaged) app.setAsDefaultProtocolClient('switchyard');
  registerScheme();
  void startShell(options).then((started) => {
    shell = started;
    if (waiting !== null) started.open(waiting);
  });
}
