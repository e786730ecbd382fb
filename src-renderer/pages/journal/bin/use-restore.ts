import { restoreFromBin, type BinItem } from '#contract/journal';
import { keys } from '../../../api/keys.ts';
import { useChange } from '../../../api/use-change.ts';
import { reasonWords } from '../../../i18n/refusal-words.ts';
import { announceFailure, announceFailures } from '../../../ui/notices/announce.ts';
import { byKind } from './bin-items.ts';

const STALE = [keys.journal, keys.clients, keys.inbounds, keys.hosts, keys.groups, keys.plans];

/** Restores deleted items, kind by kind, and says which of them could not be restored. */
export function useRestore() {
  const change = useChange(restoreFromBin, STALE);

  /** @returns how many were restored */
  async function restore(items: readonly BinItem[]): Promise<number> {
    let restored = 0;
    try {
      for (const [kind, ids] of byKind(items)) {
        const result = await change.mutateAsync({ body: { kind, ids } });
        restored += result.restored;
        announceFailures(result.skipped.map((one) => `${one.name}: ${reasonWords(one)}`));
      }
    } catch (error) {
      announceFailure(error as Error);
    }
    return restored;
  }
  return { restore, isRestoring: change.isPending };
}
