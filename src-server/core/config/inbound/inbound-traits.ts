import type { JsonObject } from '../source.ts';
import { objectOf, textListOf, textOf } from '../json-access.ts';
import { securityOf } from './stream-settings.ts';
import { transportOf } from '../transports/transports.ts';

export { transportsOf } from '../../../contract/inbound-transports.ts';

const HYSTERIA = ['hysteria', 'hysteria2'];
const CREDENTIALS: ReadonlyMap<string, 'id' | 'password' | 'auth'> = new Map([
  ['vless', 'id'],
  ['vmess', 'id'],
  ['trojan', 'password'],
  ['shadowsocks', 'password'],
  ['hysteria', 'auth'],
  ['hysteria2', 'auth'],
]);
/** Bytes of a key by 2022 cipher; the inbound's own key and every client's have this length. */
const KEY_BYTES: ReadonlyMap<string, 16 | 32> = new Map([
  ['2022-blake3-aes-128-gcm', 16],
  ['2022-blake3-aes-256-gcm', 32],
  ['2022-blake3-chacha20-poly1305', 32],
]);

/** Whether clients are attached to inbounds of this protocol; wireguard has peers of its own, http and mixed accounts. */
export function supportsClients(protocol: string): boolean {
  return CREDENTIALS.has(protocol);
}

/** Which of the client's credentials the inbound uses; null when it has no clients. */
export function clientFieldOf(protocol: string, _settings: JsonObject = {}): 'id' | 'password' | 'auth' | null {
  return CREDENTIALS.get(protocol) ?? null;
}

/** Length of every key of a 2022 shadowsocks inbound; null for other ciphers, whose passwords are free text. */
export function credentialKeyBytes(settings: JsonObject): 16 | 32 | null {
  return KEY_BYTES.get(textOf(settings['method'])) ?? null;
}

/** Whether the server decrypts: `decryption` is its half, `encryption` the clients'. */
export function hasVlessEncryption(settings: JsonObject): boolean {
  const decryption = textOf(settings['decryption']);
  return decryption !== '' && decryption !== 'none';
}

/** Whether a vision flow works: raw TCP with TLS or REALITY, or any transport under vless encryption. */
export function isFlowCapable(protocol: string, settings: JsonObject, streamSettings: JsonObject | null): boolean {
  if (protocol !== 'vless') return false;
  if (hasVlessEncryption(settings)) return true;
  return isSecuredTcp(streamSettings);
}

/** The flow that takes effect for a client: the requested one where it can work, none elsewhere. */
export function gatedFlow(
  flow: string,
  inbound: { protocol: string; settings: JsonObject; streamSettings: JsonObject | null },
): string {
  return isFlowCapable(inbound.protocol, inbound.settings, inbound.streamSettings) ? flow : '';
}

/** Whether fallback rows take effect: vless without encryption, or trojan, on raw TCP with TLS or REALITY. */
export function canHostFallbacks(protocol: string, settings: JsonObject, streamSettings: JsonObject | null): boolean {
  if (protocol !== 'trojan' && (protocol !== 'vless' || hasVlessEncryption(settings))) return false;
  return isSecuredTcp(streamSettings);
}

function isSecuredTcp(stream: JsonObject | null): boolean {
  return transportOf(stream)?.name === 'tcp' && ['tls', 'reality'].includes(securityOf(stream));
}

/** Whether clients speak QUIC to it: unless told of an end, they wait for their own time limit. */
export function speaksQuic(protocol: string, streamSettings: JsonObject | null): boolean {
  if (HYSTERIA.includes(protocol)) return true;
  const alpn = textListOf(objectOf(streamSettings?.['tlsSettings'])['alpn']);
  return transportOf(streamSettings)?.name === 'xhttp' && alpn.length === 1 && alpn[0] === 'h3';
}
