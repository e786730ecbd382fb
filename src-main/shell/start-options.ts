import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDataDir } from '../../src-server/cli/data-dir.ts';

/** Options of this start of the application. */
export interface StartOptions {
  /** Absolute. */
  dataDir: string;
  /** Only the tray, no window: a start at login. */
  isHidden: boolean;
  /** Core named by the operator; empty = it is looked up. */
  core: string;
  /** Flags for the panel process, unchanged. */
  panelFlags: readonly string[];
}

/** Flags passed on to the panel. */
const PASSED_ON = ['listen', 'port', 'sub-port', 'core', 'log-level'] as const;

/** Parses the application's arguments. Chromium's own flags are among them; unknown ones are not ours. */
export function readStartOptions(argv: readonly string[], env: NodeJS.ProcessEnv): StartOptions {
  const { values } = parseArgs({
    args: [...argv],
    strict: false,
    options: {
      'data-dir': { type: 'string' },
      hidden: { type: 'boolean' },
      ...Object.fromEntries(PASSED_ON.map((name) => [name, { type: 'string' as const }])),
    },
  });
  const given = values as Partial<Record<string, string | boolean>>;
  const dataDir = given['data-dir'];
  return {
    dataDir: typeof dataDir === 'string' && dataDir !== '' ? resolve(dataDir) : defaultDataDir(env),
    isHidden: given['hidden'] === true,
    core: typeof given['core'] === 'string' ? given['core'] : (env['CORE_BINARY'] ?? ''),
    panelFlags: PASSED_ON.flatMap((name) => (typeof given[name] === 'string' ? [`--${name}=${given[name]}`] : [])),
  };
}
