import type { Json, JsonObject } from '../../contract/json.ts';
import { transportOf } from '../../core/config/transports/transports.ts';
import { pinHex } from '../encoding.ts';
import { parseMasks } from './quic-params.ts';

/** Parameters of a link by name; empty = not given. */
export type Given = (name: string) => string;

const XHTTP_TEXTS = [
  'xPaddingBytes',
  'scMaxEachPostBytes',
  'scMinPostsIntervalMs',
  'scMaxBufferedPosts',
  'scStreamUpServerSecs',
  'uplinkChunkSize',
  'uplinkHTTPMethod',
  'uplinkDataPlacement',
  'uplinkDataKey',
  'sessionPlacement',
  'sessionKey',
  'sessionIDPlacement',
  'sessionIDKey',
  'sessionIDTable',
  'sessionIDLength',
  'seqPlacement',
  'seqKey',
  'xPaddingKey',
  'xPaddingHeader',
  'xPaddingPlacement',
  'xPaddingMethod',
];
const XHTTP_FLAGS = ['noGRPCHeader', 'noSSEHeader', 'xPaddingObfsMode'];

const KNOWN = ['tcp', 'kcp', 'ws', 'grpc', 'httpupgrade', 'xhttp'];

/** The panel's name of a transport, which links may call as the core does (`raw`, `splithttp`); unknown ones are tcp. */
export function networkIn(network: string): string {
  const name = transportOf({ network })?.name ?? '';
  return KNOWN.includes(name) ? name : 'tcp';
}

/** `streamSettings` of a link with the transport and security it names. */
export function streamOf(network: string, security: string, given: Given): JsonObject {
  const known = networkIn(network);
  const masks = parseMasks(given('fm'));
  return {
    network: known,
    security: security === 'tls' || security === 'reality' ? security : 'none',
    [`${known}Settings`]: transport(known, network, given),
    ...(security === 'tls' ? { tlsSettings: tlsOf(given) } : {}),
    ...(security === 'reality' ? { realitySettings: realityOf(given) } : {}),
    ...(masks === null ? {} : { finalmask: masks }),
  };
}

export function tlsOf(given: Given, alpn: readonly string[] = []): JsonObject {
  const named = list(given('alpn'));
  return {
    serverName: given('sni'),
    alpn: named.length > 0 ? named : [...alpn],
    fingerprint: given('fp'),
    echConfigList: given('ech'),
    verifyPeerCertByName: given('vcn'),
    pinnedPeerCertSha256: hexPins(given('pcs')),
  };
}

/** Pins as the core reads them; links may have them in base64. */
export const hexPins = (text: string): string => list(text).map(pinHex).join(',');

const realityOf = (given: Given): JsonObject => ({
  publicKey: given('pbk'),
  fingerprint: given('fp') || 'chrome',
  serverName: given('sni'),
  shortId: given('sid'),
  spiderX: given('spx'),
  mldsa65Verify: given('pqv'),
});

function transport(known: string, named: string, given: Given): JsonObject {
  switch (known) {
    case 'kcp':
      return {
        mtu: count(given('mtu')) ?? 1350,
        tti: count(given('tti')) ?? 20,
        uplinkCapacity: 5,
        downlinkCapacity: 20,
        cwndMultiplier: 1,
        maxSendingWindow: 2_097_152,
      };
    case 'ws':
      return { path: given('path') || '/', host: given('host'), headers: {}, heartbeatPeriod: 0 };
    case 'httpupgrade':
      return { path: given('path') || '/', host: given('host'), headers: {} };
    case 'grpc':
      return {
        serviceName: given('serviceName') || given('path'),
        authority: given('authority'),
        multiMode: given('mode') === 'multi',
      };
    case 'xhttp':
      return xhttp(given);
    default:
      return { header: given('headerType') === 'http' || named === 'http' ? httpHeader(given) : { type: 'none' } };
  }
}

function count(text: string): number | null {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : null;
}

function httpHeader(given: Given): JsonObject {
  const paths = list(given('path'));
  const hosts = list(given('host'));
  return {
    type: 'http',
    request: {
      version: '1.1',
      method: 'GET',
      path: paths.length > 0 ? paths : ['/'],
      headers: hosts.length > 0 ? { Host: hosts } : {},
    },
  };
}

/** Later sources win: the flat alias, then `extra`, then parameters under the core's own names. */
function xhttp(given: Given): JsonObject {
  const settings: JsonObject = {
    path: given('path') || '/',
    host: given('host'),
    mode: given('mode') || 'auto',
    headers: {},
    xPaddingBytes: given('x_padding_bytes') || '100-1000',
  };
  Object.assign(settings, safeObject(given('extra')));
  for (const key of XHTTP_TEXTS) if (given(key) !== '') settings[key] = given(key);
  for (const key of XHTTP_FLAGS) if (given(key) !== '') settings[key] = given(key) === 'true' || given(key) === '1';
  const { sessionPlacement, sessionKey, ...rest } = settings;
  return {
    ...rest,
    ...(rest['sessionIDPlacement'] === undefined && sessionPlacement !== undefined
      ? { sessionIDPlacement: sessionPlacement }
      : {}),
    ...(rest['sessionIDKey'] === undefined && sessionKey !== undefined ? { sessionIDKey: sessionKey } : {}),
  };
}

/**
 * The object in a JSON text; empty when there is none. A member named `__proto__` stays a member that is never read.
 */
function safeObject(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as Json;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== '__proto__'));
  } catch {
    return {};
  }
}

export const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
