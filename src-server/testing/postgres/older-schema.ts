import { Kysely } from 'kysely';
import type { Logger } from '../../contract/logger.ts';
import { migrate } from '../../store/migrate.ts';
import { openLink, type Link } from '../../store/postgres/connection/link.ts';
import { postgresDialect } from '../../store/postgres/dialect/postgres-dialect.ts';
import { FUNCTIONS } from '../../store/postgres/schema/functions.ts';
import { FOUNDATION, IN_TABLE, SCHEMA } from '../../store/postgres/schema/version-place.ts';

/** Empties a database and brings its schema to an older version. @returns the connection, which the caller closes */
export async function openOlderSchema(url: string, log: Logger, version: number): Promise<Link> {
  const link = await openLink({ url, log, role: 'command', rejoin: async () => {}, onBack: () => {} });
  const emptied = [`DROP SCHEMA IF EXISTS "${SCHEMA}" CASCADE`, `CREATE SCHEMA "${SCHEMA}"`];
  for (const statement of [...emptied, ...FOUNDATION, ...FUNCTIONS]) await link.client().query(statement);
  const writer = new Kysely<unknown>({ dialect: postgresDialect(link.writing, 'serial') });
  await migrate(writer, { upTo: version, place: IN_TABLE });
  return link;
}
