import {
  OperatorNode,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  ValueListNode,
  type BinaryOperationNode,
  type CompiledQuery,
  type QueryId,
  type RawNode,
  type RootOperationNode,
} from 'kysely';
import type { SpelledNode } from '../../dialect/spelled.ts';
import { respell } from './respell.ts';

/** The type a parameter is sent as. PostgreSQL infers types only from the position, which is not always enough. */
export function typeOf(value: unknown): string {
  switch (typeof value) {
    case 'number':
      return Number.isSafeInteger(value) ? '::bigint' : '::double precision';
    case 'bigint':
      return '::bigint';
    case 'string':
      return '::text';
    default:
      return value instanceof Uint8Array ? '::bytea' : '';
  }
}

/** Compiles the panel's SQLite statements for PostgreSQL. */
export class OurPostgresCompiler extends PostgresQueryCompiler {
  override compileQuery<R = unknown>(node: RootOperationNode, queryId: QueryId): CompiledQuery<R> {
    const compiled = super.compileQuery(node, queryId) as CompiledQuery<R>;
    return { ...compiled, sql: respell(compiled.sql) };
  }

  protected override visitRaw(node: RawNode): void {
    const { postgres } = node as SpelledNode;
    if (postgres === undefined) super.visitRaw(node);
    else this.visitNode(postgres);
  }

  /** SQLite knows empty lists: nothing is in them. */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { operator, rightOperand: list } = node;
    const isEmpty = (PrimitiveValueListNode.is(list) || ValueListNode.is(list)) && list.values.length === 0;
    if (!isEmpty || !OperatorNode.is(operator)) super.visitBinaryOperation(node);
    else this.append(operator.operator === 'in' ? 'false' : 'true');
  }

  protected override appendValue(parameter: unknown): void {
    super.appendValue(parameter);
    this.append(typeOf(parameter));
  }

  protected override getAutoIncrement(): string {
    return 'autoincrement';
  }
}
