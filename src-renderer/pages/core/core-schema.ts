import type { JsonSchema } from '../../ui/json/json-editor-schema.ts';
import { FREEDOM } from './basics/strategies.ts';
import { QUERY_STRATEGIES } from './dns/dns-servers.ts';
import { STRATEGIES } from './model/balancers.ts';
import { PROTOCOLS } from './outbounds/outbound-kinds.ts';

const any = {};
const flag: JsonSchema = { enum: [true, false] };
const oneOf = (values: JsonSchema['enum'] = []): JsonSchema => ({ enum: values });
const keysOf = (...names: string[]): Record<string, JsonSchema> => Object.fromEntries(names.map((name) => [name, any]));
const flagsOf = (...names: string[]): Record<string, JsonSchema> =>
  Object.fromEntries(names.map((name) => [name, flag]));

const STREAM: JsonSchema = {
  properties: {
    network: oneOf(['raw', 'ws', 'grpc', 'httpupgrade', 'xhttp', 'kcp', 'hysteria']),
    security: oneOf(['none', 'tls', 'reality']),
    ...keysOf('rawSettings', 'kcpSettings', 'hysteriaSettings', 'finalmask'),
    wsSettings: { properties: keysOf('path', 'host', 'headers', 'heartbeatPeriod') },
    grpcSettings: { properties: { ...keysOf('serviceName', 'authority'), ...flagsOf('multiMode') } },
    httpupgradeSettings: { properties: keysOf('path', 'host', 'headers') },
    xhttpSettings: { properties: keysOf('path', 'host', 'mode', 'extra', 'downloadSettings') },
    tlsSettings: { properties: keysOf('serverName', 'alpn', 'fingerprint', 'pinnedPeerCertSha256', 'echConfigList') },
    realitySettings: {
      properties: keysOf('serverName', 'fingerprint', 'publicKey', 'shortId', 'spiderX', 'mldsa65Verify'),
    },
    sockopt: {
      properties: {
        ...keysOf('dialerProxy', 'mark', 'interface', 'happyEyeballs', 'tcpKeepAliveInterval'),
        ...flagsOf('tcpFastOpen', 'tcpMptcp'),
        domainStrategy: oneOf(FREEDOM),
      },
    },
  },
};

/** One outbound, for hints while typing. The core accepts more than is listed here. */
export const OUTBOUND_SCHEMA: JsonSchema = {
  properties: {
    ...keysOf('tag', 'sendThrough', 'settings', 'mux', 'targetStrategy'),
    protocol: oneOf(PROTOCOLS),
    streamSettings: STREAM,
    proxySettings: { properties: { tag: any, transportLayer: flag } },
  },
};

/** One rule, for hints while typing. */
export const RULE_SCHEMA: JsonSchema = {
  properties: {
    type: oneOf(['field']),
    network: oneOf(['tcp', 'udp', 'tcp,udp']),
    enabled: flag,
    ...keysOf(
      'ruleTag',
      'outboundTag',
      'balancerTag',
      'domain',
      'ip',
      'port',
      'sourceIP',
      'sourcePort',
      'localIP',
      'localPort',
      'user',
      'inboundTag',
      'protocol',
      'attrs',
      'process',
      'vlessRoute',
    ),
  },
};

/** The template, for hints while typing. */
export const TEMPLATE_SCHEMA: JsonSchema = {
  properties: {
    log: {
      properties: {
        ...keysOf('access', 'error', 'maskAddress'),
        loglevel: oneOf(['debug', 'info', 'warning', 'error', 'none']),
        dnsLog: flag,
      },
    },
    api: { properties: keysOf('tag', 'listen', 'services') },
    dns: {
      properties: {
        ...keysOf('hosts', 'clientIp', 'tag'),
        ...flagsOf('disableCache', 'disableFallback', 'disableFallbackIfMatch', 'useSystemHosts'),
        queryStrategy: oneOf(QUERY_STRATEGIES),
        servers: {
          items: {
            properties: {
              ...keysOf('address', 'port', 'domains', 'expectIPs', 'tag', 'timeoutMs'),
              ...flagsOf('skipFallback', 'finalQuery'),
              queryStrategy: oneOf(QUERY_STRATEGIES),
            },
          },
        },
      },
    },
    fakedns: { items: { properties: keysOf('ipPool', 'poolSize') } },
    inbounds: { items: { properties: keysOf('tag', 'listen', 'port', 'protocol', 'settings', 'sniffing') } },
    outbounds: { items: OUTBOUND_SCHEMA },
    policy: {
      properties: {
        levels: any,
        system: {
          properties: flagsOf(
            'statsInboundUplink',
            'statsInboundDownlink',
            'statsOutboundUplink',
            'statsOutboundDownlink',
          ),
        },
      },
    },
    routing: {
      properties: {
        domainStrategy: oneOf(['AsIs', 'IPIfNonMatch', 'IPOnDemand']),
        rules: { items: RULE_SCHEMA },
        balancers: {
          items: {
            properties: {
              ...keysOf('tag', 'selector', 'fallbackTag'),
              strategy: { properties: { type: oneOf(STRATEGIES), settings: any } },
            },
          },
        },
      },
    },
    observatory: { properties: { ...keysOf('subjectSelector', 'probeUrl', 'probeInterval'), enableConcurrency: flag } },
    burstObservatory: {
      properties: {
        subjectSelector: any,
        pingConfig: {
          properties: keysOf('destination', 'interval', 'connectivity', 'timeout', 'sampling', 'httpMethod'),
        },
      },
    },
    ...keysOf('stats', 'metrics', 'geodata', 'env'),
  },
};
