import { Client, Query, type ClientConfig, type QueryConfig } from 'pg';
import { OWN_DEFAULTS } from '../dialect/postgres-connection.ts';

type Callback = (error: Error | null | undefined, result?: unknown) => void;

/** The settings of the panel's connections, which a pool passes to its clients. */
export interface PooledConfig extends ClientConfig {
  /** The schema that contains everything of the panel. */
  schema: string;
}

/** How long a transaction of a process that only records something may be idle: others wait for its turn. */
export const MAX_IDLE = '10s';

/**
 * A connection through a pooler that assigns servers for the length of a transaction (PgBouncer): no session state is
 * kept. Each statement sets its own search path, in the same message and transaction, and none stays prepared.
 */
export class PooledClient extends Client {
  private readonly opening: string;

  constructor({ options: _options, schema, ...config }: PooledConfig, more: Readonly<Record<string, string>> = {}) {
    super(config);
    const settings = {
      search_path: `"${schema}"`,
      ...OWN_DEFAULTS,
      jit: 'off',
      idle_in_transaction_session_timeout: MAX_IDLE,
      ...more,
    };
    this.opening = `SELECT ${Object.entries(settings)
      .map(([name, value]) => `set_config('${name}', '${value}', true)`)
      .join(', ')}`;
  }

  /** Plain texts are sent unchanged: they name no table, or begin a transaction. */
  override query(statement: unknown, ...rest: readonly unknown[]): never {
    if (typeof statement === 'string') return super.query(statement, ...(rest as [])) as never;
    const run = (done: Callback): void =>
      void super.query(new OpeningQuery(this.opening, statement as QueryConfig, done) as never);
    const callback = rest.find((one) => typeof one === 'function');
    if (callback !== undefined) return run(callback as Callback) as never;
    return new Promise((resolve, reject) =>
      run((error, result) => (error instanceof Error ? reject(error) : resolve(result))),
    ) as never;
  }
}

/** The same for reads only. */
export class PooledReader extends PooledClient {
  constructor(config: PooledConfig) {
    super(config, { transaction_read_only: 'on' });
  }
}

/** What the driver's own query does with messages; it does not declare this. */
interface DriverQuery {
  prepare(connection: Messages): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Messages): void;
}

interface Messages {
  parse(message: { text: string }): void;
  bind(message: object): void;
  execute(message: object): void;
}

const Base = Query as unknown as new (config: object, values: undefined, callback: Callback) => DriverQuery;

/** A statement together with the one that sets up its transaction: one transaction, and one message. */
class OpeningQuery extends Base {
  private readonly opening: string;
  private isOpened = false;

  constructor(opening: string, { text, values }: QueryConfig, callback: Callback) {
    super({ text, values: values ?? [], queryMode: 'extended' }, undefined, callback);
    this.opening = opening;
  }

  override prepare(connection: Messages): void {
    connection.parse({ text: this.opening });
    connection.bind({});
    connection.execute({});
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.isOpened) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Messages): void {
    if (this.isOpened) super.handleCommandComplete(message, connection);
    this.isOpened = true;
  }
}
