import { parseHysteria } from './parse-hysteria.ts';
import { parseShadowsocks } from './parse-shadowsocks.ts';
import { parseVmess } from './parse-vmess.ts';
import { parseWireguard } from './parse-wireguard.ts';
import type { ParsedOutbound } from './parsed-outbound.ts';
import { decoded, linkParts, type LinkParts } from './parsed-url.ts';
import { streamOf, type Given } from './stream.ts';

export type ParseResult = { outbound: ParsedOutbound } | { error: string };

/** The outbound that a share link describes, or why it describes none. */
export function parseLink(text: string): ParseResult {
  const link = text.trim();
  const mark = link.indexOf('://');
  const scheme = mark < 0 ? '' : link.slice(0, mark).toLowerCase();
  const rest = link.slice(mark + 3);
  switch (scheme) {
    case 'vmess': {
      const outbound = parseVmess(rest);
      return outbound === null ? { error: 'bad vmess link' } : { outbound };
    }
    case 'ss': {
      const outbound = parseShadowsocks(rest);
      return typeof outbound === 'string' ? { error: outbound } : { outbound };
    }
    case 'vless':
      return ofParts(scheme, rest, vless);
    case 'trojan':
      return ofParts(scheme, rest, trojan);
    case 'hysteria2':
    case 'hy2':
      return ofParts(scheme, rest, parseHysteria);
    case 'wireguard':
    case 'wg':
      return ofParts(scheme, rest, parseWireguard);
    default:
      return { error: 'unsupported link scheme' };
  }
}

function ofParts(
  scheme: string,
  rest: string,
  read: (parts: LinkParts, given: Given) => ParsedOutbound | string,
): ParseResult {
  const parts = linkParts(rest);
  if (parts.host === '' || parts.userInfo === '') return { error: `bad ${scheme} link` };
  const outbound = read(parts, (name) => parts.query.get(name) ?? '');
  return typeof outbound === 'string' ? { error: outbound } : { outbound };
}

function vless({ userInfo, host, port, name }: LinkParts, given: Given): ParsedOutbound {
  return {
    protocol: 'vless',
    tag: name,
    settings: {
      address: host,
      port: port || 443,
      id: decoded(userInfo),
      flow: given('flow'),
      encryption: given('encryption') || 'none',
    },
    streamSettings: streamOf(given('type') || 'tcp', given('security') || 'none', given),
  };
}

function trojan({ userInfo, host, port, name }: LinkParts, given: Given): ParsedOutbound {
  return {
    protocol: 'trojan',
    tag: name,
    settings: { servers: [{ address: host, port: port || 443, password: decoded(userInfo) }] },
    streamSettings: streamOf(given('type') || 'tcp', given('security') || 'tls', given),
  };
}

/** Links in the body of a subscription, in order: base64 or plain, one per line. */
export function linesOfBody(body: string): string[] {
  const compact = body.replaceAll(/\s/g, '');
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(compact);
  const text = isBase64 ? Buffer.from(compact, 'base64').toString('utf8') : body;
  return text
    .split(/[\r\n]+|\\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
