import { rm } from 'node:fs/promises';
import { foundation } from './foundation.ts';
import { clientsAtScale } from './clients.ts';
import { coreChanges } from './core-changes.ts';
import { subscriptions } from './subscriptions.ts';
import { missed } from './figures.ts';
import { newDataDir } from '../e2e/harness/panel-process.ts';

/**
 * `npm run bench`: figures of the running product with the real core, held against their targets. Not part of the tests:
 * a busy machine may miss a target without anything being wrong.
 */
const dataDir = await newDataDir();
try {
  await foundation(dataDir);
  await coreChanges(dataDir);
  await clientsAtScale();
  await subscriptions();
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
process.stdout.write(missed() === 0 ? 'every target met\n' : `${missed()} target(s) missed\n`);
process.exit(missed() === 0 ? 0 : 1);
