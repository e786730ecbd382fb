import type { JsonObject } from '../../contract/json.ts';
import { flowAt, isHysteria1, shadowsocksCipher, shadowsocksKeys, vlessId, vmessCipher } from '../credentials.ts';
import { asText, pinHex } from '../encoding.ts';
import { hopPortRanges, salamanderPassword } from '../final-mask.ts';
import type { Endpoint, LinkClient, TlsModel } from '../types.ts';
import { yamlTransport } from './yaml-transports.ts';

const TYPES: Readonly<Record<string, string>> = { vmess: 'vmess', vless: 'vless', trojan: 'trojan', shadowsocks: 'ss' };
const FINGERPRINTS = ['chrome', 'firefox', 'safari', 'ios', 'android', 'edge', '360', 'qq', 'random', 'randomized'];

/** A client's proxy at an endpoint; its name is not yet unique. */
export function yamlProxy(endpoint: Endpoint, client: LinkClient, name: string): JsonObject {
  const { protocol, address: server, port, host } = endpoint;
  const isHysteria = protocol.startsWith('hysteria');
  const type = isHysteria ? hysteriaType(endpoint) : TYPES[protocol]!;
  const proxy: JsonObject = {
    name,
    type,
    server,
    port,
    udp: true,
    ...(isHysteria ? hysteriaPart(endpoint, client) : { ...credentials(endpoint, client), ...yamlTransport(endpoint) }),
    ...(!isHysteria && protocol !== 'shadowsocks' && securityPart(endpoint)),
    ...(host !== null && { 'ip-version': host.yamlIpVersion }),
  };
  return withoutEmpty(proxy);
}

function withoutEmpty(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== ''));
}

function hysteriaType(endpoint: Endpoint): string {
  return isHysteria1(endpoint) ? 'hysteria' : 'hysteria2';
}

function hysteriaPart(endpoint: Endpoint, { auth }: LinkClient): JsonObject {
  const { tls, finalMask, allowInsecure } = endpoint;
  const isFirst = hysteriaType(endpoint) === 'hysteria';
  const obfs = salamanderPassword(finalMask);
  return {
    ...(isFirst ? { 'auth-str': auth, up: '100 Mbps', down: '100 Mbps' } : { password: auth }),
    sni: tls?.serverName ?? '',
    ...(tls !== null && tls.alpn.length > 0 && { alpn: [...tls.alpn] }),
    ...verification(tls, allowInsecure),
    ...(obfs !== '' && { obfs: 'salamander', 'obfs-password': obfs }),
    ports: hopPortRanges(endpoint).join(','),
  };
}

function credentials(endpoint: Endpoint, client: LinkClient): JsonObject {
  const { protocol, settings } = endpoint;
  if (protocol === 'vmess') return { uuid: client.uuid, alterId: 0, cipher: vmessCipher(client.security) };
  if (protocol === 'trojan') return { password: client.password };
  if (protocol === 'shadowsocks')
    return { cipher: shadowsocksCipher(settings), password: shadowsocksKeys(endpoint, client).join(':') };
  const encryption = asText(settings['encryption']);
  return {
    uuid: vlessId(endpoint, client.uuid),
    encryption: encryption === 'none' ? '' : encryption,
    flow: flowAt(endpoint, client),
  };
}

function securityPart({ tls, reality, protocol, allowInsecure, host }: Endpoint): JsonObject {
  const named = (name: string) => ({ servername: name, sni: protocol === 'trojan' ? name : '' });
  if (reality !== null)
    return {
      tls: true,
      ...named(reality.serverName),
      // Apps refuse to connect without one.
      'client-fingerprint': clientFingerprint(reality.fingerprint) || 'chrome',
      'reality-opts': {
        ...withoutEmpty({ 'public-key': reality.publicKey, 'short-id': reality.shortId }),
        ...(host?.yamlX25519 === true && { 'support-x25519mlkem768': true }),
      },
    };
  if (tls === null) return { tls: false };
  return {
    tls: true,
    ...named(tls.serverName ?? ''),
    'client-fingerprint': clientFingerprint(tls.fingerprint ?? ''),
    ...(tls.alpn.length > 0 && { alpn: [...tls.alpn] }),
    ...verification(tls, allowInsecure),
  };
}

/** How an app checks the server's certificate, and hides its name. */
function verification(tls: TlsModel | null, allowInsecure: boolean): JsonObject {
  const [name = ''] = (tls?.verifyPeerCertByName ?? '').split(',');
  return {
    ...(allowInsecure && { 'skip-cert-verify': true }),
    fingerprint: pinHex(tls?.pins[0] ?? ''),
    'name-cert-verify': name.trim(),
    ...echOptions(tls?.echConfigList ?? ''),
  };
}

/** The list itself, or where to ask for it: apps have their own DNS servers, so only the name counts. */
function echOptions(list: string): JsonObject {
  if (list === '') return {};
  if (!list.includes('://')) return { 'ech-opts': { enable: true, config: list } };
  const plus = list.indexOf('+');
  return { 'ech-opts': withoutEmpty({ enable: true, 'query-server-name': list.slice(0, Math.max(plus, 0)) }) };
}

/** The core knows more fingerprints than apps do; empty = one that no app has. */
function clientFingerprint(stored: string): string {
  const name = stored.toLowerCase();
  if (FINGERPRINTS.includes(name)) return name;
  if (name === 'randomizednoalpn') return 'randomized';
  return FINGERPRINTS.find((known) => name.startsWith(`hello${known}`)) ?? '';
}
