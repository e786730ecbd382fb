import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coreEnvironment } from '../../../src-server/core/binary/child-env.ts';
import { locateCore } from '../../../src-server/core/binary/locate.ts';
import type { Core } from './try-ways.ts';

/** Where to look for the core of this computer's panel. */
export interface CorePlaces {
  dataDir: string;
  resourcesDir: string;
  /** Named by the operator; empty = none. */
  named: string;
}

/** The core that this computer's panel would run. @throws {Error} that says what to do when there is none */
export async function findCore({ dataDir, resourcesDir, named }: CorePlaces, env: NodeJS.ProcessEnv): Promise<Core> {
  const childEnv = coreEnvironment(env, { assetDir: join(dataDir, 'core'), certDir: join(dataDir, 'cert') });
  const found = await locateCore({ binary: named, dataDir, resourcesDir, env }, childEnv);
  if (!found.ok) throw new Error(found.text);
  return { binary: found.path, env: childEnv, folder: tmpdir() };
}
