import { isDatabaseAway } from '../../../contract/database-away.ts';
import type { StatementResult } from '../../sqlite/sqlite-connection.ts';
import type { StatementRunner } from '../../sqlite/sqlite-dialect.ts';
import type { Writer } from '../dialect/postgres-writer.ts';
import type { Session } from './session.ts';

const NOTHING: StatementResult = { rows: [], changes: 0, lastInsertId: 0 };

export type LinkWriter = StatementRunner & Pick<Writer, 'openEntry' | 'closeEntry'>;

/**
 * Writes on the present session, and a transaction on the session it began on.
 * @param up the present session. @throws {StoreError} while the server is away
 */
export function createSessionWriter(up: () => Session): LinkWriter {
  /**
   * The session of the open transaction: none of its statements may reach another session, where they would be
   * committed separately.
   */
  let inTransaction: Session | null = null;

  const writer = (): Writer => (inTransaction ?? up()).writing;

  async function query(text: string, parameters: readonly unknown[]): Promise<StatementResult> {
    if (text === 'ROLLBACK') return await rollBack();
    if (text === 'BEGIN') {
      const begun = up();
      const result = await begun.writing.query(text, parameters);
      inTransaction = begun;
      return result;
    }
    const result = await writer().query(text, parameters);
    if (text === 'COMMIT') inTransaction = null;
    return result;
  }

  /** A server that lost the connection has rolled everything back by itself, or has committed it. */
  async function rollBack(): Promise<StatementResult> {
    const begun = inTransaction;
    inTransaction = null;
    if (begun === null || begun.endedBecause() !== null) return NOTHING;
    try {
      return await begun.writing.query('ROLLBACK', []);
    } catch (error) {
      if (isDatabaseAway(error)) return NOTHING;
      throw error;
    }
  }

  return {
    query,
    batch: async (text, columns, rowCount) => await writer().batch(text, columns, rowCount),
    script: async (steps) => await writer().script(steps),
    openEntry: async () => await writer().openEntry(),
    closeEntry: async (act, atMs) => await writer().closeEntry(act, atMs),
  };
}
