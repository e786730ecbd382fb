import { DomainError } from '../../../contract/domain-error.ts';
import { runsHere } from '../../../runtime/serving-place.ts';
import type { InboundServiceDeps } from '../dependencies.ts';
import type { Listener } from './port-conflicts.ts';

/** Whether this panel's core runs this listener. */
export const isServedHere = (
  { place }: Pick<InboundServiceDeps, 'place'>,
  { nodeId, serverId }: Pick<Listener, 'nodeId' | 'serverId'>,
): boolean => nodeId === null && runsHere(place, serverId);

/**
 * @param serverId the server to run the inbound
 * @param before the server that runs it now; null = none, or the active panel
 * @throws {DomainError} `inbound.serverAlone`, `inbound.serverOfNode`, `inbound.serverUnknown`
 */
export async function requireServer(
  { place, isServerKnown }: Pick<InboundServiceDeps, 'place' | 'isServerKnown'>,
  serverId: string | null,
  { nodeId, before = null }: { nodeId: number | null; before?: string | null },
): Promise<void> {
  // A removed server stays set until the inbound is moved.
  if (serverId === null || serverId === before) return;
  if (place.serverId === null) throw new DomainError('inbound.serverAlone');
  if (nodeId !== null) throw new DomainError('inbound.serverOfNode');
  if (!(await isServerKnown(serverId))) throw new DomainError('inbound.serverUnknown', { id: serverId });
}
