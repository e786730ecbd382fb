import type { Kysely } from 'kysely';
import { runAll } from '../dialect/trigger.ts';

/** Search keys are searched in memory; the database records which of them changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, STATEMENTS);
}

const STATEMENTS = [
  // New clients are those with a larger id; any other change to a key, in any transaction, is recorded here. The last
  // 2,000 stay: versions are never reused, and a reader that finds a gap reads everything again.
  `CREATE TABLE changedSearchKeys (version INTEGER PRIMARY KEY, clientId INTEGER NOT NULL) STRICT`,
  {
    name: 'clientSearchKeyChanged',
    table: 'clients',
    after: 'UPDATE OF searchKey',
    when: `new.searchKey IS NOT old.searchKey`,
    body: `INSERT INTO changedSearchKeys (clientId) VALUES (new.id);
       DELETE FROM changedSearchKeys WHERE version <= last_insert_rowid() - 2000;`,
    bodyOfPostgres: `INSERT INTO changedSearchKeys (version, clientId)
        SELECT coalesce(max(version), 0) + 1, new.id FROM changedSearchKeys;
      DELETE FROM changedSearchKeys WHERE version <= (SELECT max(version) FROM changedSearchKeys) - 2000;`,
  },
  {
    name: 'clientSearchKeyGone',
    table: 'clients',
    after: 'DELETE',
    body: `INSERT INTO changedSearchKeys (clientId) VALUES (old.id);
       DELETE FROM changedSearchKeys WHERE version <= last_insert_rowid() - 2000;`,
    bodyOfPostgres: `INSERT INTO changedSearchKeys (version, clientId)
        SELECT coalesce(max(version), 0) + 1, old.id FROM changedSearchKeys;
      DELETE FROM changedSearchKeys WHERE version <= (SELECT max(version) FROM changedSearchKeys) - 2000;`,
  },
  // Nothing searches it any more, and every new client paid for it.
  `DROP INDEX clientsBySearch`,
];
