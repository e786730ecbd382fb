import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The real core for these journeys: CORE_BINARY, or the one `npm run core` installed. */
export function coreBinary(): string {
  const provided = fileURLToPath(new URL('../../../resources/core/xray', import.meta.url));
  const path = process.env['CORE_BINARY'] ?? provided;
  if (!existsSync(path)) throw new Error(`no core at ${path}: run "npm run core" or set CORE_BINARY`);
  return path;
}
