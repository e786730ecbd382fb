import type { JsonSchema } from '../../../ui/json/json-editor-schema.ts';
import { PROTOCOLS, SECURITIES, TRANSPORTS } from '#wire/protocol-catalogue';
import { MEMBERS } from '../model/protocol-members.ts';
import { FINGERPRINTS } from './security/fingerprints.ts';

const any: JsonSchema = {};
const flag: JsonSchema = { enum: [true, false] };
const keysOf = (...names: readonly string[]): Record<string, JsonSchema> =>
  Object.fromEntries(names.map((name) => [name, any]));
const flagsOf = (...names: readonly string[]): Record<string, JsonSchema> =>
  Object.fromEntries(names.map((name) => [name, flag]));
const object = (...properties: Record<string, JsonSchema>[]): JsonSchema => ({
  properties: Object.assign({}, ...properties) as Record<string, JsonSchema>,
});
const VERSIONS: JsonSchema = { enum: ['1.0', '1.1', '1.2', '1.3'] };
const LIMIT = object(keysOf('afterBytes', 'bytesPerSec', 'burstBytesPerSec'));

const STREAM = object(
  {
    network: { enum: TRANSPORTS },
    security: { enum: SECURITIES },
    tcpSettings: object(flagsOf('acceptProxyProtocol'), { header: object(keysOf('type', 'request', 'response')) }),
    kcpSettings: object(
      keysOf('mtu', 'tti', 'uplinkCapacity', 'downlinkCapacity', 'cwndMultiplier', 'maxSendingWindow'),
    ),
    wsSettings: object(keysOf('path', 'host', 'headers', 'heartbeatPeriod'), flagsOf('acceptProxyProtocol')),
    grpcSettings: object(keysOf('serviceName', 'authority'), flagsOf('multiMode')),
    httpupgradeSettings: object(keysOf('path', 'host', 'headers'), flagsOf('acceptProxyProtocol')),
    xhttpSettings: object(
      keysOf('path', 'host', 'headers', 'xPaddingBytes', 'extra'),
      { mode: { enum: ['auto', 'packet-up', 'stream-up', 'stream-one'] } },
      flagsOf('xPaddingObfsMode', 'noSSEHeader'),
    ),
    hysteriaSettings: object(keysOf('version', 'udpIdleTimeout', 'masquerade')),
    tlsSettings: object(
      keysOf('serverName', 'alpn', 'certificates', 'cipherSuites', 'curvePreferences', 'masterKeyLog'),
      keysOf('echServerKeys', 'echSockopt', 'verifyPeerCertByName'),
      flagsOf('rejectUnknownSni', 'enableSessionResumption', 'disableSystemRoot'),
      { minVersion: VERSIONS, maxVersion: VERSIONS, settings: clientSide('echConfigList', 'pinnedPeerCertSha256') },
    ),
    realitySettings: object(
      keysOf('target', 'serverNames', 'privateKey', 'shortIds', 'minClientVer', 'maxClientVer', 'maxTimediff'),
      keysOf('mldsa65Seed', 'masterKeyLog'),
      { xver: { enum: [0, 1, 2] }, limitFallbackUpload: LIMIT, limitFallbackDownload: LIMIT },
      flagsOf('show'),
      { settings: clientSide('publicKey', 'spiderX', 'mldsa65Verify') },
    ),
    sockopt: object(
      flagsOf('acceptProxyProtocol', 'tcpFastOpen', 'tcpMptcp', 'V6Only'),
      keysOf('mark', 'interface', 'tcpcongestion', 'trustedXForwardedFor', 'tcpKeepAliveInterval', 'tcpKeepAliveIdle'),
      keysOf('tcpMaxSeg', 'tcpUserTimeout', 'tcpWindowClamp'),
      { tproxy: { enum: ['off', 'redirect', 'tproxy'] } },
    ),
    finalmask: object(keysOf('tcp', 'udp', 'quicParams')),
  },
  keysOf('externalProxy'),
);

/** An inbound, for hints while typing. The core accepts more than is listed here. */
export const INBOUND_SCHEMA: JsonSchema = object(keysOf('remark', 'listen', 'port', 'tag', 'expiryTime', 'total'), {
  enable: flag,
  protocol: { enum: PROTOCOLS },
  trafficReset: { enum: ['never', 'hourly', 'daily', 'weekly', 'monthly'] },
  settings: object(keysOf(...new Set(Object.values(MEMBERS).flatMap(({ settings }) => settings)))),
  streamSettings: STREAM,
  sniffing: object(
    flagsOf('enabled', 'metadataOnly', 'routeOnly'),
    keysOf('destOverride', 'domainsExcluded', 'ipsExcluded'),
  ),
});

/** Settings that links pass to clients; the core itself does not read them. */
function clientSide(...names: readonly string[]): JsonSchema {
  return object(keysOf(...names), { fingerprint: { enum: FINGERPRINTS } });
}
