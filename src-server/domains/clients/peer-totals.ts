import * as z from 'zod';
import { DomainError } from '../../contract/domain-error.ts';
import { ByteCount } from '../../contract/port.ts';
import { foldText } from '../../store/fold-text.ts';
import type { Store } from '../../store/open-store.ts';
import { dropOldPeerTotals, otherMasters, writePeerTotals, type PeerTotal } from './repository-peers.ts';

/** How long a push counts: a panel that stopped pushing must not freeze old usage. */
const FRESH_MS = 24 * 60 * 60_000;
/** Panels that may push at the same time. */
const MAX_MASTERS = 32;
const CHUNK = 2_000;

const Entry = z.object({ email: z.string().min(1).max(1024), up: ByteCount, down: ByteCount });

/** Totals that panels above this one push: shown in lists, held against quotas, never mixed into the own counters. */
export function createPeerTotals(deps: {
  store: Store;
  clock: () => number;
  onChanged: (clientIds: readonly number[]) => void;
}) {
  const { store, clock, onChanged } = deps;
  return {
    /**
     * Takes over what one panel knows, replacing its earlier values. Entries that are not usable, and e-mails unknown here,
     * are dropped.
     * @throws {DomainError} `client.tooManyMasters`
     */
    async push(masterGuid: string, traffics: readonly unknown[]): Promise<void> {
      const totals = usable(traffics);
      if (masterGuid === '' || totals.length === 0) return;
      const nowMs = clock();
      const changed = await store.write(async (trx) => {
        if ((await otherMasters(trx, masterGuid, nowMs - FRESH_MS)) >= MAX_MASTERS)
          throw new DomainError('client.tooManyMasters', { count: MAX_MASTERS });
        const ids: number[] = [];
        for (let at = 0; at < totals.length; at += CHUNK)
          ids.push(...(await writePeerTotals(trx, masterGuid, totals.slice(at, at + CHUNK), nowMs)));
        return ids;
      });
      onChanged(changed);
    },

    /** Forgets pushes that no longer count. For a timer. */
    async expire(): Promise<void> {
      const dropped = await store.write((trx) => dropOldPeerTotals(trx, clock() - FRESH_MS));
      onChanged(dropped);
    },
  };
}

function usable(traffics: readonly unknown[]): PeerTotal[] {
  const byKey = new Map<string, PeerTotal>();
  for (const traffic of traffics) {
    const { success, data } = Entry.safeParse(traffic);
    if (!success) continue;
    const emailKey = foldText(data.email.trim());
    byKey.set(emailKey, { emailKey, upBytes: data.up, downBytes: data.down });
  }
  return [...byKey.values()];
}
