import { sql } from 'kysely';
import type { WriteTransaction } from '../store.ts';
import { spelled } from './spelled.ts';

/**
 * PostgreSQL keeps the ledger by months: creates this month and the next, and drops those that ended before `oldestSec`
 * and no longer have rows. @returns whether that is done; false = a long read of the ledger is running, try again
 */
export async function keepLedgerMonths(trx: WriteTransaction, nowSec: number, oldestSec: number): Promise<boolean> {
  const { rows } = await spelled<{ isDone: number }>(
    sql`SELECT 1 AS isDone`,
    sql`SELECT keep_ledger_months(${nowSec}, ${oldestSec}) AS isDone`,
  ).execute(trx);
  return rows[0]?.isDone === 1;
}
