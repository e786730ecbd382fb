import { findForeignUse } from '../../net/port-probe.ts';
import { transportsOf } from '../config/inbound/inbound-traits.ts';
import type { InboundSource } from '../config/source.ts';

/** What the core would say of an inbound whose port another program has; empty where it may be able to listen. */
export async function portInUse(
  inbound: Pick<InboundSource, 'listen' | 'port' | 'protocol' | 'settings' | 'streamSettings'>,
): Promise<string> {
  const { listen, port } = inbound;
  const used = await findForeignUse(listen, port, transportsOf(inbound));
  return used === null ? '' : `listen ${used} ${listen}:${port}: bind: address already in use`;
}
