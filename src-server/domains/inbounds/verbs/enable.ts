import { DomainError } from '../../../contract/domain-error.ts';
import { canHostFallbacks } from '../../../core/config/inbound/inbound-rules.ts';
import { announce } from '../../../contract/announce.ts';
import { placeOf, shapeOfRow } from './candidate.ts';
import type { NodeNote } from '../contract.ts';
import type { InboundServiceDeps } from '../dependencies.ts';
import { fallbackSources, requireRunnable } from '../ports/machine-check.ts';
import { requireNotReserved } from '../ports/place-check.ts';
import { isServedHere } from '../ports/served-here.ts';
import { findInbound, updateInbound } from '../repository.ts';
import type { Line } from '../../../concurrency.ts';

/** Enabling and disabling inbounds. */
export function createEnable(deps: InboundServiceDeps, inTurn: Line) {
  const { store, runtime, clock, publish } = deps;

  /** A disabled inbound may have been stored years ago, or for another machine. */
  async function requireRunnableHere(id: number): Promise<void> {
    const row = await findInbound(store.reader, id);
    if (row === null || row.enable === 1 || !isServedHere(deps, row)) return;
    const shape = shapeOfRow(row);
    await requireNotReserved(deps, placeOf(shape, row));
    const hostsFallbacks = canHostFallbacks(shape.protocol, shape.settings, shape.streamSettings);
    const fallbacks = hostsFallbacks ? await fallbackSources(store.reader, id) : [];
    await requireRunnable(deps, { id, tag: row.tag, shape, fallbacks, heldTransports: [] });
  }

  return {
    /**
     * Does nothing when it is already in that state.
     * @throws {DomainError} `inbound.notFound`, or what prevents it from running here.
     */
    setEnable(id: number, enable: boolean, requestId: string): Promise<NodeNote> {
      return inTurn(async () => {
        if (enable) await requireRunnableHere(id);
        const change = { inboundIds: [id] };
        const isChanged = await store.write(async (trx) => {
          const row = await findInbound(trx, id);
          if (row === null) throw new DomainError('inbound.notFound');
          if ((row.enable === 1) === enable) return false;
          const flag = enable
            ? { enable: 1 as const, disabledBy: '' as const }
            : { enable: 0 as const, disabledBy: 'admin' as const };
          await updateInbound(trx, id, { ...flag, updatedAtMs: clock() });
          await runtime.stage(trx, change);
          return true;
        });
        if (!isChanged) return null;
        const { nodePending } = await runtime.apply(change);
        announce(publish, ['inbounds'], requestId);
        return nodePending ? { nodePending } : null;
      });
    },
  };
}
