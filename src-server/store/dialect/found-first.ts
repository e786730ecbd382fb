import { sql, type RawBuilder } from 'kysely';
import { spelled } from './spelled.ts';

/**
 * Rows of a statement followed by `LIMIT`. PostgreSQL has no statistics for a condition between two columns and assumes
 * a third of the rows: for the first few it would read every row, although an index holds the matching ones.
 */
export const foundFirst = (statement: RawBuilder<unknown>): RawBuilder<unknown> =>
  spelled(statement, sql`WITH found AS MATERIALIZED (${statement}) SELECT * FROM found`);
