import type { CompiledQuery, Kysely, Transaction } from 'kysely';
import { BatchParameters } from './sqlite-dialect.ts';
import type { BatchColumn } from './sqlite-protocol.ts';
import type { Schema } from './schema.ts';

/**
 * Runs one statement once per row inside the writer thread: one message instead of one per row (50,000 updates take about
 * 0.1 s). The query's parameters, in the order they appear in its text, take their values from `columns` in the same
 * order; a column of length 1 serves every row.
 * @returns number of changed rows.
 */
export async function runBatch(
  trx: Transaction<Schema>,
  query: { compile(executor: Transaction<Schema>): CompiledQuery },
  columns: readonly BatchColumn[],
  rowCount: number,
): Promise<number> {
  if (rowCount === 0) return 0;
  const compiled = query.compile(trx);
  if (compiled.parameters.length !== columns.length)
    throw new Error(
      `batch has ${columns.length} columns for ${compiled.parameters.length} parameters: ${compiled.sql}`,
    );
  const result = await (trx as Kysely<Schema>).executeQuery({
    ...compiled,
    parameters: [new BatchParameters(columns, rowCount)],
  });
  return Number(result.numAffectedRows ?? 0n);
}
