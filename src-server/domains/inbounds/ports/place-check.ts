import { DomainError } from '../../../contract/domain-error.ts';
import { isEveryAddress, isSocketPath, socketOf } from '../../../core/config/inbound/listen-address.ts';
import { shapeOfRow, placeOf } from '../verbs/candidate.ts';
import type { InboundServiceDeps } from '../dependencies.ts';
import { sharedTransports, transportLabel, type Listener } from './port-conflicts.ts';
import { findInbound, inboundsNear, type Database, type InboundRow } from '../repository.ts';

/**
 * Refuses a place used by another inbound. Authoritative inside the write transaction, where no other write can
 * intervene.
 * @param ownId the inbound that moves there; 0 = a new one.
 * @throws {DomainError} `inbound.portTaken`
 */
export async function requireFreeAmongInbounds(db: Database, place: Listener, ownId: number): Promise<void> {
  const socket = isSocketPath(place.listen) ? socketOf(place.listen) : null;
  const near = await inboundsNear(db, place.port, socket);
  const ownOrigin = near.length === 0 || ownId === 0 ? '' : ((await findInbound(db, ownId))?.originNodeGuid ?? '');
  for (const row of near) {
    if (row.id === ownId) continue;
    // Inbounds of one node may run on different panels behind it.
    if (ownOrigin !== '' && row.originNodeGuid !== '' && row.originNodeGuid !== ownOrigin) continue;
    const shared = sharedTransports(place, placeOf(shapeOfRow(row), row));
    if (shared.length === 0) continue;
    throw new DomainError('inbound.portTaken', {
      port: place.port,
      transports: transportLabel(shared),
      name: nameOf(row),
      listen: row.listen || '*',
    });
  }
}

export function nameOf({ id, remark, tag }: Pick<InboundRow, 'id' | 'remark' | 'tag'>): string {
  const called = remark || tag;
  return called === '' ? `#${id}` : `'${called}' (#${id})`;
}

/**
 * Refuses places on this machine where the panel, the core itself or an inbound of the template listens.
 * @throws {DomainError} `inbound.portOfTemplate`, `inbound.portOfPanel`, `inbound.portOfCore`
 */
export async function requireNotReserved(
  { reservedPorts, runtime, templates }: Pick<InboundServiceDeps, 'reservedPorts' | 'runtime' | 'templates'>,
  place: Listener,
): Promise<void> {
  const { port, listen, nodeId, transports } = place;
  if (nodeId !== null) return;
  for (const own of await templates.listeners()) {
    if (!isSocketPath(own.listen) && !own.covers(port)) continue;
    const shared = sharedTransports(place, { ...place, listen: own.listen, transports: own.transports });
    if (shared.length === 0) continue;
    const params = { port, transports: transportLabel(shared), tag: own.tag, listen: own.listen || '*' };
    throw new DomainError('inbound.portOfTemplate', params);
  }
  if (isSocketPath(listen) || !transports.includes('tcp')) return;
  const panel = reservedPorts().find((reserved) => reserved.port === port);
  if (panel !== undefined) throw new DomainError('inbound.portOfPanel', { port, use: panel.use });
  requireNotReservedByCore(runtime, place);
}

/** @throws {DomainError} `inbound.portOfCore` */
export function requireNotReservedByCore(
  runtime: Pick<InboundServiceDeps['runtime'], 'reservedPorts'>,
  { port, listen }: Listener,
): void {
  // The core's own listeners are on loopback: an inbound on another address does not conflict.
  if (!isEveryAddress(listen) && !/^127\.|^localhost$/i.test(listen)) return;
  const core = runtime.reservedPorts().find((reserved) => reserved.port === port);
  if (core !== undefined) throw new DomainError('inbound.portOfCore', { port, use: core.use });
}
