import { rm } from 'node:fs/promises';
import { foundation } from './foundation.ts';
import { clientsAtScale } from './clients.ts';
import { coreChanges } from './core-changes.ts';
import { desktopApplication } from './desktop.ts';
import { fleetAtScale } from './fleet/fleet.ts';
import { whilePeersHang } from './hanging-peers.ts';
import { imports } from './import.ts';
import { allPanels } from './panels/panels.ts';
import { onPostgres } from './postgres/postgres.ts';
import { besideSqlite } from './postgres/postgres-beside-sqlite.ts';
import { subscriptionServers } from './postgres/postgres-subscriptions.ts';
import { subscriptions } from './subscriptions.ts';
import { ticksAtScale } from './tick.ts';
import { trafficHistory } from './traffic-history.ts';
import { missed } from './figures.ts';
import { webInterface } from './interface.ts';
import { newDataDir } from '../e2e/harness/panel-process.ts';

/** The parts, in the order of a full run. The first two share a data folder. */
const PARTS: Readonly<Record<string, (dataDir: string) => Promise<void>>> = {
  foundation,
  core: coreChanges,
  clients: () => clientsAtScale(),
  ticks: () => ticksAtScale(),
  history: () => trafficHistory(),
  subscriptions: () => subscriptions(),
  imports: () => imports(),
  peers: () => whilePeersHang(),
  fleet: () => fleetAtScale(),
  interface: () => webInterface(),
  desktop: () => desktopApplication(),
  panels: () => allPanels(),
  postgres: () => onPostgres(),
  'postgres-beside-sqlite': () => besideSqlite(),
  'postgres-subscriptions': () => subscriptionServers(),
};

/**
 * `npm run bench [-- PART …]`: figures of the running product with the real core against their targets. Not part of the
 * tests: a busy machine may miss a target without anything being wrong.
 */
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  process.stderr.write(`There is no part ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}.\n`);
  process.exit(64);
}
const dataDir = await newDataDir();
try {
  for (const [name, part] of Object.entries(PARTS))
    if (chosen.length === 0 || chosen.includes(name)) await part(dataDir);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
process.stdout.write(missed() === 0 ? 'every target met\n' : `${missed()} target(s) missed\n`);
process.exit(missed() === 0 ? 0 : 1);
