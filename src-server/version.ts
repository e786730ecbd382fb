import { readFileSync } from 'node:fs';

/** Version of this panel, as package.json states it. */
export const PANEL_VERSION: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
