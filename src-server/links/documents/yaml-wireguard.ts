import { isIP } from 'node:net';
import type { JsonObject } from '../../contract/json.ts';
import { asList, asObject, asText, asTexts } from '../encoding.ts';
import type { LeftOutReason } from '../types.ts';

/** A proxy for the settings of a WireGuard outbound, its name not yet unique, or why there is none. */
export function wireguardProxy(settings: JsonObject, name: string): JsonObject | LeftOutReason {
  const peer = asObject(asList(settings['peers'])[0]);
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(asText(peer['endpoint'])) ?? [];
  const server = host.replaceAll(/^\[|\]$/g, '');
  if (server === '' || Number(port) === 0) return { reason: 'The link has no address and port' };
  const addresses = asTexts(settings['address']).map((address) => address.replace(/\/.*$/, ''));
  const ip = addresses.find((address) => isIP(address) === 4);
  const ipv6 = addresses.find((address) => isIP(address) === 6);
  if (ip === undefined && ipv6 === undefined) return { reason: 'The link has no address of the client' };
  const keys = keysOf(settings, peer);
  if (Object.values(keys).includes('')) return { reason: 'A key of WireGuard is not valid' };
  return {
    name,
    type: 'wireguard',
    server,
    port: Number(port),
    udp: true,
    ...keys,
    ...(ip !== undefined && { ip }),
    ...(ipv6 !== undefined && { ipv6 }),
    ...more(settings, peer),
  };
}

/** In the one spelling that apps read; empty = none at all. */
function keysOf(settings: JsonObject, peer: JsonObject): JsonObject {
  const preSharedKey = asText(peer['preSharedKey']);
  return {
    'private-key': standardBase64(asText(settings['secretKey'])),
    'public-key': standardBase64(asText(peer['publicKey'])),
    ...(preSharedKey !== '' && { 'pre-shared-key': standardBase64(preSharedKey) }),
  };
}

function standardBase64(key: string): string {
  return /^[\w+/-]+={0,2}$/.test(key) ? Buffer.from(key, 'base64').toString('base64') : '';
}

function more({ mtu, reserved }: JsonObject, { keepAlive }: JsonObject): JsonObject {
  const bytes = asList(reserved).map(Number);
  const areBytes = bytes.length === 3 && bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
  return {
    ...(areBytes && { reserved: bytes }),
    ...(Number.isInteger(mtu) && { mtu: mtu! }),
    ...(Number.isInteger(keepAlive) && { 'persistent-keepalive': keepAlive! }),
  };
}
