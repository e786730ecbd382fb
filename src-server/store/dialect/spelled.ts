import { sql, type OperationNode, type RawBuilder, type RawNode } from 'kysely';

/** A fragment that PostgreSQL spells differently; SQLite's compiler ignores the other spelling. */
export interface SpelledNode extends RawNode {
  readonly postgres?: OperationNode;
}

/** One fragment in both spellings, for cases that `store/postgres/respell.ts` cannot decide from the text alone. */
export function spelled<T>(sqlite: RawBuilder<T>, postgres: RawBuilder<unknown>): RawBuilder<T> {
  const node: SpelledNode = { ...sqlite.toOperationNode(), postgres: postgres.toOperationNode() };
  return sql<T>`${{ toOperationNode: () => node }}`;
}
