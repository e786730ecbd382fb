import { randomInt } from 'node:crypto';
import type { Client } from 'pg';
import { DomainError } from '../../../contract/domain-error.ts';
import { findServer } from './connect.ts';
import { PooledClient } from './pooled.ts';

/** Where reads go, and how. */
export interface ReadingPlace {
  url: string;
  isPooled: boolean;
}

/** Class of locks that only test for the same database; the panel's other locks have a single number as key. */
const PROOF_CLASS = 7_276_303;

/**
 * The way for reads through a pooler beside a connection to the server itself. Commits made there have to be visible
 * here: a lock taken over one is looked for through the other.
 * @throws {DomainError} as `connect` does, and `store.poolerElsewhere`
 */
export async function findPooler(
  client: Client,
  pooler: string,
  options: { name: string; timeoutMs: number },
): Promise<ReadingPlace> {
  const through = await findServer(pooler, options);
  const lock = `${PROOF_CLASS}, ${randomInt(2 ** 31)}`;
  try {
    await client.query(`SELECT pg_advisory_lock(${lock})`);
    const { rows } = await through.client.query(
      `SELECT count(*)::int AS found FROM pg_locks WHERE locktype = 'advisory' AND (classid, objid) = (${lock})
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    if ((rows as { found: number }[])[0]?.found !== 1) throw new DomainError('store.poolerElsewhere');
    await client.query(`SELECT pg_advisory_unlock(${lock})`);
    return { url: through.url, isPooled: through.client instanceof PooledClient };
  } finally {
    await through.client.end();
  }
}
