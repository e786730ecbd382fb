import { join } from 'node:path';
import { hostsBeyond } from '../net/lan-addresses.ts';
import type { Foundation } from './foundation.ts';
import type { Serving } from './serving.ts';

const LOOPBACK = '127.0.0.1';

/** Makes both servers listen where the settings say; creates an admin when the panel has none. */
export async function listen(
  { options, dataDir, log, settings, session, servers, standby }: Foundation,
  { panelServer, sub }: Serving,
) {
  const firstAdmin = standby === null ? await session.ensureAdmin() : null;
  // A user who only opened a window has not let anyone in yet.
  if (firstAdmin !== null && typeof options.windowSocket === 'string')
    await settings.save({ kind: 'local' }, { webListen: LOOPBACK, subListen: LOOPBACK }, '');
  const { webListen, webPort } = settings.current();
  const panel = await panelServer.listen({
    host: webListen,
    port: webPort,
    privateSocket: options.windowSocket ?? privateSocketPath(dataDir),
    isWebOptional: typeof options.windowSocket === 'string',
  });
  const { pathname: webPath } = new URL(panel.url);
  const webAddresses = (): string[] =>
    hostsBeyond(panel.host).map((host) => `${panel.scheme}://${host}:${panel.port}${webPath}`);
  await servers?.showAddress(webAddresses()[0] ?? panel.url);
  const isElsewhere = options.servesSubscriptions === false;
  const subUrl = isElsewhere ? '' : await sub.start();
  // The port chosen for "any free port" is known by now, and links have to name it.
  const isAnySubPort = options.overrides.subPort === 0 && subUrl !== '';
  settings.override({ webPort: panel.port, ...(isAnySubPort ? { subPort: Number(new URL(subUrl).port) } : {}) });
  if (isElsewhere) return { firstAdmin, panel, sub: subUrl, webAddresses };
  settings.onChange(({ changed }) => {
    sub.settingsChanged(changed).catch((error: unknown) => log.error('sub.restartFailed', { error }));
  });

  return { firstAdmin, panel, sub: subUrl, webAddresses };
}

/** Where the desktop window reaches this panel, whatever its web settings are. */
function privateSocketPath(dataDir: string): string {
  return process.platform === 'win32'
    ? `\\\\.\\pipe\\switchyard-${Buffer.from(dataDir).toString('hex').slice(-60)}`
    : join(dataDir, 'panel.sock');
}
