import { DomainError } from '../../contract/domain-error.ts';
import type { WriteTransaction } from '../../store/open-store.ts';
import { changeSub, orderedSubs } from './repository.ts';

/**
 * Swaps a subscription with its neighbour.
 * @returns false at the end of the list, where nothing happens
 * @throws {DomainError} `outboundSub.notFound`
 */
export async function moveSub(trx: WriteTransaction, id: number, isUp: boolean): Promise<boolean> {
  const rows = await orderedSubs(trx);
  const at = rows.findIndex((row) => row.id === id);
  if (at < 0) throw new DomainError('outboundSub.notFound');
  const to = at + (isUp ? -1 : 1);
  if (to < 0 || to >= rows.length) return false;
  [rows[at], rows[to]] = [rows[to]!, rows[at]!];
  for (const [priority, row] of rows.entries())
    if (row.priority !== priority) await changeSub(trx, row.id, { priority });
  return true;
}
