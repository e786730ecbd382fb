import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../contract/json.ts';
import { coreEnvironment } from '../../core/binary/child-env.ts';
import { locateCore } from '../../core/binary/locate.ts';
import { geoFilesNamedBy } from '../../core/config/geo-files.ts';
import { RESOURCES } from '../resources.ts';
import { fine, todo, type Finding } from './finding.ts';

/** Whether there is a core that works here, and every geo file that the template names. */
export async function checkCore(dataDir: string, named: string | undefined, template: JsonObject): Promise<Finding[]> {
  const assetDir = join(dataDir, 'core');
  const { env } = process;
  const found = await locateCore(
    { binary: named ?? env['CORE_BINARY'], dataDir, resourcesDir: RESOURCES, env },
    coreEnvironment(env, { assetDir, certDir: join(dataDir, 'cert') }),
  );
  const core = found.ok ? fine(`The core is version ${found.version}: ${found.path}`) : todo(found.text);
  // At start, files are copied from the other places into the first.
  const folders = [assetDir, join(RESOURCES, 'core'), ...(found.ok ? [dirname(found.path)] : [])];
  const missing = geoFilesNamedBy(template).filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  if (missing.length === 0) return [core, fine('Every geo file that the core template names is there.')];
  const names = missing.join(', ');
  return [
    core,
    todo(`The core template names ${names}, which is missing in ${assetDir}. Put it there, or remove the rules.`),
  ];
}
