import type { JsonObject } from '../../contract/json.ts';
import { asObject, asText, percentEncoded } from '../encoding.ts';
import { hostOf } from '../transport-params.ts';
import type { Endpoint } from '../types.ts';
import { xhttpOptions } from './yaml-xhttp.ts';

/** What Go's `url.PathEscape` leaves as it is, beyond letters and digits. */
const LEFT_IN_PATH = /%(?:24|26|2B|3A|3D|40)/g;

/** Transport of an endpoint as apps that read YAML name it. */
export function yamlTransport({ network, stream, protocol }: Endpoint): JsonObject {
  if (protocol === 'shadowsocks') return {};
  const settings = asObject(stream[`${network}Settings`]);
  const host = hostOf(settings);
  const path = asText(settings['path']);
  const headers = host !== '' && { headers: { Host: host } };
  switch (network) {
    case 'ws':
      return { network, ...options('ws-opts', { ...(path !== '' && { path }), ...headers }) };
    case 'httpupgrade': {
      const own = withoutEarlyData(path);
      return { network: 'ws', 'ws-opts': { 'v2ray-http-upgrade': true, ...(own !== '' && { path: own }), ...headers } };
    }
    case 'grpc':
      return { network, 'grpc-opts': { 'grpc-service-name': grpcName(asText(settings['serviceName'])) } };
    case 'xhttp':
      return { network, ...options('xhttp-opts', xhttpOptions(settings, host)) };
    default:
      return { network };
  }
}

const options = (key: string, value: JsonObject): JsonObject => (Object.keys(value).length > 0 ? { [key]: value } : {});

/** Apps would send early data for this query; a server of HTTPUpgrade never reads it. */
function withoutEarlyData(path: string): string {
  const [own = '', ...queries] = path.split('?');
  const query = queries
    .join('?')
    .split('&')
    .filter((part) => !part.startsWith('ed='))
    .join('&');
  return query === '' ? own : `${own}?${query}`;
}

/**
 * Name of a service such that apps ask for the path on which the core listens. They send a name that starts with `/` as
 * the whole path, and have a name of their own for an empty one.
 */
function grpcName(name: string): string {
  if (!name.startsWith('/')) return name === '' ? '//Tun' : pathEscaped(name);
  const last = name.lastIndexOf('/');
  const service = name.slice(1, Math.max(last, 1)).split('/').map(pathEscaped).join('/');
  const [stream = ''] = name.slice(last + 1).split('|');
  return `/${service}/${pathEscaped(stream)}`;
}

function pathEscaped(text: string): string {
  return percentEncoded(text).replaceAll(LEFT_IN_PATH, (code) => decodeURIComponent(code));
}
