import { sql } from 'kysely';
import type { WriteTransaction } from '../store.ts';
import { spelled } from './spelled.ts';

/**
 * PostgreSQL keeps the ledger by months: makes this one and the next, and drops those that ended before `oldestSec` and have no rows
 * any more. @returns whether that is done; false = something reads the ledger for long, to be tried again
 */
export async function keepLedgerMonths(trx: WriteTransaction, nowSec: number, oldestSec: number): Promise<boolean> {
  const { rows } = await spelled<{ isDone: number }>(
    sql`SELECT 1 AS isDone`,
    sql`SELECT keep_ledger_months(${nowSec}, ${oldestSec}) AS isDone`,
  ).execute(trx);
  return rows[0]?.isDone === 1;
}
