import { DomainError } from '../../../contract/domain-error.ts';
import { removeInboundTag } from '../../../core/config/template/template-rules.ts';
import { mergeChanges, type Change } from '../../../runtime/runtime.ts';
import { announce } from '../../../contract/announce.ts';
import type { NodeNote } from '../contract.ts';
import type { InboundServiceDeps } from '../dependencies.ts';
import { deleteInbound, findInbound, mastersOfChild } from '../repository.ts';
import type { Line } from '../../../concurrency.ts';
import { texts } from '../texts.ts';

const EVERYTHING = { everything: true } as const;

/** Deleting inbounds and what depends on them. */
export function createRemove(deps: InboundServiceDeps, inTurn: Line) {
  const { store, runtime, clients, templates, publish } = deps;

  /** Deletes one inbound in one transaction. @returns the changes, null when there is no such inbound. */
  function removeRow(id: number): Promise<Change | null> {
    return store.write(async (trx) => {
      const row = await findInbound(trx, id);
      if (row === null) return null;
      const masters = (await mastersOfChild(trx, id)).filter((master) => master !== id);
      const change: Change = { inboundIds: [id, ...masters] };
      // Before the row is deleted: the mark for a remote panel needs to know where the inbound was.
      await runtime.stage(trx, change);
      await clients.detachAll(trx, id);
      await deleteInbound(trx, id);
      const isRouted = await templates.rewrite(trx, (template) => removeInboundTag(template, row.tag));
      if (isRouted) await runtime.stage(trx, EVERYTHING);
      return isRouted ? { ...change, ...EVERYTHING } : change;
    });
  }

  /** One change of the core and of nodes, and a notification to open pages. */
  async function settle(changes: readonly Change[], requestId: string): Promise<NodeNote> {
    if (changes.length === 0) return null;
    clients.noteCommitted();
    const { nodePending } = await runtime.apply(mergeChanges(changes));
    announce(publish, ['inbounds', 'clients'], requestId);
    return nodePending ? { nodePending } : null;
  }

  return {
    /** Clients stay; those attached nowhere else lose their traffic. An unknown id is no error: it is already gone. */
    remove(id: number, requestId: string): Promise<number> {
      return inTurn(async () => {
        const change = await removeRow(id);
        await settle(change === null ? [] : [change], requestId);
        return id;
      });
    },

    /** One after another; the core is changed once, even after a failure midway. */
    bulkRemove(
      ids: readonly number[],
      requestId: string,
    ): Promise<{ deleted: number; skipped: { id: number; reason: string; code: string }[]; nodePending?: true }> {
      return inTurn(async () => {
        const changes: Change[] = [];
        let note: NodeNote = null;
        const code = 'inbound.bulkNotFound';
        const skipped: { id: number; reason: string; code: string }[] = [];
        try {
          for (const id of new Set(ids)) {
            const change = await removeRow(id);
            if (change === null) skipped.push({ id, reason: texts[code] ?? '', code });
            else changes.push(change);
          }
        } finally {
          note = await settle(changes, requestId);
        }
        return { deleted: changes.length, skipped, ...note };
      });
    },

    /**
     * Deletes the inbound's clients everywhere; the inbound stays.
     * @throws {DomainError} `inbound.notFound`
     */
    async removeClients(id: number, requestId: string) {
      if ((await findInbound(store.reader, id)) === null) throw new DomainError('inbound.notFound');
      const { deleted, skipped = [] } = await clients.deleteAllOf(id);
      announce(publish, ['inbounds', 'clients'], requestId);
      return skipped.length === 0 ? { deleted } : { deleted, skipped };
    },
  };
}
