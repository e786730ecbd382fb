import type { Kysely } from 'kysely';
import { runAll } from '../dialect/trigger.ts';

/** Search keys are looked through in memory; the database says which of them changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runAll(db, STATEMENTS);
}

const STATEMENTS = [
  // New clients are those with a larger id; whatever else happens to a key, in whatever transaction, is noted here. The last
  // 2,000 stay: versions are never used twice, and a reader that finds a gap reads everything anew.
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
  // Nothing looks through it any more, and every new client paid for it.
  `DROP INDEX clientsBySearch`,
];
