import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Act } from '../../../contract/act.ts';
import { closeRecorded } from '../../journal/entry.ts';
import type { StatementResult } from '../../sqlite/sqlite-connection.ts';
import type { StatementRunner } from '../../sqlite/sqlite-dialect.ts';
import type { BatchColumn, ScriptStep } from '../../sqlite/sqlite-protocol.ts';
import { ENTRY_SETTING } from '../schema/capture.ts';
import { COMMITS } from '../shared-names.ts';
import { PooledClient } from '../connection/pooled.ts';
import { prepareBatch } from './postgres-batch.ts';
import { asStoreError, runStatement } from './postgres-connection.ts';
import { respell } from './respell.ts';

const NOTHING: StatementResult = { rows: [], changes: 0, lastInsertId: 0 };

/** Key of the lock that a transaction holds while it writes. */
const TURN_KEY = 7_276_302;

async function simply(client: pg.Client, text: string): Promise<void> {
  try {
    await client.query(text);
  } catch (error) {
    throw asStoreError(error, text);
  }
}

export interface Writer extends StatementRunner {
  openEntry(): Promise<void>;
  closeEntry(act: Act, atMs: number): Promise<number>;
}

/** The one connection that writes. */
export function createWriter(client: pg.Client): Writer {
  /** Batch functions that exist on this connection, and those that the open transaction created. */
  const made = new Set<string>();
  let fresh: string[] = [];

  async function query(text: string, parameters: readonly unknown[]): Promise<StatementResult> {
    if (text === 'BEGIN') {
      // A pooler may assign another server, which has none of them.
      if (client instanceof PooledClient) made.clear();
      // One writer at a time, across processes: commands beside the panel wait for their turn.
      // Whatever the server's default isolation is: what others wrote while this one waited must show.
      try {
        await simply(client, `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(${TURN_KEY})`);
      } catch (error) {
        // Nobody rolls back what never began: a cancelled wait would fail every later transaction.
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
      return NOTHING;
    }
    if (text === 'COMMIT') {
      await simply(client, `NOTIFY ${COMMITS}; COMMIT`);
      fresh = [];
      return NOTHING;
    }
    if (text === 'ROLLBACK') {
      for (const name of fresh) made.delete(name);
      fresh = [];
    }
    return await runStatement(client, text, parameters);
  }

  async function batch(text: string, columns: readonly BatchColumn[], rowCount: number): Promise<StatementResult> {
    if (rowCount === 0) return NOTHING;
    const { create, call, parameters } = prepareBatch(text, columns, rowCount);
    if (create === null) return await query(call, parameters);
    const name = `batch_${createHash('sha256').update(create).digest('hex').slice(0, 24)}`;
    if (!made.has(name)) {
      await simply(client, `CREATE OR REPLACE FUNCTION pg_temp.${name}${create}`);
      made.add(name);
      fresh.push(name);
    }
    const { rows } = await query(`SELECT pg_temp.${name}(${call}) AS changes`, parameters);
    return { rows: [], changes: (rows as { changes: number }[])[0]?.changes ?? 0, lastInsertId: 0 };
  }

  const entryConnection = {
    query: (text: string, parameters: readonly unknown[]) => query(respell(text), parameters),
    batch: (text: string, columns: readonly BatchColumn[], rowCount: number) => batch(respell(text), columns, rowCount),
  };
  let entryId = 0;

  return {
    query,
    batch,
    async script(steps: readonly ScriptStep[]) {
      const rows: unknown[][] = [];
      for (const { sql, parameters, batch: many } of steps)
        rows.push((many === null ? await query(sql, parameters) : await batch(sql, many.columns, many.rowCount)).rows);
      return { ...NOTHING, rows };
    },
    async openEntry() {
      const { rows } = await query(
        `SELECT set_config('${ENTRY_SETTING}', CAST(seq + 1 AS text), true), seq + 1 AS id FROM "lastIds" WHERE name = 'journal'`,
        [],
      );
      entryId = (rows as { id: number }[])[0]!.id;
    },
    async closeEntry(act, atMs) {
      await query(`SELECT set_config('${ENTRY_SETTING}', '', true)`, []);
      return await closeRecorded(entryConnection, entryId, act, atMs);
    },
  };
}
