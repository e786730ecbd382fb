import { enableCompileCache } from 'node:module';

// Starting means parsing a few hundred source files; the cache reduces that to a read.
enableCompileCache();
const { runPanel } = await import('./cli/launch/run-panel.ts');
await runPanel(process.argv.slice(2));
