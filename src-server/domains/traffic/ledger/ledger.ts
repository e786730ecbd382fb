import type * as z from 'zod';
import { DomainError } from '../../../contract/domain-error.ts';
import type { Publish } from '../../../contract/events.ts';
import { foldText } from '../../../store/fold-text.ts';
import type { Store } from '../../../store/open-store.ts';
import type { ClientLedger, LedgerBucket } from '../contract.ts';
import { DAY_SPAN_SEC, FINE_SPAN_SEC, HOUR_SPAN_SEC } from './ledger-spans.ts';
import { clientCounters, ledgerEntries, ledgerTotal, setToLedger, type LedgerEntry } from './repository-ledger.ts';

const DAY_MS = 86_400_000;

interface Bytes {
  up: number;
  down: number;
}

export function createLedgerService(deps: { store: Store; clock: () => number; publish: Publish }) {
  const { store, clock, publish } = deps;

  async function clientOf(email: string) {
    const client = await clientCounters(store.heavyReader, foldText(email));
    if (client === undefined) throw new DomainError('traffic.clientUnknown', { email });
    return client;
  }

  /** Counters and sum without a tick in between, which would make them differ. */
  async function atOneMoment(email: string) {
    for (let tries = 0; ; tries++) {
      const client = await clientOf(email);
      const ledger = await ledgerTotal(store.heavyReader, client.id);
      const again = await clientOf(email);
      const isSame = client.upBytes === again.upBytes && client.downBytes === again.downBytes;
      if (isSame || tries === 3) return { client: again, ledger };
    }
  }

  return {
    /**
     * A client's entries in a range, with its counters and the ledger's sum.
     * @throws {DomainError} `traffic.clientUnknown`, `traffic.rangeEmpty`
     */
    async read(
      email: string,
      { from, to, bucket }: { from?: number | undefined; to?: number | undefined; bucket?: number | undefined },
    ): Promise<z.input<typeof ClientLedger>> {
      const untilMs = to ?? clock();
      const fromMs = from ?? untilMs - DAY_MS;
      if (fromMs >= untilMs) throw new DomainError('traffic.rangeEmpty');
      const bucketSec = bucket ?? fittingBucket(untilMs - fromMs);
      const range = { fromSec: Math.floor(fromMs / 1000), untilSec: Math.ceil(untilMs / 1000), bucketSec };
      const { client, ledger } = await atOneMoment(email);
      const entries = await ledgerEntries(store.heavyReader, client.id, range);
      return {
        email: client.email,
        counters: bytes(client),
        ledger: bytes(ledger),
        from: fromMs,
        to: untilMs,
        buckets: entries.map(presentEntry),
      };
    },

    /**
     * Repairs a client's counters from its ledger.
     * @throws {DomainError} `traffic.clientUnknown`
     */
    async recount(email: string): Promise<{ before: Bytes; after: Bytes }> {
      const result = await store.write(async (trx) => {
        const client = await clientCounters(trx, foldText(email));
        if (client === undefined) throw new DomainError('traffic.clientUnknown', { email });
        return { before: bytes(client), after: bytes(await setToLedger(trx, client.id)) };
      });
      publish({ type: 'invalidate', resource: 'clients' });
      return result;
    },
  };
}
export type LedgerService = ReturnType<typeof createLedgerService>;

function fittingBucket(rangeMs: number): number {
  if (rangeMs <= 2 * DAY_MS) return FINE_SPAN_SEC;
  return rangeMs <= 60 * DAY_MS ? HOUR_SPAN_SEC : DAY_SPAN_SEC;
}

function bytes({ upBytes, downBytes }: { upBytes: number; downBytes: number }): Bytes {
  return { up: upBytes, down: downBytes };
}

function presentEntry(entry: LedgerEntry): z.input<typeof LedgerBucket> {
  const { startSec, spanSec, kind, guid, upBytes, downBytes } = entry;
  return { start: startSec * 1000, seconds: spanSec, source: kind, guid, up: upBytes, down: downBytes };
}
