import { Kysely } from 'kysely';
import { DomainError } from '../../../contract/domain-error.ts';
import type { Schema } from '../../schema.ts';
import { connect, lookAround } from './connect.ts';
import { runStatement } from '../dialect/postgres-connection.ts';
import { postgresDialect } from '../dialect/postgres-dialect.ts';
import { SCHEMA } from '../schema/version-place.ts';

/**
 * Reads a panel's database beside its writer, over one connection.
 * @throws {DomainError} as in `connect.ts`
 */
export async function withServer<T>(url: string, work: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
  const client = await connect(url);
  try {
    if ((await lookAround(client)) === 'nothing') throw new DomainError('store.nothingToMigrate', { where: SCHEMA });
    await client.query('SET default_transaction_read_only = on');
    const refuse = () => Promise.reject(new Error('a reader does not write'));
    const runner = {
      query: (text: string, parameters: readonly unknown[]) => runStatement(client, text, parameters),
      batch: refuse,
      script: refuse,
    };
    return await work(new Kysely<Schema>({ dialect: postgresDialect(runner, 'shared') }));
  } finally {
    await client.end();
  }
}
