import type { JsonObject } from '../source.ts';
import { PRIVATE_RANGES } from '../private-ranges.ts';

/**
 * The built-in template, a new object on each call. It loads without geo files. `direct` stands first and is the
 * default route; its final rules keep clients out of private networks also by names that resolve there, the routing
 * rule stops plain addresses of every inbound. Outbound counters are off. The API inbound and its rule are the
 * documented shape only: in the running config the API has its own listener.
 */
export function defaultTemplate(): JsonObject {
  return {
    log: { access: 'none', dnsLog: false, error: '', loglevel: 'warning', maskAddress: '' },
    api: { tag: 'api', services: ['HandlerService', 'LoggerService', 'StatsService', 'RoutingService'] },
    inbounds: [
      {
        tag: 'api',
        listen: '127.0.0.1',
        port: 62_789,
        protocol: 'tunnel',
        settings: { rewriteAddress: '127.0.0.1' },
      },
    ],
    outbounds: [
      {
        tag: 'direct',
        protocol: 'freedom',
        settings: {
          domainStrategy: 'AsIs',
          finalRules: [{ action: 'block', ip: [...PRIVATE_RANGES] }, { action: 'allow' }],
        },
      },
      { tag: 'blocked', protocol: 'blackhole', settings: {} },
    ],
    policy: {
      levels: { '0': { statsUserUplink: true, statsUserDownlink: true } },
      system: {
        statsInboundUplink: true,
        statsInboundDownlink: true,
        statsOutboundUplink: false,
        statsOutboundDownlink: false,
      },
    },
    routing: {
      domainStrategy: 'AsIs',
      rules: [
        { type: 'field', inboundTag: ['api'], outboundTag: 'api' },
        { type: 'field', ip: [...PRIVATE_RANGES], outboundTag: 'blocked' },
        { type: 'field', protocol: ['bittorrent'], outboundTag: 'blocked' },
      ],
    },
    metrics: { tag: 'metrics_out', listen: '127.0.0.1:11111' },
    stats: {},
  };
}
