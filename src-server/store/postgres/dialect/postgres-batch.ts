import { withoutNul } from './postgres-connection.ts';
import type { BatchColumn } from '../../sqlite/sqlite-protocol.ts';

/** A statement for many rows in one message. */
export interface PreparedBatch {
  /** Creates the function that `call` calls, followed by its name; null when none is needed. */
  create: string | null;
  /** The whole statement, or the arguments of the function. */
  call: string;
  parameters: unknown[];
}

/** A placeholder's values. `one`: the same for all rows. `null`: all of them are null. */
interface Sent {
  type: string;
  kind: 'one' | 'many' | 'null';
  value: unknown;
}

const INSERT_OF_VALUES =
  /^(\s*INSERT\s+INTO\s[^$]*?)\bVALUES\s*\(((?:\$\d+|'[^']*'|[\w,\s])+)\)\s*(ON\s+CONFLICT\b.*\bDO\s+NOTHING)?\s*$/is;

/** `column = $1, …` and `column = $2 AND …`: values to set, and the key of one row. */
const UPDATE_BY_KEY =
  /^(\s*UPDATE\s+[\w"]+\s+SET\s+)([\w"]+\s*=\s*\$\d+(?:\s*,\s*[\w"]+\s*=\s*\$\d+)*)\s+WHERE\s+([\w"]+\s*=\s*\$\d+(?:\s+AND\s+[\w"]+\s*=\s*\$\d+)*)\s*$/i;

const COLUMN_SET = /[\w"]+(?=\s*=)/g;

/**
 * The statement runs for the rows in their order, as if it were sent once for each. Plain inserts, and updates of a
 * different row each, become one statement that reads all rows at once; others run in a loop on the server, since two
 * rows may change the same place.
 * @param text with numbered placeholders, one for each column
 */
export function prepareBatch(text: string, columns: readonly BatchColumn[], rowCount: number): PreparedBatch {
  const bare = text.replaceAll(/\$(\d+)::(?:bigint|double precision|text|bytea)/g, '$$$1');
  const sent = columns.map((column) => toSend(column, rowCount));
  const given = sent.filter(({ kind }) => kind !== 'null');
  const parameters = given.map(({ value }) => value);
  /** Position among the parameters of what is sent. */
  const placeOf = (one: Sent): number => given.indexOf(one) + 1;
  const many = given.filter(({ kind }) => kind === 'many');
  const names = [...many.map((one) => `p${placeOf(one)}`), 'ordinal_'].join(', ');
  const rows =
    many.length === 0
      ? `generate_series(1, ${rowCount}) AS u(ordinal_)`
      : `unnest(${many.map((one) => `$${placeOf(one)}::${one.type}[]`).join(', ')}) WITH ORDINALITY AS u(${names})`;
  const filled = (template: string, row: string, isTyped: boolean): string =>
    template.replaceAll(/\$(\d+)/g, (_, n: string) => {
      const one = sent[Number(n) - 1]!;
      if (one.kind === 'null') return 'NULL';
      if (one.kind === 'many') return `${row}.p${placeOf(one)}`;
      return `$${placeOf(one)}${isTyped ? `::${one.type}` : ''}`;
    });
  const insert = INSERT_OF_VALUES.exec(bare);
  if (insert !== null) {
    const [, head, tuple, tail = ''] = insert;
    const call = `${head} SELECT ${filled(tuple!, 'u', true)} FROM ${rows} ORDER BY ordinal_ ${tail}`;
    return { create: null, call, parameters };
  }
  const [, head, changes, key] = UPDATE_BY_KEY.exec(bare) ?? [];
  const work =
    key !== undefined && isOfOtherRowEach(changes!, key, columns, rowCount)
      ? `${head}${filled(changes!, 'u', false)} FROM ${rows} WHERE ${filled(key, 'u', false)};
        GET DIAGNOSTICS batch_total_ = ROW_COUNT;`
      : `FOR batch_row_ IN SELECT * FROM ${rows} LOOP
          ${filled(bare, 'batch_row_', false)};
          GET DIAGNOSTICS batch_changes_ = ROW_COUNT;
          batch_total_ := batch_total_ + batch_changes_;
        END LOOP;`;
  // Each row is found through an index. A cached plan from when a table was empty would scan all of it for each row.
  const create = `(${given.map(({ type, kind }) => (kind === 'many' ? `${type}[]` : type)).join(', ')})
    RETURNS bigint LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $batch$
    #variable_conflict use_column
    DECLARE batch_row_ record; batch_changes_ bigint; batch_total_ bigint := 0;
    BEGIN
      ${work}
      RETURN batch_total_;
    END $batch$`;
  const call = given.map((one) => `$${placeOf(one)}::${one.type}${one.kind === 'many' ? '[]' : ''}`).join(', ');
  return { create, call, parameters };
}

/** Whether each update is of another row: no key comes twice, and none is changed. */
function isOfOtherRowEach(changes: string, key: string, columns: readonly BatchColumn[], rowCount: number): boolean {
  const changed = new Set(changes.match(COLUMN_SET));
  if (key.match(COLUMN_SET)!.some((column) => changed.has(column))) return false;
  const parts = [...key.matchAll(/\$(\d+)/g)]
    .map(([, n]) => columns[Number(n) - 1]!)
    .filter(({ length }) => length > 1);
  const keys = new Set<string>();
  for (let row = 0; row < rowCount; row++) keys.add(JSON.stringify(parts.map((part) => part[row])));
  return keys.size === rowCount;
}

function toSend(column: BatchColumn, rowCount: number): Sent {
  if (column.length === 1 && rowCount !== 1) {
    const [value] = column;
    return { type: typeIn(column), kind: value === null ? 'null' : 'one', value };
  }
  const values = column.length > rowCount ? column.slice(0, rowCount) : column;
  const type = typeIn(values);
  if (values instanceof Float64Array) return { type, kind: 'many', value: `{${values.join(',')}}` };
  if (values.every((value) => value === null)) return { type, kind: 'null', value: null };
  return { type, kind: 'many', value: `{${values.map(asElement).join(',')}}` };
}

/** A value as it is written in array text. */
function asElement(value: string | number | Uint8Array | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return `"${withoutNul(value).replaceAll(/[\\"]/g, '\\$&')}"`;
  return `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}"`;
}

function typeIn(values: BatchColumn): string {
  if (values instanceof Float64Array) return values.every(Number.isSafeInteger) ? 'bigint' : 'double precision';
  const first = values.find((value) => value !== null);
  if (typeof first === 'string' || first === undefined) return 'text';
  if (first instanceof Uint8Array) return 'bytea';
  return values.every((value) => value === null || Number.isSafeInteger(value)) ? 'bigint' : 'double precision';
}
