import { createHash } from 'node:crypto';
import type { ClientReality, Endpoint, LinkClient } from './types.ts';
import { objectOf, textOf } from './json-values.ts';

/** Path with which a client starts its REALITY camouflage: the same for one client, another for every other. */
export function spiderPath({ spiderX }: ClientReality, { subId, email }: LinkClient): string {
  const digest = createHash('sha256')
    .update(`${spiderX}|${subId || email}`)
    .digest('hex');
  return `/${digest.slice(0, 15)}`;
}

/** Ciphers that the core no longer takes from a client, and none, mean "choose". */
export function vmessCipher({ security }: LinkClient): string {
  return ['', 'none', 'zero'].includes(security) ? 'auto' : security;
}

function isEncrypted({ settings }: Endpoint): boolean {
  return [settings['encryption'], settings['decryption']].some((value) => !['', 'none'].includes(textOf(value)));
}

/** The client's flow where this endpoint can carry one; empty elsewhere. */
export function vlessFlow(endpoint: Endpoint, { flow }: LinkClient): string {
  const { network, security } = endpoint;
  if (endpoint.kind !== 'own' && security === 'none') return '';
  const isVision = network === 'tcp' && (security === 'tls' || security === 'reality');
  return isVision || (network === 'xhttp' && isEncrypted(endpoint)) ? flow : '';
}

/** The UUID, with a host's route number in its third group: the core masks those bytes before it looks the user up. */
export function vlessId({ host }: Endpoint, { uuid }: LinkClient): string {
  const route = host?.vlessRoute.trim() ?? '';
  if (!/^\d{1,5}$/.test(route) || Number(route) > 65_535) return uuid;
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid)) return uuid;
  return `${uuid.slice(0, 14)}${Number(route).toString(16).padStart(4, '0')}${uuid.slice(18)}`;
}

/** Password of a shadowsocks client: with a 2022 cipher the inbound's key comes first. */
export function shadowsocksKeys({ settings }: Endpoint, { password }: LinkClient): { method: string; keys: string[] } {
  const method = textOf(settings['method']);
  const shared = textOf(settings['password']);
  return { method, keys: method.startsWith('2022') ? [shared, password] : [password] };
}

/** Version of a Hysteria inbound; 2 unless it says otherwise. */
export function hysteriaVersion({ protocol, settings, stream }: Endpoint): number {
  const stored = settings['version'] ?? objectOf(stream['hysteriaSettings'])['version'];
  return protocol === 'hysteria' && stored === 1 ? 1 : 2;
}
