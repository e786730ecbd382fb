import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { deepLinkIn } from './guards/deep-link.ts';
import { registerScheme } from './protocol/serve-scheme.ts';
import { keepErrors } from './shell/keep-errors.ts';
import { startShell, type Shell } from './shell/shell.ts';
import { readStartOptions } from './shell/start-options.ts';

/** Same as in the installer: Windows shows notifications only for a known id. */
const APP_ID = 'io.switchyard.desktop';

const options = readStartOptions(process.argv.slice(1), process.env);
// The window's files are beside the panel's data: one data folder is one application, whatever starts it.
const profile = join(options.dataDir, 'window', 'profile');
mkdirSync(profile, { recursive: true, mode: 0o700 });
keepErrors(join(options.dataDir, 'window', 'errors.log'));
app.setPath('userData', profile);
app.setAppUserModelId(APP_ID);
// GTK draws only menus and dialogs here, yet would load the whole graphics driver into this process: 30 MiB.
if (process.platform === 'linux') process.env['GDK_GL'] = 'disable';
// The page talks only to `app://`, which is answered here: a separate network process of Chromium would waste 15 MiB.
app.commandLine.appendSwitch('enable-features', 'NetworkServiceInProcess2');
// A page that was left, for example by locking, must not be kept to go back to.
app.commandLine.appendSwitch('disable-features', 'BackForwardCache');
// When idle, V8 returns the memory it keeps for the page's next burst; code is compiled the same.
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
  startShell(options).then((started) => {
    shell = started;
    if (waiting !== null) started.open(waiting);
  }, endUnstarted);
}

/** Its own files cannot be used, and no window could say so: left running it would hold the data folder, unseen. */
async function endUnstarted(error: Error): Promise<void> {
  await app.whenReady();
  dialog.showErrorBox('Switchyard', error.message);
  app.exit(1);
}
