import type { JsonObject } from '../contract/json.ts';
import type { Endpoint, LinkClient } from './types.ts';
import { asText } from './encoding.ts';

const CIPHERS = ['aes-128-gcm', 'chacha20-poly1305'];
const FLOWS = ['xtls-rprx-vision', 'xtls-rprx-vision-udp443'];

/** Cipher as apps take it: unencrypted or unknown ciphers are left to the app's own choice. */
export function vmessCipher(security: string): string {
  return CIPHERS.includes(security) ? security : 'auto';
}

/** What a client lacks to connect at all; apps refuse a whole document for it. null = nothing. */
export function missingCredential(protocol: string, { uuid, password, auth }: LinkClient): string | null {
  switch (protocol) {
    case 'vmess':
    case 'vless':
      return uuid === '' ? 'The client has no id' : null;
    case 'trojan':
    case 'shadowsocks':
      return password === '' ? 'The client has no password' : null;
    default:
      return auth === '' ? 'The client has no authentication text' : null;
  }
}

/** The flow of a client at an endpoint; empty where it cannot work, since apps and the core refuse one there. */
export function flowAt(endpoint: Endpoint, client: LinkClient): string {
  return endpoint.takesFlow && FLOWS.includes(client.flow) ? client.flow : '';
}

/** Hysteria version 1, which no current core speaks. */
export function isHysteria1({ protocol, settings }: Endpoint): boolean {
  return protocol === 'hysteria' && Number(settings['version']) === 1;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Id at an endpoint: a host's route is its third group, which the core masks before it authenticates. */
export function vlessId({ host }: Endpoint, uuid: string): string {
  const route = host?.vlessRoute.trim() ?? '';
  if (!/^\d{1,5}$/.test(route) || Number(route) > 65_535 || !UUID.test(uuid)) return uuid;
  return uuid.slice(0, 14) + Number(route).toString(16).padStart(4, '0') + uuid.slice(18);
}

/** Names that only the core knows, and the names that apps know. */
const CIPHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['aead_aes_128_gcm', 'aes-128-gcm'],
  ['aead_aes_256_gcm', 'aes-256-gcm'],
  ['chacha20-poly1305', 'chacha20-ietf-poly1305'],
  ['aead_chacha20_poly1305', 'chacha20-ietf-poly1305'],
  ['xchacha20-poly1305', 'xchacha20-ietf-poly1305'],
  ['aead_xchacha20_poly1305', 'xchacha20-ietf-poly1305'],
]);

/** Standard name of a Shadowsocks cipher. */
export function shadowsocksCipher({ method }: JsonObject): string {
  const cipher = asText(method).toLowerCase();
  return CIPHER_NAMES.get(cipher) ?? cipher;
}

/** Whether the cipher has no keys of clients, so that every client uses the server's. */
export function isSingleUser(cipher: string): boolean {
  return cipher === '2022-blake3-chacha20-poly1305';
}

/** Passwords of a Shadowsocks client, in order; with 2022 ciphers the server's is the first. */
export function shadowsocksKeys({ settings }: Endpoint, client: LinkClient): string[] {
  const cipher = shadowsocksCipher(settings);
  if (!cipher.startsWith('2022')) return [client.password];
  const server = asText(settings['password']);
  return isSingleUser(cipher) ? [server] : [server, client.password];
}
