import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import { presentAct } from '../../acting.ts';
import type { StatementResult } from './sqlite-connection.ts';
import { BEGIN, type BatchColumn, type ScriptStep } from './sqlite-protocol.ts';
import { createWriterTurns } from '../writer-turns.ts';

/** Parameters of a statement that runs once per row; see {@link runBatch}. */
export class BatchParameters {
  readonly columns: readonly BatchColumn[];
  readonly rowCount: number;
  constructor(columns: readonly BatchColumn[], rowCount: number) {
    this.columns = columns;
    this.rowCount = rowCount;
  }
}

/** Statements that run one after another as one message; see {@link runScript}. */
export class ScriptParameters {
  readonly steps: readonly ScriptStep[];
  constructor(steps: readonly ScriptStep[]) {
    this.steps = steps;
  }
}

/** What the dialect runs statements on: a worker thread, or a connection of this thread. */
export interface StatementRunner {
  query(sql: string, parameters: readonly unknown[]): Promise<StatementResult> | StatementResult;
  batch(sql: string, columns: readonly BatchColumn[], rowCount: number): Promise<StatementResult> | StatementResult;
  script(steps: readonly ScriptStep[]): Promise<StatementResult> | StatementResult;
}

/** `serial`: one transaction at a time, the others wait their turn ({@link createWriterTurns}). `shared`: no transactions, no waiting. */
export type ConnectionUse = 'serial' | 'shared';

/** SQLite as Kysely sees it, over any {@link StatementRunner}. */
export function sqliteDialect(runner: StatementRunner, use: ConnectionUse): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(runner, use),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

export function createDriver(runner: StatementRunner, use: ConnectionUse, begin = BEGIN): Driver {
  const connection = createConnection(runner);
  const turns = createWriterTurns();
  return {
    async init() {},
    async acquireConnection() {
      if (use === 'serial') await turns.take(presentAct() !== undefined);
      return connection;
    },
    async releaseConnection() {
      if (use === 'serial') turns.end();
    },
    beginTransaction: (c) => execute(c, begin),
    commitTransaction: (c) => execute(c, 'COMMIT'),
    rollbackTransaction: (c) => execute(c, 'ROLLBACK'),
    async destroy() {},
  };
}

async function execute(connection: DatabaseConnection, text: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(text));
}

function run(runner: StatementRunner, { sql, parameters }: CompiledQuery): Promise<StatementResult> | StatementResult {
  const [first] = parameters;
  if (first instanceof BatchParameters) return runner.batch(sql, first.columns, first.rowCount);
  if (first instanceof ScriptParameters) return runner.script(first.steps);
  return runner.query(sql, parameters);
}

function createConnection(runner: StatementRunner): DatabaseConnection {
  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const result = await run(runner, query);
      return {
        rows: result.rows as R[],
        numAffectedRows: BigInt(result.changes),
        insertId: BigInt(result.lastInsertId),
      };
    },
    // eslint-disable-next-line require-yield -- the store has no streamed queries; long reads page by key
    async *streamQuery() {
      throw new Error('streamed queries are not supported; page by key instead');
    },
  };
}
