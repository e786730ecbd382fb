import type { Kysely } from 'kysely';
import { DomainError } from '../../contract/domain-error.ts';
import type { Logger } from '../../contract/logger.ts';
import type { Schema } from '../schema.ts';
import type { Store } from '../store.ts';
import { openLink, type Link } from './connection/link.ts';
import { MAX_IDLE, PooledClient } from './connection/pooled.ts';
import { writerOver } from './postgres-store.ts';
import { away } from './connection/session.ts';
import { requireSameSchema } from './schema/version-at-server.ts';

interface Opened {
  link: Link;
  writer: Kysely<Schema>;
}

/**
 * Writes small things beside the active panel into a database that is read elsewhere. It connects with the first of
 * them; while the primary cannot be written, for whatever reason, it fails like a server that is away, and reports that
 * once.
 */
export function writeBeside({ url, log }: { url: string; log: Logger }): Pick<Store, 'write'> & {
  close(): Promise<void>;
} {
  let opening: Promise<Opened> | null = null;
  let complaint = '';

  async function requireWritable(client: ReturnType<Link['client']>): Promise<void> {
    await requireSameSchema(client, { forReading: true });
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS "isReplica"');
    if ((rows as { isReplica: number }[])[0]?.isReplica === 1) throw new DomainError('store.isReplica');
    // A frozen machine must not hold the panel's turn for long. Through a pooler each transaction sets this itself.
    if (!(client instanceof PooledClient))
      await client.query(`SET idle_in_transaction_session_timeout = '${MAX_IDLE}'`);
  }

  async function open(): Promise<Opened> {
    const link = await openLink({
      url,
      log,
      role: 'reader',
      rejoin: requireWritable,
      onBack: () => undefined,
      onLost: () => (opening = null),
    });
    try {
      await requireWritable(link.client());
      await link.watch();
    } catch (error) {
      await link.close();
      throw error;
    }
    return { link, writer: writerOver(link) };
  }

  async function opened(): Promise<Opened> {
    try {
      return await (opening ??= open());
    } catch (error) {
      opening = null;
      const reason = error instanceof DomainError ? error.code : String(error);
      if (reason !== complaint) log.warn('store.primaryAway', { reason });
      complaint = reason;
      throw away(reason);
    }
  }

  return {
    async write(work) {
      const { writer } = await opened();
      complaint = '';
      return await writer.transaction().execute(work);
    },
    async close() {
      const last = await opening?.catch(() => null);
      await last?.link.close();
    },
  };
}
