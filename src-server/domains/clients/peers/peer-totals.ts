import { DomainError } from '../../../contract/domain-error.ts';
import { foldText } from '../../../store/fold-text.ts';
import type { Store } from '../../../store/open-store.ts';
import type { PushedTotal } from '../contract.ts';
import { dropOldPeerTotals, otherMasters, writePeerTotals, type PeerTotal } from './repository-peers.ts';

/** How long a push counts: usage from a panel that stopped pushing must not freeze. */
const FRESH_MS = 24 * 60 * 60_000;
/** Panels that may push at the same time. */
const MAX_MASTERS = 32;
const CHUNK = 2_000;

/**
 * Totals pushed by panels above this one: shown in lists, checked against quotas, never mixed into this panel's own
 * counters.
 */
export function createPeerTotals(deps: { store: Store; clock: () => number; onChanged: () => void }) {
  const { store, clock, onChanged } = deps;
  return {
    /**
     * Takes over the totals of one panel, replacing its earlier values. Unknown e-mails are dropped.
     * @throws {DomainError} `client.tooManyMasters`
     */
    async push(masterGuid: string, traffics: readonly PushedTotal[]): Promise<void> {
      const totals = byEmail(traffics);
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
      if (changed.length > 0) onChanged();
    },

    /** Drops pushes that no longer count. For a timer. */
    async expire(): Promise<void> {
      const dropped = await store.write((trx) => dropOldPeerTotals(trx, clock() - FRESH_MS));
      if (dropped.length > 0) onChanged();
    },
  };
}

/** The last of several entries for one e-mail. */
function byEmail(traffics: readonly PushedTotal[]): PeerTotal[] {
  const byKey = new Map<string, PeerTotal>();
  for (const { email, up, down } of traffics) {
    const emailKey = foldText(email);
    if (emailKey !== '') byKey.set(emailKey, { emailKey, upBytes: up, downBytes: down });
  }
  return [...byKey.values()];
}
