import { sql, type RawBuilder } from 'kysely';
import { spelled } from './spelled.ts';

/** Whether the byte of this id is 1; ids begin with 1, and those after the last byte have none. */
export const isMarked = (marks: Uint8Array, id: RawBuilder<number>): RawBuilder<boolean> =>
  spelled(
    sql<boolean>`substr(${marks}, ${id}, 1) = X'01'`,
    sql<boolean>`substring(${marks} FROM CAST(${id} AS int) FOR 1) = '\\x01'`,
  );
