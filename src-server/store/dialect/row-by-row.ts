import { sql } from 'kysely';
import type { Step } from '../batch.ts';
import { spelled } from './spelled.ts';

/**
 * Steps that join a temporary table with large ones, one lookup per row of it. For 50,000 rows PostgreSQL would read the
 * large tables in full, however many rows they have; SQLite is told by `CROSS JOIN` and `IN`.
 */
export const rowByRow = (steps: readonly Step[]): Step[] => [joinsByScan('off'), ...steps, joinsByScan('on')];

const joinsByScan = (value: 'on' | 'off'): Step =>
  spelled(
    sql`SELECT 1`,
    sql.raw(`SELECT set_config('enable_hashjoin', '${value}', true), set_config('enable_mergejoin', '${value}', true)`),
  );
