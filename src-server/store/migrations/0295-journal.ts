import { sql, type Kysely } from 'kysely';

/** Requested changes, row by row, and deleted items that can be restored. See docs/journal.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `CREATE TABLE journal (
     id INTEGER PRIMARY KEY AUTOINCREMENT, atMs INTEGER NOT NULL, actor TEXT NOT NULL, name TEXT NOT NULL, address TEXT NOT NULL,
     verb TEXT NOT NULL, requestId TEXT NOT NULL, parts TEXT NOT NULL, rowCount INTEGER NOT NULL, canUndo INTEGER NOT NULL,
     undoOf INTEGER NOT NULL, rowsHash TEXT NOT NULL, previousHash TEXT NOT NULL, hash TEXT NOT NULL,
     undoneBy INTEGER NOT NULL DEFAULT 0, isPartlyRestored INTEGER NOT NULL DEFAULT 0, erasedBy INTEGER NOT NULL DEFAULT 0
   ) STRICT`,
  `CREATE INDEX journalByTime ON journal (atMs)`,
  `CREATE INDEX journalByRequest ON journal (requestId) WHERE requestId <> ''`,
  // Before and after as JSON: of a changed row only the differences, null where there was no row.
  `CREATE TABLE journalRows (
     entryId INTEGER NOT NULL, tableName TEXT NOT NULL, rowKey TEXT NOT NULL, before TEXT, after TEXT,
     PRIMARY KEY (entryId, tableName, rowKey)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE recycleBin (
     kind TEXT NOT NULL, itemId INTEGER NOT NULL, name TEXT NOT NULL, entryId INTEGER NOT NULL, deletedAtMs INTEGER NOT NULL,
     PRIMARY KEY (kind, itemId)
   ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX recycleBinByTime ON recycleBin (deletedAtMs)`,
];
