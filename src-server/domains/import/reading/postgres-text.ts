import { SERVER_TABLES, SCHEMA } from '../../../store/postgres/schema/version-place.ts';
import type { LooseTables, PostgresColumn } from './loose-tables.ts';
import { ImportRefusal } from './refusal.ts';

/** A name as PostgreSQL writes it: quoted if it has capitals, for instance. */
const NAME = String.raw`(?:"(?:[^"]|"")+"|[^\s".,()']+)`;
const CREATE = new RegExp(String.raw`^CREATE (?:UNLOGGED )?TABLE (${NAME})\.(${NAME}) \($`);
const COLUMN = new RegExp(`^ {4}(${NAME}) (.+?),?$`);
const COPY = new RegExp(String.raw`^COPY (${NAME})\.(${NAME}) \((.*)\) FROM stdin;$`);
const SEQUENCE = new RegExp(String.raw`^SELECT pg_catalog\.setval\('(${NAME})\.(${NAME})', (\d+), (true|false)\);$`);
const ENCODING = /^SET client_encoding = '(.*)';$/;
const ATTACH = new RegExp(String.raw`^ALTER TABLE ONLY (${NAME})\.(${NAME}) ATTACH PARTITION (${NAME})\.(${NAME}) `);
const END_OF_DUMP = '-- PostgreSQL database dump complete';
const END_OF_ROWS = String.raw`\.`;

type Row = readonly (string | null)[];
/** Column types of a table by column name. */
type Types = Map<string, string>;

/**
 * Reads the output of `pg_dump`: tables, their rows, and used ids. None of it is executed. If this panel's schema is
 * one of several, only that one is read.
 * @throws {ImportRefusal}
 */
export async function readPostgresText(text: AsyncIterable<Uint8Array>, into: LooseTables): Promise<void> {
  const tables = new Map<string, Types>();
  /** Partitions and their parent tables: the rows are listed under the partitions' names. */
  const wholes = new Map<string, string>();
  const defined = new Set<string>();
  /** Tables that record used ids themselves; their sequences also count uncommitted ones. */
  const counting = new Set<string>();
  let isOurs = false;
  let isWhole = false;
  /** The table to which the next column or row lines belong. */
  const open: { columns: Types | null; take: ((row: Row) => void) | null } = { columns: null, take: null };

  /** Declares a table. Tables that are not imported are declared, too: their columns follow. */
  function declare(schema: string, name: string): Types {
    const types: Types = new Map();
    if (schema === SCHEMA && !isOurs) {
      isOurs = true;
      tables.clear();
    }
    if (schema === SCHEMA || !isOurs) tables.set(name, types);
    return types;
  }

  /** Starts the rows of a table. @returns the function that takes each of them */
  function begin(schema: string, name: string, names: readonly string[]): (row: Row) => void {
    const types = tables.get(name);
    if (types === undefined || (isOurs && schema !== SCHEMA)) return () => undefined;
    if (isOurs && SERVER_TABLES.includes(name)) return ofServer(name, names);
    const found = names.map((column): PostgresColumn => ({ name: column, type: types.get(column) ?? '' }));
    const whole = wholes.get(name) ?? name;
    if (!defined.has(whole)) into.define(whole, found);
    defined.add(whole);
    return into.inserting(whole, found);
  }

  function ofServer(name: string, names: readonly string[]): (row: Row) => void {
    const value = (row: Row, column: string): string => row[names.indexOf(column)] ?? '';
    if (name === 'schemaVersion') return (row) => into.setVersion(Number(value(row, 'version')));
    if (name !== 'lastIds') return () => undefined;
    return (row) => {
      counting.add(value(row, 'name'));
      into.setLastId(value(row, 'name'), Number(value(row, 'seq')));
    };
  }

  function statement(line: string): void {
    if (line === END_OF_DUMP) isWhole = true;
    const created = CREATE.exec(line);
    if (created !== null) open.columns = declare(unquoted(created[1]!), unquoted(created[2]!));
    const attached = ATTACH.exec(line);
    if (attached !== null) wholes.set(unquoted(attached[4]!), unquoted(attached[2]!));
    const copied = COPY.exec(line);
    if (copied !== null) open.take = begin(unquoted(copied[1]!), unquoted(copied[2]!), namesIn(copied[3]!));
    const counted = SEQUENCE.exec(line);
    const table = counted === null ? '' : unquoted(counted[2]!).replace(/_id_seq$/, '');
    if (counted !== null && unquoted(counted[1]!) === SCHEMA && !counting.has(table))
      into.setLastId(table, Number(counted[3]) - (counted[4] === 'true' ? 0 : 1));
    const encoding = ENCODING.exec(line)?.[1] ?? 'UTF8';
    if (encoding !== 'UTF8')
      throw new ImportRefusal(
        `This file cannot be imported: its texts are in ${encoding}. Take the dump with --encoding=UTF8`,
      );
    if (line.startsWith('INSERT INTO '))
      throw new ImportRefusal(
        'This file cannot be imported: its rows are INSERT statements. Take the dump without --inserts',
      );
  }

  for await (const line of linesOf(text)) {
    if (open.take !== null) {
      if (line === END_OF_ROWS) open.take = null;
      else open.take(valuesOf(line));
    } else if (open.columns !== null) {
      const [, name, type] = COLUMN.exec(line) ?? [];
      if (name !== undefined && type !== undefined) open.columns.set(unquoted(name), type);
      if (line.startsWith(')')) open.columns = null;
    } else statement(line);
  }
  if (!isWhole) throw new ImportRefusal('Invalid or corrupt db file: its end is missing');
}

const LINE_FEED = 0x0a;

/** Lines end with a line feed only: other line separators may be part of a value. */
async function* linesOf(text: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  for await (const chunk of text) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      parts.push(chunk.subarray(start, end));
      yield Buffer.concat(parts).toString('utf8');
      parts = [];
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
  }
  yield Buffer.concat(parts).toString('utf8');
}

const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** The values of a row, in `COPY` format. */
function valuesOf(line: string): Row {
  return line.split('\t').map((value) => {
    if (value === String.raw`\N`) return null;
    if (!value.includes('\\')) return value;
    return value.replaceAll(/\\(.)/g, (_, escaped: string) => ESCAPED[escaped] ?? escaped);
  });
}

const namesIn = (list: string): string[] => (list.match(new RegExp(NAME, 'g')) ?? []).map(unquoted);

const unquoted = (name: string): string => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name);
