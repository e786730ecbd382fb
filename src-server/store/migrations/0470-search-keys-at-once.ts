import { sql, type Kysely } from 'kysely';
import { spelled } from '../dialect/spelled.ts';

/**
 * PostgreSQL records the search keys of deleted clients once for each statement. Once for each row, keeping the last
 * 2,000 versions took a quarter of the statement that deletes a thousand clients.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of ON_SERVER) await spelled(sql`SELECT 1`, sql.raw(statement)).execute(db);
}

const ON_SERVER = [
  `DROP TRIGGER clientSearchKeyGone ON clients`,
  `CREATE OR REPLACE FUNCTION clientSearchKeyGone() RETURNS trigger LANGUAGE plpgsql AS $gone$
     BEGIN
       INSERT INTO changedSearchKeys (version, clientId)
         SELECT (SELECT coalesce(max(version), 0) FROM changedSearchKeys) + row_number() OVER (ORDER BY id), id FROM touched;
       DELETE FROM changedSearchKeys WHERE version <= (SELECT max(version) FROM changedSearchKeys) - 2000;
       RETURN NULL;
     END $gone$`,
  `CREATE TRIGGER clientSearchKeyGone AFTER DELETE ON clients REFERENCING OLD TABLE AS touched
     FOR EACH STATEMENT EXECUTE FUNCTION clientSearchKeyGone()`,
];
