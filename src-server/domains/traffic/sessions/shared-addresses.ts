import type { OnlineUser } from '../../../core/core.ts';
import type { Store } from '../../../store/open-store.ts';
import { findEmails } from '../live/repository-live.ts';
import { inboundsInUse, sessionPlaces } from './repository-sessions.ts';
import type { SharedAt } from './session-cut.ts';
import { inboundIdsOf } from './session-users.ts';

/** Whether clients other than `own` are connected from the addresses, by port. */
export async function sharedAddresses(
  store: Store,
  panelGuid: string,
  connected: readonly OnlineUser[],
  own: ReadonlySet<string>,
  addresses: ReadonlySet<string>,
): Promise<SharedAt> {
  const others = connected
    .filter(({ email }) => !own.has(email))
    .map(({ email, ips }) => ({ email, ips: ips.map(({ ip }) => ip).filter((ip) => addresses.has(ip)) }))
    .filter(({ ips }) => ips.length > 0);
  const present = await findEmails(
    store,
    panelGuid,
    others.map(({ email }) => email),
  );
  const inUse = await inboundsInUse(store.reader, [...new Set(present.values())]);
  const found = await sessionPlaces(store.reader, inboundIdsOf(inUse));
  const places = new Map(found.map((place) => [place.inboundId, place]));
  const shared = new Set<string>();
  for (const { email, ips } of others) {
    const now = present.get(email);
    for (const link of inUse) {
      if (link.email !== now) continue;
      for (const port of places.get(link.inboundId)?.ports ?? [])
        for (const address of ips) shared.add(`${port} ${address}`);
    }
  }
  return (port, address) => shared.has(`${port} ${address}`);
}
