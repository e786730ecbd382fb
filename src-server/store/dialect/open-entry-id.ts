import { sql } from 'kysely';
import { spelled } from './spelled.ts';

/** Id of the journal's entry that records what this transaction changes; null = nothing is recorded. */
export const openEntryId = spelled<number | null>(
  sql`(SELECT max(id) FROM temp.openEntry)`,
  sql`CAST(nullif(current_setting('switchyard.entry', true), '') AS INTEGER)`,
);
