import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { LOG_LEVELS, type LogLevel } from '../logging/create-logger.ts';
import { defaultDataDir } from './data-dir.ts';
import { postgresAddress } from './database-address.ts';

/** How this run of the panel differs from its stored settings. */
export interface ServerFlags {
  /** Absolute. */
  dataDir: string;
  /** Literal IP both servers listen on; null = as stored. */
  listen: string | null;
  /** 0 = any free port; null = as stored. */
  port: number | null;
  subPort: number | null;
  /** Executable of the core; null = look for one. */
  core: string | null;
  logLevel: LogLevel;
  /**
   * Socket or pipe over which a window reaches this panel whatever the web settings are: it starts even without its web
   * port. Null = no window depends on it.
   */
  windowSocket: string | null;
  /**
   * Name of an automatic backup to restore before this one run; null = the database as it is. Not passed on to later
   * runs.
   */
  restoreBackup: string | null;
  /** `postgres://…`; null = the address in the environment, or the file in the data folder. */
  database: string | null;
  role: Role;
}

/** The role of a process of this program. */
export const ROLES = ['all', 'panel', 'subscriptions'] as const;
export type Role = (typeof ROLES)[number];

export type ParsedFlags = { ok: true; flags: ServerFlags } | { ok: false; text: string };

export const FLAG_USAGE = `  --data-dir DIR     folder with the database and everything else of this panel
  --listen ADDRESS   IP address to listen on, for this run
  --port N           port of the panel, for this run (0 = any free one)
  --sub-port N       port of the subscription server, for this run (0 = any free one)
  --database URL     postgres://user@host/name in place of the file in the data folder (preview, docs/database.md)
  --role ROLE        ${ROLES.join(', ')} (default all): one process for everything, a panel without the subscription
                     server, or a subscription server that reads the panel's database (docs/database.md)
  --core FILE        executable of the proxy core
  --log-level LEVEL  ${LOG_LEVELS.join(', ')} (default info)
`;

/** Settings that flags set for one run, without storing them. */
export interface FlagOverrides {
  webListen?: string;
  subListen?: string;
  webPort?: number;
  subPort?: number;
}

/**
 * Reads the flags that the launcher, the panel process and `npm start` share. Unknown flags and bad values are refused
 * with a sentence that names them. `PANEL_PORT` in the environment replaces a missing `--port`.
 */
export function parseServerFlags(argv: readonly string[], env: NodeJS.ProcessEnv = process.env): ParsedFlags {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        'data-dir': { type: 'string' },
        listen: { type: 'string' },
        port: { type: 'string' },
        'sub-port': { type: 'string' },
        core: { type: 'string' },
        'log-level': { type: 'string' },
        'window-socket': { type: 'string' },
        'restore-backup': { type: 'string' },
        database: { type: 'string' },
        role: { type: 'string' },
      },
    });
    const envPort = env['PANEL_PORT'] === '' ? undefined : env['PANEL_PORT'];
    const dataDir = values['data-dir'];
    return {
      ok: true,
      flags: {
        dataDir: dataDir === undefined ? defaultDataDir(env) : resolve(given('--data-dir', dataDir)),
        listen: values.listen === undefined ? null : address(values.listen),
        port:
          values.port !== undefined
            ? port('--port', values.port)
            : envPort === undefined
              ? null
              : port('PANEL_PORT', envPort),
        subPort: values['sub-port'] === undefined ? null : port('--sub-port', values['sub-port']),
        core: values.core === undefined ? null : resolve(given('--core', values.core)),
        logLevel: oneOf('--log-level', LOG_LEVELS, values['log-level'] ?? 'info'),
        windowSocket: values['window-socket'] === undefined ? null : given('--window-socket', values['window-socket']),
        restoreBackup:
          values['restore-backup'] === undefined ? null : given('--restore-backup', values['restore-backup']),
        database: values.database === undefined ? null : postgresAddress('--database', values.database),
        role: oneOf('--role', ROLES, values.role ?? 'all'),
      },
    };
  } catch (error) {
    // parseArgs and the readers below throw sentences about the command line, nothing else.
    return { ok: false, text: error instanceof Error ? error.message : String(error) };
  }
}

/** The same flags as arguments of a process. */
export function toArguments(flags: ServerFlags): string[] {
  const values: [string, string | number | null][] = [
    ['--data-dir', flags.dataDir],
    ['--listen', flags.listen],
    ['--port', flags.port],
    ['--sub-port', flags.subPort],
    ['--core', flags.core],
    ['--log-level', flags.logLevel],
    ['--window-socket', flags.windowSocket],
    ['--database', flags.database],
    ['--role', flags.role],
  ];
  return values.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
}

export function toOverrides({ listen, port, subPort, role }: ServerFlags): FlagOverrides {
  return {
    ...(listen === null ? {} : { webListen: listen, subListen: listen }),
    ...(port === null ? {} : { webPort: port }),
    // The free port that another process chose is not known here.
    ...(subPort === null || (subPort === 0 && role === 'panel') ? {} : { subPort }),
  };
}

function given(name: string, text: string): string {
  if (text.trim() === '') throw new Error(`${name} needs a value`);
  return text;
}

function port(name: string, text: string): number {
  const value = Number(text);
  if (!/^\d{1,5}$/.test(text) || value > 65_535)
    throw new Error(`${name} must be a port from 0 to 65535, not "${text}"`);
  return value;
}

function address(text: string): string {
  if (isIP(text) === 0 || text.includes('%')) throw new Error(`--listen must be an IP address, not "${text}"`);
  return text;
}

function oneOf<Known extends string>(name: string, all: readonly Known[], text: string): Known {
  const found = all.find((known) => known === text);
  if (found === undefined) throw new Error(`${name} must be one of ${all.join(', ')}, not "${text}"`);
  return found;
}
