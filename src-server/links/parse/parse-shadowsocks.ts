import type { ParsedOutbound } from './parsed-outbound.ts';
import { decoded, flexibleBase64 } from './parsed-url.ts';

/** Outbound of a `ss://` link of either kind; a text says why there is none. */
export function parseShadowsocks(rest: string): ParsedOutbound | string {
  const [beforeName = '', name = ''] = splitOnce(rest, '#');
  const [body = ''] = splitOnce(beforeName, '?');
  // The older kind is base64 as a whole.
  const text = body.includes('@') ? body : (flexibleBase64(body) ?? '');
  const at = text.lastIndexOf('@');
  if (at < 0) return 'bad ss link';
  const place = text.slice(at + 1).replace(/\/+$/, '');
  const colon = place.lastIndexOf(':');
  const port = place.slice(colon + 1);
  if (colon < 0 || !/^\d{1,5}$/.test(port) || Number(port) > 65_535) return 'bad ss port';
  const credentials = body.includes('@') ? userInfoOf(text.slice(0, at)) : text.slice(0, at);
  const mark = credentials.indexOf(':');
  return {
    protocol: 'shadowsocks',
    tag: decoded(name),
    settings: {
      servers: [
        {
          address: place.slice(0, colon).replaceAll(/^\[|\]$/g, ''),
          port: Number(port),
          method: mark < 0 ? '2022-blake3-aes-128-gcm' : credentials.slice(0, mark),
          password: credentials.slice(mark + 1),
        },
      ],
    },
  };
}

/** Whether a server is reached through a plugin, which neither the core nor documents have. */
export function needsPlugin(link: string): boolean {
  const [beforeName = ''] = splitOnce(link, '#');
  const [, query = ''] = splitOnce(beforeName, '?');
  const plugin = new URLSearchParams(query).get('plugin') ?? '';
  return /^\s*ss:/i.test(link) && plugin !== '' && plugin !== 'none';
}

/** Base64, except with 2022 ciphers, whose parts are in clear text. */
function userInfoOf(text: string): string {
  const plain = text.includes(':') ? null : flexibleBase64(decoded(text));
  return plain === null ? text.split(':').map(decoded).join(':') : plain;
}

function splitOnce(text: string, mark: string): string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
