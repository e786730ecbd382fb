import { parseJsonObject } from '../../../contract/json-text.ts';
import { transportsOf } from '../../../core/config/inbound/inbound-traits.ts';
import type { OnlineUser } from '../../../core/core.ts';
import type { Db } from '../../../store/schema.ts';
import { sessionPlaces } from './repository-sessions.ts';
import { addressesOf, type SessionPlan } from './session-cut.ts';
import { emailsOf, inboundIdsOf, type SessionUsers } from './session-users.ts';

/** Addresses that clients were seen at within the last half hour. */
export type RecentAddresses = (emails: readonly string[]) => ReadonlyMap<string, readonly string[]>;

/** A plan with the inbounds whose sessions end only when they are added again. */
export type InboundPlan = SessionPlan & { udpInboundIds: number[] };

/** Possible connections of each client. `connected`: null = the core cannot tell. */
export async function planSessions(
  db: Db,
  users: SessionUsers,
  connected: readonly OnlineUser[] | null,
  recentAddresses: RecentAddresses,
): Promise<InboundPlan[]> {
  const places = await sessionPlaces(db, inboundIdsOf(users));
  const kinds = new Map(
    places.map((place) => {
      const settings = parseJsonObject(place.settings) ?? {};
      const streamSettings = parseJsonObject(place.streamSettings);
      const transports = transportsOf({ protocol: place.protocol, settings, streamSettings });
      // The core itself drops removed wireguard peers; UDP of shadowsocks is checked packet by packet.
      const isSession = place.protocol !== 'wireguard' && place.protocol !== 'shadowsocks';
      const udp = transports.includes('udp') && isSession;
      return [place.inboundId, { ports: transports.includes('tcp') ? place.ports : [], udp }] as const;
    }),
  );
  const addresses = addressesOf(connected ?? []);
  const plans = new Map<string, InboundPlan>();
  const recent = recentAddresses(emailsOf(users));
  for (const { inboundId, emails: names } of users) {
    const kind = kinds.get(inboundId);
    if (kind === undefined) continue;
    for (const email of names) {
      const plan = plans.get(email);
      plans.set(email, {
        email,
        ports: [...(plan?.ports ?? []), ...kind.ports],
        mayUseUdp: kind.udp || plan?.mayUseUdp === true,
        udpInboundIds: [...(plan?.udpInboundIds ?? []), ...(kind.udp ? [inboundId] : [])],
        live: addresses.get(email) ?? null,
        recent: recent.get(email) ?? [],
      });
    }
  }
  return [...plans.values()];
}
