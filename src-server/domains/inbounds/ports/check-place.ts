import type * as z from 'zod';
import { DomainError } from '../../../contract/domain-error.ts';
import { normaliseInbound, transportsOf } from '../../../core/config/inbound/inbound-rules.ts';
import { effectiveNodeId, placeOf, shapeOfRow } from '../verbs/candidate.ts';
import type { checkInboundPlace } from '../contract.ts';
import type { InboundServiceDeps } from '../dependencies.ts';
import { requireFreeAmongInbounds, requireNotReserved } from './place-check.ts';
import { sharedTransports } from './port-conflicts.ts';
import { isServedHere } from './served-here.ts';
import { findInbound } from '../repository.ts';

type PlaceBody = z.output<typeof checkInboundPlace.body>;

/** Check for a form while a port is typed. Saving checks again, inside the write transaction. */
export function createCheckPlace(deps: InboundServiceDeps) {
  return {
    /**
     * @throws {DomainError} `inbound.portTaken`, `inbound.portForeign`, `inbound.portOf…` the template, the panel or the
     *   core
     */
    async checkPlace({
      id,
      listen,
      port,
      protocol,
      nodeId,
      serverId: requestedServerId,
      enable,
      settings,
      streamSettings,
    }: PlaceBody): Promise<null> {
      const row = id === 0 ? null : await findInbound(deps.store.reader, id);
      const shape = normaliseInbound({
        protocol,
        listen,
        port,
        settings: settings ?? {},
        streamSettings,
        sniffing: null,
      });
      const wanted = { ...shape, transports: transportsOf(shape) };
      const serverId = requestedServerId === undefined ? (row?.serverId ?? null) : requestedServerId;
      const place = placeOf(wanted, {
        nodeId: effectiveNodeId(protocol, row === null ? nodeId : row.nodeId),
        serverId,
      });
      await requireFreeAmongInbounds(deps.store.reader, place, id);
      const held =
        row === null || isServedHere(deps, row) !== isServedHere(deps, place)
          ? []
          : sharedTransports(placeOf(shapeOfRow(row), row), place);
      // One that is off and stays off clashes with nobody at the place that it has.
      const isTurnedOn = row?.enable === 0 && enable === true;
      if (!isTurnedOn && held.length === place.transports.length) return null;
      await requireNotReserved(deps, place);
      if (!isServedHere(deps, place)) return null;
      const free = place.transports.filter((transport) => row?.enable === 0 || !held.includes(transport));
      const transport = await deps.findForeignUse(listen, port, free);
      if (transport !== null) throw new DomainError('inbound.portForeign', { port, transport });
      return null;
    },
  };
}
