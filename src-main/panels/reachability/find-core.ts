import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coreEnvironment } from '../../../src-server/core/binary/child-env.ts';
import { locateCore } from '../../../src-server/core/binary/locate.ts';
import type { Core } from './try-ways.ts';

/** Where the core of this computer's panel is looked for. */
export interface CorePlaces {
  dataDir: string;
  resourcesDir: string;
  /** Named by the operator; empty = not. */
  named: string;
}

/** The core that the panel of this computer would run. @throws {Error} that says what to do where there is none */
export async function findCore({ dataDir, resourcesDir, named }: CorePlaces, env: NodeJS.ProcessEnv): Promise<Core> {
  const childEnv = coreEnvironment(env, { assetDir: join(dataDir, 'core'), certDir: join(dataDir, 'cert') });
  const found = await locateCore({ binary: named, dataDir, resourcesDir, env }, childEnv);
  if (!found.ok) throw new Error(found.text);
  return { binary: found.path, env: childEnv, folder: tmpdir() };
}
