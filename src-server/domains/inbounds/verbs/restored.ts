import { DomainError } from '../../../contract/domain-error.ts';
import { canHostFallbacks } from '../../../core/config/inbound/inbound-rules.ts';
import type { Line } from '../../../concurrency.ts';
import { placeOf, shapeOfRow } from './candidate.ts';
import type { InboundServiceDeps } from '../dependencies.ts';
import { fallbackSources, requireRunnable } from '../ports/machine-check.ts';
import { requireFreeAmongInbounds, requireNotReserved } from '../ports/place-check.ts';
import { isServedHere, requireServer } from '../ports/served-here.ts';
import { tagsOfTemplate } from '../ports/tags.ts';
import { sharedTransports } from '../ports/port-conflicts.ts';
import { findInbound, type InboundRow } from '../repository.ts';

/** For rows restored to an earlier state: what was valid then may not be valid today. */
export function createRestored(deps: InboundServiceDeps, inTurn: Line) {
  const { store, nodes, templates } = deps;
  return {
    /** Runs while no other change of inbounds is in progress. */
    alone: inTurn,
    /**
     * Runs every check that a save of this row would run.
     * @throws {DomainError} node or server unknown, place or tag taken, refused by the core. @throws {ValidationError} for
     *   files
     */
    async checkRestored(row: InboundRow): Promise<void> {
      const shape = shapeOfRow(row);
      const place = placeOf(shape, row);
      if (row.nodeId !== null && !(await nodes.addresses()).has(row.nodeId))
        throw new DomainError('inbound.nodeUnknown', { id: row.nodeId });
      const present = await findInbound(store.reader, row.id);
      const before = present?.serverId ?? null;
      await requireServer(deps, row.serverId, { nodeId: row.nodeId, before });
      await requireFreeAmongInbounds(store.reader, place, row.id);
      const isOfTemplate = row.nodeId === null && (await tagsOfTemplate(templates)).has(row.tag);
      if (isOfTemplate && row.tag !== present?.tag) throw new DomainError('inbound.tagOfTemplate', { tag: row.tag });
      if (row.enable === 0 || !isServedHere(deps, row)) return;
      const isRunning = present !== null && present.enable === 1 && isServedHere(deps, present);
      const held = isRunning ? sharedTransports(placeOf(shapeOfRow(present), present), place) : [];
      if (held.length < place.transports.length) await requireNotReserved(deps, place);
      const hostsFallbacks = canHostFallbacks(shape.protocol, shape.settings, shape.streamSettings);
      const fallbacks = hostsFallbacks ? await fallbackSources(store.reader, row.id) : [];
      await requireRunnable(deps, { id: row.id, tag: row.tag, shape, fallbacks, heldTransports: held });
    },
  };
}
