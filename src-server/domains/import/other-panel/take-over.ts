import type Database from 'better-sqlite3';
import { insertRows, keepAccess, type Access } from '../../../store/kept-access.ts';
import { createPlan, type PlanBuilder } from '../plan-builder.ts';
import { ImportRefusal } from '../reading/refusal.ts';
import { columnsOf, migrateFile, openScratch, tablesOf } from '../scratch.ts';
import { readClients } from './read-clients.ts';
import { readInbounds, writeInbounds } from './read-inbounds.ts';
import { takeHosts } from './take-hosts.ts';
import { takeSettings } from './take-settings.ts';
import { takeTheRest } from './take-the-rest.ts';
import { writeClients } from './write-clients.ts';

/**
 * Fills a new scratch database from the database of another panel with the same API.
 * @throws {ImportRefusal} when it is not such a database
 */
export async function takeOver(
  source: Database.Database,
  scratchFile: string,
  options: { keepsHost: boolean; own: Access; nowMs: number },
): Promise<{ plan: PlanBuilder; secrets: [string, string][] }> {
  const tables = tablesOf(source);
  if ([...tables].every((name) => name.startsWith('sqlite_')))
    throw new ImportRefusal(
      'not a panel database: it holds no tables. A copied file of a running panel lacks what its -wal file holds; download a backup instead',
    );
  for (const table of ['users', 'settings', 'inbounds'])
    if (!tables.has(table)) throw new ImportRefusal(`not a panel database: required table "${table}" is missing`);
  if (!columnsOf(source, 'inbounds').includes('stream_settings'))
    throw new ImportRefusal('not a panel database: its table "inbounds" has no column "stream_settings"');
  await migrateFile(scratchFile);
  const plan = createPlan('otherPanel', 0);
  const { db, finish } = openScratch(scratchFile);
  try {
    insertRows(db, 'apiTokens', options.own.apiTokens);
    const inbounds = readInbounds(source, plan);
    writeInbounds(db, inbounds, options.nowMs);
    const clients = readClients(source, inbounds, plan);
    writeClients(db, clients, options.nowMs);
    const known = {
      inboundIds: new Set(inbounds.map(({ id }) => id)),
      clientIds: new Set(clients.clients.map(({ id }) => id)),
    };
    takeHosts(source, db, known.inboundIds, plan);
    takeTheRest(source, db, known, plan, options.nowMs);
    const secrets = takeSettings(source, db, options.keepsHost, plan);
    finish();
    return { plan, secrets };
  } finally {
    db.close();
  }
}

/**
 * Puts those who get into this panel, as they are now, into a filled scratch database.
 * @param former those that it was filled with
 * @returns hashes of the API tokens that came from the other panel
 */
export function keepOwnAccess(scratchFile: string, access: Access, former: Access): string[] {
  const { db, finish } = openScratch(scratchFile);
  try {
    const own = new Set<unknown>(former.apiTokens.map(({ tokenHash }) => tokenHash));
    const hashes = db.prepare('SELECT tokenHash FROM apiTokens').pluck().all() as string[];
    const imported = hashes.filter((hash) => !own.has(hash));
    keepAccess(db, access, imported);
    finish();
    return imported;
  } finally {
    db.close();
  }
}
