import Database from 'better-sqlite3';
import { isKnownVersion, LATEST_VERSION } from '../../store/migrate.ts';
import { SEALED_TABLE } from '../../store/sealed-part.ts';
import { checkOwnRows } from './check-own-rows.ts';
import { leftOut } from './left-out.ts';
import type { ImportPlan } from './contract.ts';
import { createPlan, type PlanBuilder } from './plan-builder.ts';
import { asRefusal, ImportRefusal } from './reading/refusal.ts';
import { columnsOf, migrateFile, openScratch, quoted, tablesOf } from './scratch.ts';

/**
 * Not imported: sessions end, notifications are not repeated, and a core process's counters mean nothing to the next
 * one.
 */
const LEFT_HERE = new Set([
  'sessions',
  'deliveries',
  'webhookAttempts',
  'counterBaselines',
  'changedOwners',
  'panelServers',
]);
const COUNTED: Readonly<Record<string, keyof ImportPlan['counts']>> = {
  inbounds: 'inbounds',
  clients: 'clients',
  clientInbounds: 'attachments',
  hosts: 'hosts',
  clientExternalLinks: 'externalLinks',
  settings: 'settings',
  apiTokens: 'apiTokens',
};

/** Whether a file looks like a database of this panel. */
export const isOwnDatabase = (tables: ReadonlySet<string>): boolean =>
  tables.has('clientStates') && tables.has('admins');

/**
 * Copies the rows of one of this panel's databases by table and column name into a scratch database of the same
 * version, which is then migrated to the current one.
 * @throws {ImportRefusal}
 */
export async function copyOwnDatabase(
  source: Database.Database,
  scratchFile: string,
  nowMs: number,
): Promise<PlanBuilder> {
  const version = Number(source.pragma('user_version', { simple: true }));
  if (version > LATEST_VERSION)
    throw new ImportRefusal(
      `This file cannot be imported: it is from a newer panel (schema ${version}, this one knows ${LATEST_VERSION}). Update this panel first`,
    );
  if (!isKnownVersion(version))
    throw new ImportRefusal(`This file cannot be imported: no panel had the schema version ${version}`);
  const present = tablesOf(source);
  present.delete(SEALED_TABLE);
  for (const table of ['admins', 'settings', 'inbounds'])
    if (!present.has(table)) throw new ImportRefusal(`not a panel database: required table "${table}" is missing`);
  await migrateFile(scratchFile, version);
  const plan = createPlan('own', version);
  const { db, finish } = openScratch(scratchFile);
  try {
    for (const table of tablesOf(db)) {
      if (!present.delete(table) || LEFT_HERE.has(table)) continue;
      copyTable(source, db, table);
    }
    copySequences(source, db);
    db.prepare(`UPDATE trafficSources SET bootId = ''`).run();
    const broken = db.pragma('foreign_key_check') as { table: string }[];
    if (broken.length > 0)
      throw new ImportRefusal(
        `Invalid or corrupt db file: ${broken.length} row(s) of ${broken[0]?.table} belong to nothing`,
      );
    for (const table of present) plan.cannot('table', table, leftOut('leftOut.tableUnknown'));
    finish();
  } finally {
    db.close();
  }
  await migrateFile(scratchFile);
  finishRows(scratchFile, plan, nowMs);
  return plan;
}

/** Checks the rows of the current schema, and counts those that stay. */
function finishRows(scratchFile: string, plan: PlanBuilder, nowMs: number): void {
  const db = new Database(scratchFile);
  try {
    db.pragma('foreign_keys = ON');
    db.pragma('synchronous = OFF');
    db.transaction(() => checkOwnRows(db, plan, nowMs))();
    for (const [table, counted] of Object.entries(COUNTED))
      plan.counts[counted] = db
        .prepare(`SELECT count(*) FROM ${quoted(table)}`)
        .pluck()
        .get() as number;
    plan.counts.groups = countGroups(db);
  } finally {
    db.close();
  }
}

function copyTable(source: Database.Database, target: Database.Database, table: string): void {
  const theirs = new Set(columnsOf(source, table));
  const columns = columnsOf(target, table).filter((name) => theirs.has(name));
  if (columns.length === 0) return;
  const names = columns.map(quoted).join(', ');
  // Their primary keys and unique constraints are ours, too; a damaged file that violates one is refused as a whole.
  const insert = target.prepare(
    `INSERT INTO ${quoted(table)} (${names}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  let copied = 0;
  try {
    for (const row of source
      .prepare(`SELECT ${names} FROM ${quoted(table)}`)
      .safeIntegers()
      .raw()
      .iterate()) {
      insert.run(row);
      copied += 1;
    }
  } catch (error) {
    throw asRefusal(error, `Invalid or corrupt db file: table "${table}", row ${copied + 1}`);
  }
}

/** A group exists when it is stored or any client carries its label. */
function countGroups(db: Database.Database): number {
  const labels = ['SELECT name FROM clientGroups', `SELECT groupName FROM clients WHERE groupName <> ''`];
  return db
    .prepare(`SELECT count(*) FROM (${labels.join(' UNION ')})`)
    .pluck()
    .get() as number;
}

/** Ids are never reused: what is recorded about a deleted client must not become a new one's. */
function copySequences(source: Database.Database, target: Database.Database): void {
  const hasAny = source.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'`).get() !== undefined;
  if (!hasAny) return;
  const ours = tablesOf(target);
  const remove = target.prepare('DELETE FROM sqlite_sequence WHERE name = ?');
  const write = target.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
  const rows = source.prepare('SELECT name, max(seq) FROM sqlite_sequence GROUP BY name').raw().all() as [
    string,
    number,
  ][];
  for (const [name, last] of rows) {
    if (!ours.has(name)) continue;
    const present = target.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(name) as
      | number
      | undefined;
    if (!Number.isSafeInteger(last) || (present ?? 0) >= last) continue;
    remove.run(name);
    write.run(name, last);
  }
}
