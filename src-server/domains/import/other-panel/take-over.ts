import type Database from 'better-sqlite3';
import { createPlan, type PlanBuilder } from '../plan-builder.ts';
import { ImportRefusal } from '../reading/refusal.ts';
import { columnsOf, migrateFile, openScratch, tablesOf } from '../scratch.ts';
import { readClients } from './read-clients.ts';
import { readInbounds, writeInbounds } from './read-inbounds.ts';
import { takeHosts } from './take-hosts.ts';
import { takeSettings } from './take-settings.ts';
import { takeTheRest } from './take-the-rest.ts';
import { writeClients } from './write-clients.ts';

type Rows = readonly Record<string, string | number>[];

/** Data of this panel that is kept: admins, their second factor (rows of settings) and API tokens. */
export interface OwnRows {
  admins: Rows;
  secondFactor: Rows;
  apiTokens: Rows;
}

/**
 * Fills a new scratch database from the database of another panel with the same API.
 * @throws {ImportRefusal} when it is not such a database
 */
export async function takeOver(
  source: Database.Database,
  scratchFile: string,
  options: { keepsHost: boolean; own: OwnRows; nowMs: number },
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
    putBack(db, 'apiTokens', options.own.apiTokens);
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

/** Puts the admins of this panel and their second factor into a filled scratch database. */
export function keepSignIn(scratchFile: string, { admins, secondFactor }: OwnRows): void {
  const { db, finish } = openScratch(scratchFile);
  try {
    putBack(db, 'admins', admins);
    putBack(db, 'settings', secondFactor);
    finish();
  } finally {
    db.close();
  }
}

function putBack(db: Database.Database, table: string, rows: Rows): void {
  for (const row of rows) {
    const columns = Object.keys(row);
    db.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`).run(
      Object.values(row),
    );
  }
}
