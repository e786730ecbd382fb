import type { Client } from 'pg';
import { DomainError } from '../../../contract/domain-error.ts';
import { LATEST_VERSION } from '../../migrate.ts';
import { lookAround } from '../connection/connect.ts';
import { SCHEMA } from './version-place.ts';

/** Version of the schema on the server; 0 = there is none. */
export async function versionOf(client: Client): Promise<number> {
  const { rows } = await client.query(`SELECT version FROM ${SCHEMA}."schemaVersion"`);
  return (rows as { version: number }[])[0]?.version ?? 0;
}

/**
 * Requires exactly the schema that this program knows.
 * @throws {DomainError} as `lookAround` does, `store.newerVersion`, and `store.otherVersion` for an older schema or
 *   none
 */
export async function requireSameSchema(
  client: Client,
  { forReading = false }: { forReading?: boolean } = {},
): Promise<void> {
  const found = (await lookAround(client, { forReading })) === 'nothing' ? 0 : await versionOf(client);
  if (forReading && found > LATEST_VERSION)
    throw new DomainError('store.newerVersion', { found, known: LATEST_VERSION });
  if (found !== LATEST_VERSION) throw new DomainError('store.otherVersion', { found, known: LATEST_VERSION });
}
