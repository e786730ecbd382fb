import { sql, type Kysely } from 'kysely';

/** Search keys are looked through in memory; the database says which of them changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  // New clients are those with a larger id; whatever else happens to a key, in whatever transaction, is noted here. The last
  // 2,000 stay: versions are never used twice, and a reader that finds a gap reads everything anew.
  `CREATE TABLE changedSearchKeys (version INTEGER PRIMARY KEY, clientId INTEGER NOT NULL) STRICT`,
  `CREATE TRIGGER clientSearchKeyChanged AFTER UPDATE OF searchKey ON clients WHEN new.searchKey IS NOT old.searchKey
     BEGIN
       INSERT INTO changedSearchKeys (clientId) VALUES (new.id);
       DELETE FROM changedSearchKeys WHERE version <= last_insert_rowid() - 2000;
     END`,
  `CREATE TRIGGER clientSearchKeyGone AFTER DELETE ON clients
     BEGIN
       INSERT INTO changedSearchKeys (clientId) VALUES (old.id);
       DELETE FROM changedSearchKeys WHERE version <= last_insert_rowid() - 2000;
     END`,
  // Nothing looks through it any more, and every new client paid for it.
  `DROP INDEX clientsBySearch`,
];
