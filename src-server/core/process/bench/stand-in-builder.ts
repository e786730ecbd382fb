import type { ClientSource, InboundSource, JsonObject } from '../../config/source.ts';
import type { ConfigBuilder } from '../session.ts';

/** The smallest builder that is right for the inbounds of these tests, so that they do not depend on the product's rules. */
export const standInBuilder: ConfigBuilder = {
  full(source, { apiListen }) {
    const inbounds = source.inbounds.map(buildInbound).filter((inbound) => inbound !== null);
    const config: JsonObject = {
      ...source.template,
      api: {
        tag: 'api',
        listen: apiListen,
        services: ['HandlerService', 'LoggerService', 'StatsService', 'RoutingService'],
      },
      inbounds,
      outbounds: [
        ...source.subscribedOutbounds.prepend,
        ...(Array.isArray(source.template.outbounds) ? source.template.outbounds : []),
        ...source.subscribedOutbounds.append,
      ],
    };
    return { config, leftOut: [] };
  },
  inbound: (source) => ({ inbound: buildInbound(source), leftOut: [] }),
  users: (source) => source.clients.map((client) => ({ email: client.email, entry: entryOf(source, client) })),
};

function buildInbound(source: InboundSource): JsonObject | null {
  const { tag, listen, port, protocol, settings, streamSettings, sniffing } = source;
  const isSingle = methodOf(settings) === '2022-blake3-chacha20-poly1305';
  if (methodOf(settings).startsWith('2022-') && !isSingle && source.clients.length === 0) return null;
  const list = source.clients.map((client) => entryOf(source, client));
  const users = { [protocol === 'wireguard' ? 'peers' : 'clients']: list };
  return {
    tag,
    listen,
    port,
    protocol,
    settings: { ...settings, ...(isSingle || protocol === 'mixed' ? {} : users) },
    ...(streamSettings === null ? {} : { streamSettings }),
    ...(sniffing === null ? {} : { sniffing }),
  };
}

function entryOf({ protocol, settings }: InboundSource, client: ClientSource): JsonObject {
  const { email, id, password, auth, flow, reverseTag } = client;
  switch (protocol) {
    case 'vless':
      return { email, id, ...(flow ? { flow } : {}), ...(reverseTag ? { reverse: { tag: reverseTag } } : {}) };
    case 'vmess':
      return { email, id };
    case 'hysteria':
      return { email, auth };
    case 'wireguard':
      // In these tests `auth` carries the public key and `id` the address.
      return { email, level: 0, publicKey: auth, allowedIPs: [id] };
    case 'shadowsocks':
      return methodOf(settings).startsWith('2022-')
        ? { email, password }
        : { email, password, method: settings.method ?? '' };
    default:
      return { email, password };
  }
}

function methodOf(settings: JsonObject): string {
  return typeof settings.method === 'string' ? settings.method : '';
}
