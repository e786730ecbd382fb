import { listOf, objectOf, textOf } from '../config/json-access.ts';
import { networkName } from '../config/transports/transports.ts';
import type { Json, JsonObject } from '../config/source.ts';
import { hostAndPort } from '../../contract/host-and-port.ts';

export interface Endpoint {
  host: string;
  port: number;
}

const UDP_PROTOCOLS = new Set(['hysteria', 'wireguard']);
const UDP_NETWORKS = new Set(['hysteria', 'kcp', 'mkcp', 'quic']);

/** Whether it speaks over UDP: an opened UDP socket proves nothing, so only a request through it does. */
export function isOverUdp(outbound: JsonObject): boolean {
  const network = networkName(objectOf(outbound['streamSettings'])).toLowerCase();
  return UDP_PROTOCOLS.has(textOf(outbound['protocol']).toLowerCase()) || UDP_NETWORKS.has(network);
}

/** Where an outbound connects to, in both forms the core reads: a flat address, or a list of servers. */
export function endpointsOf(outbound: JsonObject): Endpoint[] {
  const settings = objectOf(outbound['settings']);
  const servers = [settings, ...listOf(settings['vnext']), ...listOf(settings['servers'])].map(objectOf);
  const found = servers.map(({ address, port }) => ({ host: textOf(address), port: portOf(port) }));
  const peers = listOf(settings['peers']).map((peer) => splitEndpoint(textOf(objectOf(peer)['endpoint'])));
  return [...found, ...peers].filter(({ host, port }) => host !== '' && port > 0 && port < 65_536);
}

export const endpointText = ({ host, port }: Endpoint): string => hostAndPort(host, port);

function portOf(port: Json | undefined): number {
  return typeof port === 'number' || typeof port === 'string' ? Number(port) || 0 : 0;
}

function splitEndpoint(text: string): Endpoint {
  const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(text) ?? [];
  return { host, port: Number(port) };
}
