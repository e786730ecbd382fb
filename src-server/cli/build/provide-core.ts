import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { InstallError } from '../../core/binary/install.ts';
import type { Provided } from '../../core/binary/provide.ts';
import { provideBinary } from '../../core/binary/provide.ts';
import { outliveReader } from '../outlive-reader.ts';

export interface ProvideCoreOptions {
  /** Executable to use; default CORE_BINARY. */
  core?: string | undefined;
  /** Root of a mirror of the releases; default CORE_MIRROR. */
  mirror?: string | undefined;
  /** Install into the `core` folder of this data folder instead of the program's resources. */
  dataDir?: string | undefined;
  force?: boolean;
  say?: (line: string) => void;
}

const RESOURCES = fileURLToPath(new URL('../../../resources', import.meta.url));

const WAYS: Readonly<Record<Provided['how'], string>> = {
  named: 'as named',
  present: 'already installed',
  path: 'found on the PATH',
  downloaded: 'downloaded',
  built: 'built from source',
};

/**
 * Makes sure that there is a usable core: for `npm run core`, and before a start or a test run.
 * @throws {InstallError} naming what was tried and what to do
 */
export function provideCore(options: ProvideCoreOptions = {}): Promise<Provided> {
  const { core = process.env.CORE_BINARY, mirror = process.env.CORE_MIRROR, dataDir, force = false } = options;
  return provideBinary({
    binary: core,
    mirror: mirror === '' ? undefined : mirror,
    targetDir: dataDir === undefined ? join(RESOURCES, 'core') : join(resolve(dataDir), 'core'),
    force,
    env: process.env,
    say: options.say ?? ((line) => process.stderr.write(`${line}\n`)),
  });
}

const USAGE = `Usage: npm run core -- [options]
  --core PATH      use this executable (or set CORE_BINARY)
  --mirror URL     download releases from here (or set CORE_MIRROR)
  --data-dir DIR   install for this data folder only
  --force          get a new one although one is there
`;

async function main(): Promise<void> {
  outliveReader();
  const { values } = parseArgs({
    options: {
      core: { type: 'string' },
      mirror: { type: 'string' },
      'data-dir': { type: 'string' },
      force: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  try {
    const { core, mirror, force = false } = values;
    const provided = await provideCore({ core, mirror, dataDir: values['data-dir'], force });
    process.stdout.write(`Core ${provided.version}, ${WAYS[provided.how]}: ${provided.path}\n`);
  } catch (error) {
    if (!(error instanceof InstallError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await main();
