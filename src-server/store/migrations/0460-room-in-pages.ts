import { sql, type Kysely } from 'kysely';
import { spelled } from '../dialect/spelled.ts';

/**
 * Space in each page for the new version of a row whose counters move, as baselines have it: no index has to be
 * written, and the old version's space is reused. In full pages 60 ticks left ten times the rows until a vacuum ran:
 * docs/performance.md.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of ON_SERVER) await spelled(sql`SELECT 1`, sql.raw(statement)).execute(db);
}

const ON_SERVER = [
  `ALTER TABLE nodeClients SET (fillfactor = 70)`,
  // Later months are created with it.
  `DO $room$ DECLARE part regclass;
     BEGIN
       FOR part IN SELECT inhrelid::regclass FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
         WHERE inhparent = '"trafficLedger"'::regclass AND relname ~ '_[0-9]+_[0-9]+$'
       LOOP
         EXECUTE format('ALTER TABLE %s SET (fillfactor = 50)', part);
       END LOOP;
     END $room$`,
];
