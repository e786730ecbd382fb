import { closeSync, createReadStream, openSync, readFileSync, readSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { archiveText } from './archive-text.ts';
import { allowedStatements } from './dump-statements.ts';
import { HEAD_BYTES, kindOfFile, type PostgresFiles } from './file-kind.ts';
import { createLooseTables } from './loose-tables.ts';
import { readPostgresText } from './postgres-text.ts';
import { asRefusal, ImportRefusal } from './refusal.ts';

/** Longest dump that is read: it has to fit into one string. */
const MAX_DUMP_BYTES = 500 * 1024 * 1024;

/**
 * Opens an upload read-only, as untrusted. Anything but a SQLite file is first read into `scratchFile`.
 * @throws {ImportRefusal}
 */
export async function openSource(
  file: string,
  scratchFile: string,
  postgresFiles: PostgresFiles,
): Promise<Database.Database> {
  const kind = kindOfFile(headOf(file), postgresFiles);
  if (kind === 'dump') runDump(file, scratchFile);
  else if (kind !== 'sqlite')
    await readDump(kind === 'archive' ? archiveText(file) : createReadStream(file), scratchFile);
  const db = openReadOnly(kind === 'sqlite' ? file : scratchFile);
  try {
    const complaint = db.pragma('integrity_check(1)', { simple: true });
    if (complaint !== 'ok') throw new ImportRefusal(`Invalid or corrupt db file: ${String(complaint)}`);
    return db;
  } catch (error) {
    db.close();
    throw asRefusal(error, 'Invalid or corrupt db file');
  }
}

function headOf(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.subarray(0, readSync(descriptor, head, 0, head.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

function openReadOnly(file: string): Database.Database {
  try {
    const db = new Database(file, { readonly: true, fileMustExist: true });
    // Views and triggers of a foreign file must not reach functions.
    db.pragma('trusted_schema = OFF');
    db.pragma('cell_size_check = ON');
    return db;
  } catch (error) {
    throw asRefusal(error, 'Invalid or corrupt db file');
  }
}

async function readDump(content: AsyncIterable<Uint8Array>, scratchFile: string): Promise<void> {
  const tables = createLooseTables(scratchFile);
  try {
    await readPostgresText(content, tables);
    tables.finish();
  } catch (error) {
    tables.abandon();
    throw asRefusal(error, 'Invalid or corrupt db file');
  }
}

function runDump(file: string, scratchFile: string): void {
  if (statSync(file).size > MAX_DUMP_BYTES)
    throw new ImportRefusal(
      'This file cannot be imported: a dump may have 500 MiB at most. Take the database file instead',
    );
  const db = new Database(scratchFile);
  try {
    db.pragma('journal_mode = OFF');
    db.pragma('synchronous = OFF');
    db.exec('BEGIN');
    const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
    for (const statement of allowedStatements(text)) {
      // Rows are literals. A prepared statement stays in memory after its end, 2 KiB of it: too much for each of them.
      if (/^insert/i.test(statement)) db.exec(statement);
      // A text that is two statements to the engine does not run.
      else db.prepare(statement).run();
    }
    db.exec('COMMIT');
  } catch (error) {
    throw asRefusal(error, 'This file cannot be imported');
  } finally {
    db.close();
  }
}
