import { sql, type Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { spelled } from './spelled.ts';

/** The largest id that this table ever assigned, even when its row is gone; 0 = none. */
export async function lastIdOf(db: Kysely<Schema>, table: 'journal' | 'events'): Promise<number> {
  const text = spelled<{ seq: number }>(
    sql`SELECT seq FROM sqlite_sequence WHERE name = ${table}`,
    sql`SELECT seq FROM lastIds WHERE name = ${table}`,
  );
  return (await text.execute(db)).rows[0]?.seq ?? 0;
}
