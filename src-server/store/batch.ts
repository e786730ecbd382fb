import { CompiledQuery, type Transaction } from 'kysely';
import { BatchParameters, ScriptParameters } from './sqlite/sqlite-dialect.ts';
import type { BatchColumn, ScriptStep } from './sqlite/sqlite-protocol.ts';
import type { Db, Schema } from './schema.ts';

interface Compilable {
  compile(executor: Transaction<Schema>): CompiledQuery;
}

/**
 * Runs one statement once per row inside the writer thread: one message instead of one per row (50,000 updates take about
 * 0.1 s). The query's parameters, in the order they appear in its text, take their values from `columns` in the same
 * order; a column of length 1 serves every row.
 * @returns number of changed rows.
 */
export async function runBatch(
  trx: Transaction<Schema>,
  query: Compilable,
  columns: readonly BatchColumn[],
  rowCount: number,
): Promise<number> {
  if (rowCount === 0) return 0;
  const compiled = compiledBatch(trx, query, columns);
  const result = await (trx as Db).executeQuery({
    ...compiled,
    parameters: [new BatchParameters(columns, rowCount)],
  });
  return Number(result.numAffectedRows ?? 0n);
}

/** A statement of a script: a query, or a query with columns that runs once per row, as in {@link runBatch}. */
export type Step = Compilable | { query: Compilable; columns: readonly BatchColumn[]; rowCount: number };

/**
 * Runs statements one after another inside the writer thread as one message: between separate ones the writer would
 * wait for this thread, which has other work.
 * @returns the rows of each step; none for those with columns.
 */
export async function runScript(trx: Transaction<Schema>, steps: readonly Step[]): Promise<unknown[][]> {
  const compiled = steps.map((step): ScriptStep => {
    if (!('columns' in step)) {
      const { sql, parameters } = step.compile(trx);
      return { sql, parameters, batch: null };
    }
    const { query, columns, rowCount } = step;
    return { sql: compiledBatch(trx, query, columns).sql, parameters: [], batch: { columns, rowCount } };
  });
  if (compiled.length === 0) return [];
  const script = CompiledQuery.raw('script', [new ScriptParameters(compiled)]);
  return (await (trx as Db).executeQuery<unknown[]>(script)).rows;
}

function compiledBatch(trx: Transaction<Schema>, query: Compilable, columns: readonly BatchColumn[]): CompiledQuery {
  const compiled = query.compile(trx);
  if (compiled.parameters.length !== columns.length)
    throw new Error(
      `batch has ${columns.length} columns for ${compiled.parameters.length} parameters: ${compiled.sql}`,
    );
  return compiled;
}
