import type { Json, JsonObject } from '../../contract/json.ts';
import { isJsonObject, listOf, objectOf, textOf } from '../../core/config/json-access.ts';
import { missing } from './tunnel.ts';

/** Values of a registered device for its WireGuard outbound. */
export interface TunnelDevice {
  secretKey: string;
  /** With their prefix lengths. */
  address: string[];
  reserved: number[];
  publicKey: string;
  endpoint: string;
}

/** Tags that the editor gives the outbound. */
const TAGS = ['warp', 'tunnel'];

/** @param registration response of the provider @throws {DomainError} `providers.refused` for an incomplete response */
export function deviceIn(registration: JsonObject, privateKey: string): TunnelDevice {
  const config = objectOf(registration['config']);
  const { v4, v6 } = objectOf(objectOf(config['interface'])['addresses']);
  const address = [`${textOf(v4)}/32`, `${textOf(v6)}/128`].filter((place) => !place.startsWith('/'));
  if (address.length === 0) throw missing('config.interface.addresses');
  const peer = objectOf(listOf(config['peers'])[0]);
  const publicKey = textOf(peer['public_key']);
  const endpoint = textOf(objectOf(peer['endpoint'])['host']);
  if (publicKey === '' || endpoint === '') throw missing('config.peers');
  const reserved = [...Buffer.from(textOf(config['client_id']), 'base64')];
  return { secretKey: privateKey, address, reserved, publicKey, endpoint };
}

/** The template with the device in its tunnel outbound and nothing else changed; the same object when it has none. */
export function withDevice(template: JsonObject, device: TunnelDevice): JsonObject {
  if (!listOf(template['outbounds']).some(isTunnel)) return template;
  const outbounds = listOf(template['outbounds']).map((outbound) =>
    isTunnel(outbound) ? { ...outbound, settings: settingsWith(objectOf(outbound['settings']), device) } : outbound,
  );
  return { ...template, outbounds };
}

function isTunnel(outbound: Json): outbound is JsonObject {
  if (!isJsonObject(outbound) || !TAGS.includes(textOf(outbound['tag']))) return false;
  return textOf(outbound['protocol']).toLowerCase() === 'wireguard';
}

function settingsWith(settings: JsonObject, device: TunnelDevice): JsonObject {
  const { secretKey, address, reserved, publicKey, endpoint } = device;
  const [first, ...others] = listOf(settings['peers']);
  const peers = [{ ...objectOf(first), publicKey, endpoint }, ...others];
  return { ...settings, secretKey, address, ...(reserved.length === 0 ? {} : { reserved }), peers };
}
