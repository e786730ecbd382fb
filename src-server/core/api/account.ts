import type { JsonObject } from '../config/source.ts';
import { CoreApiError } from './api-error.ts';
import type { TypedMessage } from './generated/common/serial/typed_message_pb.ts';
import { AccountSchema as HysteriaAccountSchema } from './generated/proxy/hysteria/account/config_pb.ts';
import { AccountSchema as ShadowsocksAccountSchema, CipherType } from './generated/proxy/shadowsocks/config_pb.ts';
import { AccountSchema as Shadowsocks2022AccountSchema } from './generated/proxy/shadowsocks_2022/config_pb.ts';
import { AccountSchema as TrojanAccountSchema } from './generated/proxy/trojan/config_pb.ts';
import { AccountSchema as VlessAccountSchema } from './generated/proxy/vless/account_pb.ts';
import { AccountSchema as VmessAccountSchema } from './generated/proxy/vmess/account_pb.ts';
import { PeerConfigSchema } from './generated/proxy/wireguard/config_pb.ts';
import { typed } from './typed-message.ts';

/** Which kind of users an inbound has. `none`: its users, if any, are part of its settings. */
export type UserKind =
  | 'vless'
  | 'vmess'
  | 'trojan'
  | 'shadowsocks'
  | 'shadowsocks2022'
  | 'hysteria'
  | 'wireguard'
  | 'none';

/** The running inbound's side of an account: everything but its users. */
export interface AccountFrame {
  protocol: string;
  settings: JsonObject;
}

const CIPHERS: Readonly<Record<string, CipherType>> = {
  'aes-128-gcm': CipherType.AES_128_GCM,
  aead_aes_128_gcm: CipherType.AES_128_GCM,
  'aes-256-gcm': CipherType.AES_256_GCM,
  aead_aes_256_gcm: CipherType.AES_256_GCM,
  'chacha20-poly1305': CipherType.CHACHA20_POLY1305,
  'chacha20-ietf-poly1305': CipherType.CHACHA20_POLY1305,
  aead_chacha20_poly1305: CipherType.CHACHA20_POLY1305,
  'xchacha20-poly1305': CipherType.XCHACHA20_POLY1305,
  'xchacha20-ietf-poly1305': CipherType.XCHACHA20_POLY1305,
  aead_xchacha20_poly1305: CipherType.XCHACHA20_POLY1305,
};

/** Bytes of a client key; ciphers missing here have no users. */
const KEY_BYTES_2022: Readonly<Record<string, number>> = {
  '2022-blake3-aes-128-gcm': 16,
  '2022-blake3-aes-256-gcm': 32,
};

/** Decides by protocol and method, never by the shape of an entry: a wrong account kind kills the whole core. */
export function userKind({ protocol, settings }: AccountFrame): UserKind {
  switch (protocol.toLowerCase()) {
    case 'vless':
    case 'vmess':
    case 'trojan':
    case 'hysteria':
    case 'wireguard':
      return protocol.toLowerCase() as UserKind;
    case 'shadowsocks': {
      const method = textOf(settings.method);
      if (method in KEY_BYTES_2022) return 'shadowsocks2022';
      return method.toLowerCase() in CIPHERS ? 'shadowsocks' : 'none';
    }
    default:
      return 'none';
  }
}

/**
 * The account message of one entry of the config's user list.
 * @throws {CoreApiError} `badAccount` for input that would crash the core, or that it accepts and then misbehaves
 */
export function accountOf(frame: AccountFrame, entry: JsonObject): TypedMessage {
  switch (userKind(frame)) {
    case 'vless':
      return vlessAccount(frame.settings, entry);
    case 'vmess':
      return typed(VmessAccountSchema, { id: required(entry, 'id') });
    case 'trojan':
      return typed(TrojanAccountSchema, { password: required(entry, 'password') });
    case 'shadowsocks': {
      const method = textOf(frame.settings.method).toLowerCase();
      return typed(ShadowsocksAccountSchema, {
        password: required(entry, 'password'),
        cipherType: CIPHERS[method] ?? CipherType.UNKNOWN,
      });
    }
    case 'shadowsocks2022':
      return typed(Shadowsocks2022AccountSchema, { key: key2022(textOf(frame.settings.method), entry) });
    case 'hysteria':
      return typed(HysteriaAccountSchema, { auth: required(entry, 'auth') });
    case 'wireguard':
      return wireguardPeer(entry);
    default:
      throw new CoreApiError('noUserManager', `${frame.protocol} inbounds keep no users`);
  }
}

function vlessAccount(settings: JsonObject, entry: JsonObject): TypedMessage {
  const tag = isObject(entry.reverse) ? textOf(entry.reverse.tag) : '';
  // The config loader fills in both defaults of the inbound; the API does not.
  const testseed = numbersOf(entry.testseed).length >= 4 ? entry.testseed : settings.testseed;
  return typed(VlessAccountSchema, {
    id: required(entry, 'id'),
    flow: textOf(entry.flow) || textOf(settings.flow),
    testseed: numbersOf(testseed),
    ...(tag === '' ? {} : { reverse: { tag } }),
  });
}

/** The core accepts a bad key and then freezes the inbound's user table, so it must not get there. */
function key2022(method: string, entry: JsonObject): string {
  const key = required(entry, 'password');
  const bytes = Buffer.from(key, 'base64');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(key) || bytes.length < (KEY_BYTES_2022[method] ?? Infinity)) {
    throw new CoreApiError('badAccount', `bad key of ${textOf(entry.email)} for ${method}`);
  }
  return key;
}

/** The API takes hex keys and the keep-alive as text, where the config has base64 and a number. */
function wireguardPeer(entry: JsonObject): TypedMessage {
  const psk = textOf(entry.preSharedKey);
  const keepAlive = typeof entry.keepAlive === 'number' ? entry.keepAlive : 0;
  const allowed = Array.isArray(entry.allowedIPs) ? entry.allowedIPs.map(textOf) : [];
  return typed(PeerConfigSchema, {
    publicKey: hexKey(required(entry, 'publicKey')),
    preSharedKey: psk === '' ? '' : hexKey(psk),
    keepAlive: keepAlive === 0 ? '' : String(keepAlive),
    allowedIps: allowed.length > 0 ? allowed : ['0.0.0.0/0', '::0/0'],
  });
}

function hexKey(key: string): string {
  if (/^[0-9a-f]{64}$/i.test(key)) return key.toLowerCase();
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length !== 32) throw new CoreApiError('badAccount', 'a WireGuard key must have 32 bytes');
  return bytes.toString('hex');
}

function required(entry: JsonObject, key: string): string {
  const value = textOf(entry[key]);
  if (value === '') throw new CoreApiError('badAccount', `${key} of ${textOf(entry.email)} is empty`);
  return value;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numbersOf(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((item): item is number => typeof item === 'number') : [];
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
