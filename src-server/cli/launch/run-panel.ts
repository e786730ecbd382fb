import type { App } from '../../app.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { PanelEvent } from '../../contract/events.ts';
import { createLogger } from '../../logging/create-logger.ts';
import { lockDataFolder } from '../../store/data-lock.ts';
import { isImportTried } from '../../store/waiting-import.ts';
import { poolerFrom } from '../database-address.ts';
import { databaseOf, noteServer } from '../database-note.ts';
import { describeFailure } from './describe-failure.ts';
import { GIVE_UP_EXIT_CODE, RESTART_EXIT_CODE, USAGE_EXIT_CODE } from './exit-codes.ts';
import { parseServerFlags, toOverrides, type FlagOverrides, type ServerFlags } from '../flags.ts';
import { makeDataFolder } from '../make-data-folder.ts';
import { openRole, type PanelRole } from './panel-roles.ts';
import { findParentPort, type ParentPort } from './parent-port.ts';
import { RESOURCES, WEB_INTERFACE } from '../resources.ts';
import { errorText } from '../say-error.ts';
import { notifyServiceManager } from './service-manager.ts';
import { onStopRequest, STOP_MESSAGE } from './stop-request.ts';

/** A command that opens the folder holds the lock only for moments. */
const LOCK_WAIT_MS = 3000;

/** One run of the panel server: flags, log, lock, listen, ready line, graceful stop. Ends the process. */
export async function runPanel(argv: readonly string[]): Promise<void> {
  const parsed = parseServerFlags(argv);
  if (!parsed.ok) {
    process.stderr.write(`${parsed.text}\n`);
    process.exit(USAGE_EXIT_CODE);
  }
  const isPanel = parsed.flags.role !== 'subscriptions';
  try {
    if (isPanel) await serve(parsed.flags);
    else await (await import('./run-subscriptions.ts')).serveSubscriptions(parsed.flags);
  } catch (error) {
    const text = errorText(error) ?? describeFailure(error);
    process.stderr.write(`The ${isPanel ? 'panel' : 'subscription server'} cannot start: ${text}\n`);
    // A problem with the folder or an address does not go away by starting again, unless the next start undoes an
    // import. A lock, a full disk and an owner may change meanwhile.
    const isHopeless =
      error instanceof DomainError &&
      error.code !== 'store.unreachable' &&
      error.code !== 'store.fileUnusable' &&
      !(isPanel && willUndoImport(parsed.flags.dataDir, error));
    process.exit(isHopeless ? GIVE_UP_EXIT_CODE : 1);
  }
}

function willUndoImport(dataDir: string, error: DomainError): boolean {
  return error.code !== 'store.folderInUse' && isImportTried(dataDir);
}

