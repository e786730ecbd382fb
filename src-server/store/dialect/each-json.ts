import { sql, type RawBuilder } from 'kysely';
import { spelled } from './spelled.ts';

/**
 * The elements of a JSON array as rows with `key` (position from 0) and `value`. SQLite takes the type of a value from
 * the JSON; PostgreSQL has to know it beforehand.
 */
export const eachNumber = (json: string | RawBuilder<unknown>): RawBuilder<unknown> =>
  spelled(sql`json_each(${json})`, sql`each_number(${json})`);
export const eachText = (json: string | RawBuilder<unknown>): RawBuilder<unknown> =>
  spelled(sql`json_each(${json})`, sql`each_text(${json})`);
/** Elements that are objects: read their members with `value ->> 'name'`, numbers through `CAST(… AS INTEGER)`. */
export const eachObject = (json: string | RawBuilder<unknown>): RawBuilder<unknown> =>
  spelled(sql`json_each(${json})`, sql`each_object(${json})`);

/** The number at a position of a JSON array, from 0. */
export const numberAt = (json: string, position: RawBuilder<unknown>): RawBuilder<unknown> =>
  spelled(
    sql`json_extract(${json}, '$[' || ${position} || ']')`,
    sql`CAST(CAST(${json} AS json) ->> CAST(${position} AS int) AS bigint)`,
  );

/** The numbers of a JSON array, for `IN`. */
export const numbersIn = (json: string | RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(SELECT value FROM ${eachNumber(json)})`;
/** The texts of a JSON array, for `IN`. */
export const textsIn = (json: string | RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(SELECT value FROM ${eachText(json)})`;
