import { announce } from '../../contract/announce.ts';
import { DomainError } from '../../contract/domain-error.ts';
import type { Publish } from '../../contract/events.ts';
import type { Store } from '../../store/open-store.ts';
import type { BinItem, BinKind, JournalPart } from './contract.ts';
import * as rows from './repository.ts';
import { KEPT_MS } from './kept.ts';
import type { Undo } from './undo/undo.ts';

/** Something that could not be restored. */
export interface Skipped {
  name: string;
  reason: string;
  code: string;
  params: Record<string, string | number>;
}

/** Whether nothing else would be undone with the entry, such as the other changes of an edited group of hosts. */
const hasOnlyDeleted = ({ parts }: rows.EntryRow, kind: BinKind): boolean =>
  (JSON.parse(parts) as JournalPart[]).every((part) => part.action === 'deleted' && part.kind === kind);

/** Deleted clients, inbounds and hosts: restored as they were, or erased for good. */
export function createBin(deps: {
  store: Store;
  undo: Undo;
  publish: Publish;
  textOf: (refusal: { code: string; params: Record<string, string | number> }) => string;
}) {
  const { store, undo, publish, textOf } = deps;

  /** Things deleted by one entry are restored together; if one cannot be, the others still are. */
  async function restoreTogether(entryId: number, kind: BinKind, items: readonly rows.BinRow[]): Promise<Skipped[]> {
    if (items.length === 0) return [];
    const { deleted, waiting } = await rows.binCounts(store.reader, entryId);
    const entry = await rows.entryById(store.reader, entryId);
    const isComplete = items.length === waiting && waiting === deleted && entry?.erasedBy === 0;
    // A deleted inbound included hosts and attachments: it is restored with its whole entry.
    const isWhole = kind === 'inbound' || (isComplete && hasOnlyDeleted(entry, kind));
    const ids = items.map(({ itemId }) => itemId);
    const scope = isWhole
      ? { entryId }
      : { entryId, only: { kind: kind === 'host' ? kind : ('client' as const), ids } };
    try {
      await undo.undo(scope, isWhole, isWhole ? {} : { more: (trx) => rows.markPartlyRestored(trx, entryId) });
      return [];
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const refusal = { code: error.code, params: { ...error.params } };
      if (items.length === 1 || kind === 'inbound')
        return items.map(({ name }) => ({ name, reason: textOf(refusal), ...refusal }));
      const half = Math.ceil(items.length / 2);
      return [
        ...(await restoreTogether(entryId, kind, items.slice(0, half))),
        ...(await restoreTogether(entryId, kind, items.slice(half))),
      ];
    }
  }

  return {
    async list(query: Parameters<typeof rows.binPage>[1]): Promise<{ items: BinItem[]; total: number }> {
      const { items, total } = await rows.binPage(store.heavyReader, query);
      return {
        items: items.map(({ kind, itemId: id, name, entryId, deletedAtMs }) => ({
          kind,
          id,
          name,
          entryId,
          deletedAt: deletedAtMs,
          goneAt: deletedAtMs + KEPT_MS,
        })),
        total,
      };
    },

    /** @throws {DomainError} `journal.notInBin` when none of them is in the bin. */
    async restore(kind: BinKind, ids: readonly number[]): Promise<{ restored: number; skipped: Skipped[] }> {
      const items = await rows.binItems(store.reader, kind, ids);
      if (items.length === 0) throw new DomainError('journal.notInBin');
      const byEntry = Map.groupBy(items, ({ entryId }) => entryId);
      const skipped: Skipped[] = [];
      for (const [entryId, together] of byEntry) skipped.push(...(await restoreTogether(entryId, kind, together)));
      return { restored: items.length - skipped.length, skipped };
    },

    /** Their counters in the ledger are removed by its next roll-up. */
    async erase(kind: BinKind, ids: readonly number[], requestId: string): Promise<{ erased: number }> {
      const erased = await store.write(async (trx) => {
        const items = await rows.binItems(trx, kind, ids);
        if (items.length === 0) throw new DomainError('journal.notInBin');
        const entryIds = await rows.eraseItems(
          trx,
          kind,
          items.map(({ itemId }) => itemId),
        );
        await rows.markErased(trx, entryIds);
        return items.length;
      });
      announce(publish, ['journal'], requestId);
      return { erased };
    },
  };
}
