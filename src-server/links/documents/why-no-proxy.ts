import { credentialKeyBytes } from '../../core/config/inbound/inbound-rules.ts';
import { standardBase64Bytes } from '../../core/config/encoded-keys.ts';
import { isSingleUser, shadowsocksCipher } from '../credentials.ts';
import { isEncryption } from '../../core/config/protocols/vless-encryption.ts';
import { asObject, asText, pinHex } from '../encoding.ts';
import { tcpHeaderType } from '../transport-params.ts';
import type { Endpoint } from '../types.ts';
import { REALITY_VERSION, refusesOtherEngines } from '../other-engines.ts';
import { whyNoMask } from './why-no-mask.ts';

const PROTOCOLS = ['vmess', 'vless', 'trojan', 'shadowsocks', 'hysteria', 'hysteria2'];
const XHTTP_MODES = ['', 'auto', 'packet-up', 'stream-up', 'stream-one'];
const NETWORKS = ['tcp', 'ws', 'grpc', 'httpupgrade'];
/** Besides those of 2022. Links of others may name ciphers that the core does not have. */
const CIPHERS = [
  'aes-128-gcm',
  'aes-192-gcm',
  'aes-256-gcm',
  'chacha20-ietf-poly1305',
  'xchacha20-ietf-poly1305',
  'aes-128-ctr',
  'aes-192-ctr',
  'aes-256-ctr',
  'aes-128-cfb',
  'aes-192-cfb',
  'aes-256-cfb',
  'chacha20-ietf',
  'xchacha20',
  'none',
];
const CHECKS = [
  whyNoProtocol,
  whyNoTransport,
  whyNoMask,
  whyNoShadowsocks,
  whyNoEncryption,
  whyNoTrojan,
  whyNoReality,
  whyNoTls,
];

/**
 * Why apps that read YAML could not use an endpoint; null = they can. They refuse the whole file for one value that is
 * not valid, and silently use another transport or security where they lack one.
 */
export function whyNoProxy(endpoint: Endpoint): string | null {
  if (endpoint.flaw !== '') return endpoint.flaw;
  for (const check of CHECKS) {
    const reason = check(endpoint);
    if (reason !== null) return reason;
  }
  return null;
}

function whyNoProtocol({ protocol }: Endpoint): string | null {
  return PROTOCOLS.includes(protocol) ? null : `The format knows no ${protocol}`;
}

function whyNoTransport(endpoint: Endpoint): string | null {
  const { protocol, network, stream } = endpoint;
  if (network === 'hysteria') return null;
  if (network === 'xhttp' && protocol === 'vless') return whyNoMode(endpoint);
  if (!NETWORKS.includes(network)) return `The format has no ${network} for ${protocol}`;
  const hasHeader = network === 'tcp' && !['', 'none'].includes(tcpHeaderType(stream));
  return hasHeader ? 'The format has no header of TCP' : null;
}

function whyNoMode({ stream, tls }: Endpoint): string | null {
  const mode = asText(asObject(stream['xhttpSettings'])['mode']);
  if (!XHTTP_MODES.includes(mode)) return `The format has no mode ${mode} of XHTTP`;
  const isHttp1 = tls?.alpn.length === 1 && tls.alpn[0] === 'http/1.1';
  return mode === 'stream-one' && isHttp1 ? 'The format has no stream-one of XHTTP over HTTP/1.1' : null;
}

function whyNoShadowsocks({ protocol, network, security, settings }: Endpoint): string | null {
  if (protocol !== 'shadowsocks') return null;
  if (network !== 'tcp' || security === 'tls' || security === 'reality')
    return 'The format carries Shadowsocks over plain TCP only';
  const cipher = shadowsocksCipher(settings);
  if (cipher === '') return 'The inbound names no cipher';
  const bytes = credentialKeyBytes({ method: cipher });
  if (bytes === null) return CIPHERS.includes(cipher) ? null : `The format has no cipher ${cipher}`;
  const keys = asText(settings['password']).split(':');
  if (isSingleUser(cipher) && keys.length > 1) return `The cipher ${cipher} has no second key`;
  const areValid = keys.every((key) => standardBase64Bytes(key) === bytes);
  return areValid ? null : `The cipher ${cipher} needs keys of ${bytes} bytes`;
}

function whyNoEncryption({ protocol, settings }: Endpoint): string | null {
  const encryption = asText(settings['encryption']);
  if (protocol !== 'vless' || encryption === '' || encryption === 'none' || isEncryption(encryption)) return null;
  return 'The encryption of VLESS is not valid';
}

function whyNoTrojan({ protocol, tls, reality }: Endpoint): string | null {
  return protocol === 'trojan' && tls === null && reality === null ? 'The format has Trojan only over TLS' : null;
}

function whyNoReality({ reality }: Endpoint): string | null {
  if (reality === null) return null;
  if (!/^[\w-]{43}$/.test(reality.publicKey)) return 'The public key of REALITY is not valid';
  if (!/^([0-9a-f]{2}){0,8}$/i.test(reality.shortId)) return 'The short id of REALITY is not valid';
  const { minClientVer } = reality;
  // Empty is the core's default, and depends on the core: operators are told where they set it.
  return minClientVer !== '' && refusesOtherEngines(minClientVer)
    ? `REALITY here refuses apps below ${minClientVer}, and those that read YAML count as ${REALITY_VERSION}`
    : null;
}

/** Apps get the first pin only. */
function whyNoTls({ tls }: Endpoint): string | null {
  const [pin] = tls?.pins ?? [];
  if (pin !== undefined && !/^[0-9a-f]{64}$/.test(pinHex(pin))) return 'The pinned certificate is not a SHA-256';
  const list = tls?.echConfigList ?? '';
  return list.includes('://') || standardBase64Bytes(list) !== null ? null : 'The ECH list is not valid';
}