async function serve(flags: ServerFlags): Promise<void> {
  // Database, log and config hold credentials: only the owner may read what this process and its core create.
  process.umask(0o077);
  await makeDataFolder(flags.dataDir);
  const lock = lockDataFolder(flags.dataDir, LOCK_WAIT_MS);
  const log = createLogger({ level: flags.logLevel, clock: Date.now, dataDir: flags.dataDir, stream: process.stderr });
  if (flags.restoreBackup !== null) {
    const { stageBackup } = await import('./stage-backup.ts');
    await stageBackup(flags.dataDir, log, flags.restoreBackup);
  }
  // Checking the database takes as long as loading the rest of the program: both run at once.
  const database = await databaseOf(flags.dataDir, flags.database);
  const pooler = await poolerFrom(flags.database);
  const openNext = (hasHadRole: boolean): Promise<PanelRole> =>
    openRole({ hasHadRole, dataDir: flags.dataDir, database, pooler, clock: Date.now, log });
  const opening = openNext(false);
  opening.catch(() => undefined);
  const { createApp } = await import('../../app.ts');
  let app: App | null = null;
  let isEnding = false;
  let switching: Promise<unknown> = Promise.resolve();
  const end = async (reason: string, exitCode: number): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    log.info('panel.stopping', { reason });
    let code = exitCode;
    try {
      await switching.catch(() => undefined);
      // Standbys wait for an active panel that is back at once.
      if (exitCode === RESTART_EXIT_CODE) await app?.parts.base.servers?.keepPlace().catch(() => undefined);
      await app?.close();
    } catch (error) {
      log.error('panel.stopFailed', { error });
      code = 1;
    }
    await log.close();
    lock.release();
    process.exit(code);
  };
  process.on('uncaughtException', (error) => {
    log.error('panel.bug', { error });
    void end('unexpected error', 1);
  });
  const parent = flags.windowSocket === null ? null : findParentPort();
  let overrides = toOverrides(flags);

  async function take(role: PanelRole): Promise<App> {
    const { store, isStandby, server, changes } = role;
    const made = await createApp({
      dataDir: flags.dataDir,
      store: Promise.resolve(store),
      isStandby,
      ...(server !== undefined && { server }),
      ...(changes !== undefined && { changes }),
      resourcesDir: RESOURCES,
      webDir: WEB_INTERFACE,
      core: flags.core ?? process.env['CORE_BINARY'] ?? null,
      overrides,
      log,
      clock: Date.now,
      onRestart: () => void end('restart', RESTART_EXIT_CODE),
      isHstsAllowed: process.env['PANEL_NO_HSTS'] === undefined,
      windowSocket: flags.windowSocket,
      servesSubscriptions: flags.role === 'all',
      ...(parent === null ? {} : { onEvent: (event) => isForWindow(event) && parent.post({ type: 'event', event }) }),
    });
    log.info(isStandby ? 'panel.standsBy' : 'panel.isActive', {});
    return made;
  }

  /** The panel keeps its addresses in whatever role comes next. */
  async function goOn(from: PanelRole): Promise<void> {
    const next = await from.over;
    if (isEnding) return;
    if (next !== 'next') {
      // The core goes on. The next start reads what it counted meanwhile, and books it from the last commit on.
      await log.close();
      return process.exit(next);
    }
    log.warn('panel.roleOver', { wasStandby: from.isStandby });
    const change = exchange();
    switching = change;
    void goOn(await change).catch(fail);
  }
  async function exchange(): Promise<PanelRole> {
    const former = app;
    app = null;
    await former?.close();
    const role = await openNext(true);
    app = await take(role);
    return role;
  }
  const fail = (error: unknown): void => {
    log.error('panel.roleFailed', { error });
    // The next start reports in one sentence what is wrong, or finds nothing.
    void end('role', 1);
  };

  const first = await opening;
  app = await take(first);
  if (database !== null) await noteServer(flags.dataDir);
  overrides = withPortsOf(overrides, app);
  onStopRequest((reason) => void end(reason, 0));
  if (parent !== null)
    serveWindow(
      parent,
      () => app,
      flags,
      () => void end('window', 0),
    );
  const { panel, sub, firstAdmin } = app;
  notifyServiceManager();
  process.stdout.write(`${JSON.stringify({ ready: true, panel: panel.url, sub, pid: process.pid })}\n`);
  if (firstAdmin !== null && parent === null) {
    process.stderr.write(
      `First start. These credentials are shown once:\n  user name  ${firstAdmin.username}\n  password   ${firstAdmin.password}\n  sign in    ${firstAdmin.setupUrl} (one use, within an hour)\n`,
    );
  }
  void goOn(first).catch(fail);
}

/** The port chosen for "any free port" stays, whatever role comes next. */
function withPortsOf(overrides: FlagOverrides, { panel, sub }: App): FlagOverrides {
  return {
    ...overrides,
    ...(overrides.webPort === 0 && { webPort: panel.port }),
    ...(overrides.subPort === 0 && sub !== '' && { subPort: Number(new URL(sub).port) }),
  };
}

/** Figures travel to pages over their own stream. */
function isForWindow({ type }: PanelEvent): boolean {
  return type !== 'live' && type !== 'invalidate';
}

/** The part of the conversation with a window's process that only the entry point can hold. */
function serveWindow(parent: ParentPort, present: () => App | null, flags: ServerFlags, stop: () => void): void {
  const { panel, sub, firstAdmin } = present()!;
  const place = { pid: process.pid, socket: flags.windowSocket ?? '', panel: panel.url, sub };
  const admin = firstAdmin === null ? null : { username: firstAdmin.username, password: firstAdmin.password };
  parent.onMessage((message) => {
    if (message === STOP_MESSAGE) stop();
    else if (message === 'suspend') void present()?.suspend();
    else if (message === 'resume') void present()?.resume();
    else if (message === 'signInLink') parent.post({ type: 'signInLink', url: present()?.signInLink() ?? panel.url });
  });
  parent.post({ type: 'ready', place, firstAdmin: admin });
}
