import { DomainError } from '../../../contract/domain-error.ts';
import { runsHere } from '../../../runtime/serving-place.ts';
import type { InboundServiceDeps } from '../dependencies.ts';
import type { Listener } from './port-conflicts.ts';

/** Whether this panel's core runs what listens there. */
export const isServedHere = (
  { place }: Pick<InboundServiceDeps, 'place'>,
  { nodeId, serverId }: Pick<Listener, 'nodeId' | 'serverId'>,
): boolean => nodeId === null && runsHere(place, serverId);

/**
 * @param serverId who is to run the inbound
 * @param before who runs it now; null = none, or whichever panel is active
 * @throws {DomainError} `inbound.serverAlone`, `inbound.serverOfNode`, `inbound.serverUnknown`
 */
export async function requireServer(
  { place, isServerKnown }: Pick<InboundServiceDeps, 'place' | 'isServerKnown'>,
  serverId: string | null,
  { nodeId, before = null }: { nodeId: number | null; before?: string | null },
): Promise<void> {
  // One that is gone stays named until the inbound is moved.
  if (serverId === null || serverId === before) return;
  if (place.serverId === null) throw new DomainError('inbound.serverAlone');
  if (nodeId !== null) throw new DomainError('inbound.serverOfNode');
  if (!(await isServerKnown(serverId))) throw new DomainError('inbound.serverUnknown', { id: serverId });
}
