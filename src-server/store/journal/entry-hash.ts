import { createHash, type Hash } from 'node:crypto';
import type { Row } from '../schema.ts';

/** The parts of an entry that never change, in the order in which they are hashed. */
export type HashedEntry = Omit<Row<'journal'>, 'hash' | 'undoneBy' | 'isPartlyRestored' | 'erasedBy'>;

/** Hash of an entry: over itself, its rows and the entry before. */
export function entryHash(entry: HashedEntry): string {
  const { id, atMs, actor, name, address, verb, requestId, parts, rowCount, canUndo, undoOf } = entry;
  const { rowsHash, previousHash } = entry;
  const text = [
    previousHash,
    id,
    atMs,
    actor,
    name,
    address,
    verb,
    requestId,
    parts,
    rowCount,
    canUndo,
    undoOf,
    rowsHash,
  ];
  return createHash('sha256').update(JSON.stringify(text)).digest('hex');
}

export interface HashedRow {
  tableName: string;
  rowKey: string;
  before: string | null;
  after: string | null;
}

export const openRowsHash = (): Hash => createHash('sha256');

/** Rows are hashed in the order of their table and key, byte by byte. */
export function addRow(hash: Hash, { tableName, rowKey, before, after }: HashedRow): void {
  hash.update(JSON.stringify([tableName, rowKey, before, after])).update('\n');
}
