import { PostgresAdapter, PostgresIntrospector, type Dialect } from 'kysely';
import { createDriver, type ConnectionUse, type StatementRunner } from '../../sqlite/sqlite-dialect.ts';
import { OurPostgresCompiler } from './postgres-compiler.ts';

/** PostgreSQL as Kysely sees it, over any {@link StatementRunner}. */
export function postgresDialect(runner: StatementRunner, use: ConnectionUse): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(runner, use, 'BEGIN'),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new OurPostgresCompiler(),
  };
}
