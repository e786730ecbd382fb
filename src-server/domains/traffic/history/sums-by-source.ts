import type { Db } from '../../../store/schema.ts';
import { DAY_SPAN_SEC, FINE_SPAN_SEC } from '../ledger/ledger-spans.ts';
import { ledgerEntries } from '../ledger/repository-ledger.ts';
import type { Stretch, StretchSum } from './repository-totals.ts';

/**
 * Traffic of a client in each stretch, by source, from its ledger. An entry counts in the stretch it begins in, a day
 * in the one that contains its noon. Stretches may overlap.
 */
export async function clientSums(db: Db, clientId: number, stretches: readonly Stretch[]): Promise<StretchSum[]> {
  const fromSec = Math.min(...stretches.map(({ startSec }) => startSec));
  const untilSec = Math.max(...stretches.map(({ endSec }) => endSec));
  const entries = await ledgerEntries(db, clientId, { fromSec, untilSec, bucketSec: FINE_SPAN_SEC });
  const sums = new Map<string, StretchSum>();
  for (const { startSec, spanSec, kind, guid, upBytes, downBytes } of entries) {
    if (kind !== 'core' && kind !== 'node') continue;
    const momentSec = spanSec === DAY_SPAN_SEC ? startSec + DAY_SPAN_SEC / 2 : startSec;
    for (const [at, stretch] of stretches.entries()) {
      if (momentSec < stretch.startSec || momentSec >= stretch.endSec) continue;
      const key = `${at} ${kind} ${guid}`;
      const sum = sums.get(key);
      if (sum === undefined) sums.set(key, { at, kind, guid, upBytes, downBytes });
      else {
        sum.upBytes += upBytes;
        sum.downBytes += downBytes;
      }
    }
  }
  return [...sums.values()];
}
