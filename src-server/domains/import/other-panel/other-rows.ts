import type Database from 'better-sqlite3';
import { MAX_TIME_MS } from '../../clients/contract.ts';
import { quoted, tablesOf } from '../scratch.ts';

/** Tables that are read. */
export const OTHER_TABLES = [
  'users',
  'settings',
  'inbounds',
  'clients',
  'client_traffics',
  'client_inbounds',
  'client_groups',
  'client_external_links',
  'inbound_fallbacks',
  'hosts',
  'api_tokens',
  'outbound_traffics',
  'outbound_subscriptions',
  'nodes',
] as const;

/** A row of the other panel's database; columns that its version does not have read as empty. */
export interface OtherRow {
  text(column: string): string;
  /** A whole number within a counter's range; anything else is 0. */
  int(column: string): number;
  /** @param absent value of a column that is missing or empty */
  flag(column: string, absent?: boolean): boolean;
}

/** Rows of a table in key order; none when the table does not exist. */
export function* rowsOf(source: Database.Database, table: (typeof OTHER_TABLES)[number]): Generator<OtherRow> {
  if (!tablesOf(source).has(table)) return;
  const statement = source.prepare(`SELECT * FROM ${quoted(table)} ORDER BY rowid`).safeIntegers();
  for (const row of statement.iterate()) yield asRow(row as Record<string, unknown>);
}

export function asRow(row: Readonly<Record<string, unknown>>): OtherRow {
  const int = (column: string): number => {
    const value = Number(row[column] ?? 0);
    return Number.isSafeInteger(value) ? value : 0;
  };
  return {
    int,
    text: (column) => {
      const value = row[column];
      return typeof value === 'string'
        ? value
        : typeof value === 'bigint' || typeof value === 'number'
          ? String(value)
          : '';
    },
    flag: (column, absent = false) => ((row[column] ?? null) === null ? absent : int(column) !== 0),
  };
}

/** Bytes or a limit: never negative. */
export const amount = (value: number): number => Math.max(0, value);

/** An end or a term in ms, within what a date can be. */
export const boundedEnd = (ms: number): number => Math.min(MAX_TIME_MS, Math.max(-MAX_TIME_MS, ms));

/** JSON object or array in a column; null when it is neither. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
