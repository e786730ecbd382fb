import { sql, type RawBuilder } from 'kysely';
import { spelled } from './spelled.ts';

/**
 * Rows of a statement for a `LIMIT` behind it. PostgreSQL knows no share of rows for a condition between two columns and takes a third:
 * for the first of so many it would look at every row, although an index holds those that match.
 */
export const foundFirst = (statement: RawBuilder<unknown>): RawBuilder<unknown> =>
  spelled(statement, sql`WITH found AS MATERIALIZED (${statement}) SELECT * FROM found`);
