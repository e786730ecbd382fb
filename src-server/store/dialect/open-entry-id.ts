import { sql } from 'kysely';
import { spelled } from './spelled.ts';

/** Id of the journal entry that records this transaction's changes; null = nothing is recorded. */
export const openEntryId = spelled<number | null>(
  sql`(SELECT max(id) FROM temp.openEntry)`,
  sql`CAST(nullif(current_setting('switchyard.entry', true), '') AS INTEGER)`,
);
