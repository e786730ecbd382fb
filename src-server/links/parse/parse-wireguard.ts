import type { ParsedOutbound } from './parsed-outbound.ts';
import { decoded, type LinkParts } from './parsed-url.ts';
import { list, type Given } from './stream.ts';
import { hostAndPort } from '../../contract/host-and-port.ts';

const EVERYWHERE = ['0.0.0.0/0', '::/0'];
/** Any private address will do where a link names none. */
const OWN_ADDRESS = ['10.0.0.2/32'];

/** Outbound of a WireGuard link. The key is decoded once: a second time would turn its `+` into a space. */
export function parseWireguard({ userInfo, host, port, name }: LinkParts, given: Given): ParsedOutbound {
  const first = (...names: string[]): string => names.map(given).find((value) => value !== '') ?? '';
  const number = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null);
  const listOr = (text: string, fallback: string[]): string[] => (list(text).length > 0 ? list(text) : fallback);
  const preSharedKey = first('presharedkey', 'preshared_key', 'pre-shared-key', 'psk');
  const keepAlive = number(first('keepalive', 'persistentkeepalive', 'persistent_keepalive'));
  const mtu = number(given('mtu'));
  const reserved = list(given('reserved')).map(number);
  return {
    protocol: 'wireguard',
    tag: name,
    settings: {
      secretKey: decoded(userInfo),
      address: listOr(first('address', 'ip'), OWN_ADDRESS),
      peers: [
        {
          publicKey: first('publickey', 'publicKey', 'public_key', 'peerPublicKey'),
          endpoint: hostAndPort(host, port),
          allowedIPs: listOr(first('allowedips', 'allowed_ips'), EVERYWHERE),
          ...(preSharedKey === '' ? {} : { preSharedKey }),
          ...(keepAlive === null ? {} : { keepAlive }),
        },
      ],
      ...(mtu === null ? {} : { mtu }),
      ...(reserved.length > 0 && !reserved.includes(null) ? { reserved } : {}),
    },
  };
}
