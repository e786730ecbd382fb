/** The parts of `scheme://user@host:port?query#name`, split as text: a URL object would decode passwords. */
export interface LinkParts {
  /** As written. */
  userInfo: string;
  /** Without brackets. */
  host: string;
  /** 0 when it is missing or invalid. */
  port: number;
  /** As written: Hysteria links may have a list of ports and ranges here. */
  portText: string;
  query: ReadonlyMap<string, string>;
  /** The name, decoded once; `+` stays. Text that cannot be decoded stays unchanged. */
  name: string;
}

export function linkParts(rest: string): LinkParts {
  const [beforeName, name = ''] = split(rest, '#');
  const [authority, query = ''] = split(beforeName, '?');
  const at = authority.lastIndexOf('@');
  const place = authority.slice(at + 1).replace(/\/.*$/, '');
  const colon = place.endsWith(']') ? -1 : place.lastIndexOf(':');
  const portText = colon < 0 ? '' : place.slice(colon + 1);
  return {
    userInfo: at < 0 ? '' : authority.slice(0, at),
    host: (colon < 0 ? place : place.slice(0, colon)).replaceAll(/^\[|\]$/g, ''),
    port: /^\d{1,5}$/.test(portText) && Number(portText) <= 65_535 ? Number(portText) : 0,
    portText,
    query: parameters(query),
    name: decoded(name),
  };
}

/** Percent-decoded once; unchanged when that fails. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Bytes as text from any common form of base64, padded or not; null when it is not base64. */
export function flexibleBase64(text: string): string | null {
  const compact = text.replaceAll(/\s/g, '');
  if (compact === '' || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(compact)) return null;
  return Buffer.from(compact, 'base64').toString('utf8');
}

/** The first value of each key; a form's `+` is a space. */
function parameters(query: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const pair of query.split('&')) {
    const [key, value = ''] = split(pair, '=');
    const name = decoded(key.replaceAll('+', ' '));
    if (name !== '' && !found.has(name)) found.set(name, decoded(value.replaceAll('+', ' ')));
  }
  return found;
}

function split(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
