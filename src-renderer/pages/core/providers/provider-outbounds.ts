import * as z from 'zod';
import type { Json, JsonObject } from '#wire/json';
import { objectAt, textAt } from '../../../forms/draft/json.ts';
import { dropItem, itemsAt, OUTBOUNDS, putItem } from '../model/lists.ts';
import { dropReferences } from '../model/references.ts';

/** Name of the outbound that the key rotation looks for. */
export const TUNNEL_TAG = 'warp';
/** Outbounds of the VPN provider, one per host. */
const VPN_PREFIX = 'nord-';
/** A shorter licence key is a typing error. */
export const LICENCE_LENGTH = 26;

export const TunnelData = z.object({
  access_token: z.string(),
  device_id: z.string(),
  license_key: z.string(),
  private_key: z.string(),
  client_id: z.string().optional(),
});
export type TunnelData = z.infer<typeof TunnelData>;

/** The provider's data on a device, as far as an outbound needs it. */
export const TunnelConfig = z.object({
  config: z.object({
    client_id: z.string().optional(),
    interface: z.object({ addresses: z.object({ v4: z.string(), v6: z.string() }) }),
    peers: z.array(z.object({ public_key: z.string(), endpoint: z.object({ host: z.string() }) })).min(1),
  }),
  account: z.object({ account_type: z.string().optional() }).optional(),
});
export type TunnelConfig = z.infer<typeof TunnelConfig>;

/** `ForceIPv4v6`: on a machine with broken IPv6, an IPv6 endpoint would swallow everything silently. */
export function tunnelOutbound(data: TunnelData, { config }: TunnelConfig): JsonObject {
  const { v4, v6 } = config.interface.addresses;
  const [peer] = config.peers;
  return {
    tag: TUNNEL_TAG,
    protocol: 'wireguard',
    settings: {
      mtu: 1420,
      secretKey: data.private_key,
      address: [`${v4}/32`, `${v6}/128`],
      reserved: Array.from(atob(config.client_id ?? data.client_id ?? ''), (byte) => byte.charCodeAt(0)),
      domainStrategy: 'ForceIPv4v6',
      noKernelTun: true,
      peers: [{ publicKey: peer!.public_key, endpoint: peer!.endpoint.host }],
    },
  };
}

const WIREGUARD = 35;
export const VpnServers = z.object({
  servers: z.array(
    z.object({
      name: z.string(),
      hostname: z.string(),
      station: z.string(),
      load: z.number(),
      location_ids: z.array(z.number()).default([]),
      technologies: z.array(
        z.object({ id: z.number(), metadata: z.array(z.object({ name: z.string(), value: z.string() })).default([]) }),
      ),
    }),
  ),
  locations: z.array(
    z.object({ id: z.number(), country: z.object({ city: z.object({ name: z.string() }).optional() }).optional() }),
  ),
});
type VpnServers = z.infer<typeof VpnServers>;

export interface VpnServer {
  hostname: string;
  station: string;
  city: string;
  /** Load in percent. */
  load: number;
  publicKey: string;
}

/** Usable servers, the least busy first. */
export function usableServers({ servers, locations }: VpnServers): VpnServer[] {
  const cities = new Map(locations.map(({ id, country }) => [id, country?.city?.name ?? '']));
  return servers
    .flatMap(({ hostname, station, load, location_ids: places, technologies }) => {
      const metadata = technologies.find(({ id }) => id === WIREGUARD)?.metadata ?? [];
      const publicKey = metadata.find(({ name }) => name === 'public_key')?.value ?? '';
      return publicKey === '' ? [] : [{ hostname, station, load, publicKey, city: cities.get(places[0] ?? -1) ?? '' }];
    })
    .sort((one, other) => one.load - other.load);
}

export function vpnOutbound(privateKey: string, { hostname, station, publicKey }: VpnServer): JsonObject {
  return {
    tag: VPN_PREFIX + hostname,
    protocol: 'wireguard',
    settings: {
      secretKey: privateKey,
      address: ['10.5.0.2/32'],
      peers: [{ publicKey, endpoint: `${station}:51820` }],
      noKernelTun: true,
    },
  };
}

/** Adds an outbound, or updates the one with its tag; what the operator added to that one stays. */
export function withOutbound(template: JsonObject, outbound: JsonObject): JsonObject {
  const outbounds = itemsAt(template, OUTBOUNDS);
  const index = outbounds.findIndex(({ tag }) => tag === outbound['tag']);
  if (index < 0) return putItem(template, OUTBOUNDS, outbounds.length, outbound);
  const old = outbounds[index] ?? {};
  const settings: Json = { ...objectAt(old['settings']), ...objectAt(outbound['settings']) };
  return putItem(template, OUTBOUNDS, index, { ...old, ...outbound, settings });
}

/** The template without the VPN provider's outbounds and the rules that lead to them. */
export function withoutVpn(template: JsonObject): JsonObject {
  const gone = vpnTags(template);
  return gone.reduce((next, tag) => {
    const index = itemsAt(next, OUTBOUNDS).findIndex((outbound) => outbound['tag'] === tag);
    return dropReferences(dropItem(next, OUTBOUNDS, index), tag);
  }, template);
}

export function vpnTags(template: JsonObject): string[] {
  return itemsAt(template, OUTBOUNDS)
    .map(({ tag }) => textAt(tag))
    .filter((tag) => tag.startsWith(VPN_PREFIX));
}

/** Keys are shown without padding; the provider expects standard base64. */
export function plainBase64(urlSafe: string): string {
  const text = urlSafe.replaceAll('-', '+').replaceAll('_', '/');
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}
