import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { Json, JsonObject } from '../../../contract/json.ts';
import { wireguardKeyHex } from '../../../core/config/encoded-keys.ts';
import type { LinkInbound } from '../../../links/types.ts';
import { bracketed } from '../../../contract/host-and-port.ts';

/** PKCS #8 prefix of the 32 bytes of a private X25519 key. */
const PKCS8_START = Buffer.from('302e020100300506032b656e04220420', 'hex');
const EVERYWHERE = '0.0.0.0/0, ::/0';

/** A peer created by the panel, in the form apps use. */
interface WireguardPeer {
  name: string;
  link: string;
  /** Config file of the WireGuard app. */
  config: string;
}

/** Peers of a WireGuard inbound whose private keys the panel stores; other peers keep theirs on their own devices. */
export function wireguardPeers({ settings, port }: LinkInbound, address: string): WireguardPeer[] {
  const serverKey = publicKeyOf(textOf(settings['secretKey']));
  const peers = Array.isArray(settings['peers']) ? settings['peers'] : [];
  if (serverKey === null) return [];
  return peers.flatMap((peer, at) => {
    const entry = Object(peer) as JsonObject;
    if (wireguardKeyHex(textOf(entry['privateKey'])) === null) return [];
    const name = textOf(entry['comment']) || textOf(entry['email']) || `peer-${at + 1}`;
    const place = `${bracketed(address)}:${port}`;
    return [{ name, ...written(entry, settings, { name, serverKey, place }) }];
  });
}

interface Far {
  name: string;
  serverKey: string;
  /** Address with port. */
  place: string;
}

function written(peer: JsonObject, settings: JsonObject, { name, serverKey, place }: Far) {
  const privateKey = textOf(peer['privateKey']);
  const addresses = Array.isArray(peer['allowedIPs']) ? peer['allowedIPs'].map(textOf).join(', ') : '';
  const [mtu, keepAlive] = [numberOf(settings['mtu']), numberOf(peer['keepAlive'])];
  const shared = textOf(peer['preSharedKey']);
  const config = [
    '[Interface]',
    line('PrivateKey', privateKey),
    line('Address', addresses),
    line('DNS', textOf(settings['dns'])),
    line('MTU', mtu),
    '',
    '[Peer]',
    line('PublicKey', serverKey),
    line('PresharedKey', shared),
    line('AllowedIPs', EVERYWHERE),
    line('Endpoint', place),
    line('PersistentKeepalive', keepAlive),
  ];
  const query = new URLSearchParams({
    publickey: serverKey,
    address: addresses.replaceAll(' ', ''),
    ...(shared === '' ? {} : { presharedkey: shared }),
    ...(keepAlive === '' ? {} : { keepalive: keepAlive }),
    ...(mtu === '' ? {} : { mtu }),
  });
  return {
    link: `wireguard://${encodeURIComponent(privateKey)}@${place}?${query.toString()}#${encodeURIComponent(name.toWellFormed())}`,
    config: `${config.filter((text) => text !== null).join('\n')}\n`,
  };
}

/** One line of the file, whatever the value contains; null = there is no value. */
function line(name: string, value: string): string | null {
  return value === '' ? null : `${name} = ${value.replaceAll(/\p{Cc}+/gu, ' ')}`;
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value.trim() : '');
const numberOf = (value: Json | undefined): string => (typeof value === 'number' && value > 0 ? String(value) : '');

/** In standard base64; null = not a key. */
function publicKeyOf(privateKey: string): string | null {
  const hex = wireguardKeyHex(privateKey);
  if (hex === null) return null;
  const key = Buffer.concat([PKCS8_START, Buffer.from(hex, 'hex')]);
  const { x = '' } = createPublicKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' })).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}
