import * as z from 'zod';

/**
 * Documents of the YAML format, as strict as the apps' field descriptions: apps would silently drop an unknown field.
 */

const text = z.string().min(1);
const port = z.int().min(1).max(65_535);
const uuid = z.guid();
const hex64 = z.string().regex(/^[0-9a-f]{64}$/);
const placed = { name: text, server: text, port, udp: z.literal(true), 'ip-version': ipVersion().optional() };

function ipVersion() {
  return z.enum(['dual', 'ipv4', 'ipv6', 'ipv4-prefer', 'ipv6-prefer']);
}

/** Apps refuse other lists; without one they ask their DNS servers. */
const echOptions = z.strictObject({
  enable: z.literal(true),
  config: z.base64().optional(),
  'query-server-name': text.optional(),
});

const verified = {
  alpn: z.array(text).min(1).optional(),
  'skip-cert-verify': z.literal(true).optional(),
  fingerprint: hex64.optional(),
  'name-cert-verify': text.optional(),
  'ech-opts': echOptions.optional(),
};

const secured = {
  ...verified,
  tls: z.boolean(),
  servername: text.optional(),
  'client-fingerprint': z
    .enum(['chrome', 'firefox', 'safari', 'ios', 'android', 'edge', '360', 'qq', 'random', 'randomized'])
    .optional(),
  'reality-opts': z
    .strictObject({
      'public-key': text,
      'short-id': text.optional(),
      'support-x25519mlkem768': z.literal(true).optional(),
    })
    .optional(),
};

const range = z.string().regex(/^[1-9]\d*$|^\d+-\d+$/);
const xhttpOptions = z.strictObject({
  path: text.optional(),
  mode: z.enum(['auto', 'packet-up', 'stream-up', 'stream-one']).optional(),
  host: text.optional(),
  'x-padding-bytes': range.optional(),
  'x-padding-obfs-mode': z.literal(true).optional(),
  'x-padding-key': text.optional(),
  'x-padding-header': text.optional(),
  'x-padding-placement': text.optional(),
  'x-padding-method': text.optional(),
  'uplink-http-method': text.optional(),
  'session-placement': text.optional(),
  'session-key': text.optional(),
  'session-table': text.optional(),
  'session-length': range.optional(),
  'seq-placement': text.optional(),
  'seq-key': text.optional(),
  'uplink-data-placement': text.optional(),
  'uplink-data-key': text.optional(),
  'uplink-chunk-size': range.optional(),
  'sc-max-each-post-bytes': range.optional(),
  'sc-min-posts-interval-ms': range.optional(),
  'no-grpc-header': z.literal(true).optional(),
  'reuse-settings': z
    .strictObject({
      'max-concurrency': range.optional(),
      'max-connections': range.optional(),
      'c-max-reuse-times': range.optional(),
      'h-max-request-times': range.optional(),
      'h-max-reusable-secs': range.optional(),
      'h-keep-alive-period': z.int().optional(),
    })
    .optional(),
  headers: z.record(text, z.string()).optional(),
});

const transported = {
  network: z.enum(['tcp', 'ws', 'grpc', 'xhttp']),
  'ws-opts': z
    .strictObject({
      'v2ray-http-upgrade': z.literal(true).optional(),
      path: text.optional(),
      headers: z.strictObject({ Host: text }).optional(),
    })
    .optional(),
  'grpc-opts': z.strictObject({ 'grpc-service-name': text }).optional(),
};

const hysteria = {
  ...verified,
  sni: text.optional(),
  obfs: z.literal('salamander').optional(),
  'obfs-password': text.optional(),
  ports: z
    .string()
    .regex(/^\d+(-\d+)?([,/]\d+(-\d+)?)*$/)
    .optional(),
};

const Proxy = z
  .discriminatedUnion('type', [
    z.strictObject({
      ...placed,
      ...transported,
      ...secured,
      type: z.literal('vmess'),
      uuid,
      alterId: z.literal(0),
      cipher: z.enum(['auto', 'aes-128-gcm', 'chacha20-poly1305']),
    }),
    z.strictObject({
      ...placed,
      ...transported,
      ...secured,
      type: z.literal('vless'),
      uuid,
      flow: z.enum(['xtls-rprx-vision', 'xtls-rprx-vision-udp443']).optional(),
      encryption: text.optional(),
      'xhttp-opts': xhttpOptions.optional(),
    }),
    z.strictObject({
      ...placed,
      ...transported,
      ...secured,
      type: z.literal('trojan'),
      password: text,
      sni: text.optional(),
    }),
    z.strictObject({ ...placed, type: z.literal('ss'), cipher: text, password: text }),
    z.strictObject({ ...placed, ...hysteria, type: z.literal('hysteria2'), password: text }),
    z.strictObject({
      ...placed,
      ...hysteria,
      type: z.literal('hysteria'),
      'auth-str': text,
      up: z.literal('100 Mbps'),
      down: z.literal('100 Mbps'),
    }),
  ])
  .refine((proxy) => !('network' in proxy) || proxy.network !== 'xhttp' || proxy.type === 'vless', {
    message: 'only vless has xhttp',
  });

export const ProxyDocument = z
  .strictObject({
    proxies: z.array(Proxy).min(1),
    'proxy-groups': z
      .array(z.strictObject({ name: text, type: z.literal('select'), proxies: z.array(text).min(1) }))
      .min(1),
    rules: z.array(text).min(1),
  })
  .refine(({ proxies }) => new Set(proxies.map(({ name }) => name)).size === proxies.length, {
    message: 'names must differ',
  });
