/** Formats of share links, as far as they decide whether one is accepted. */

const SECRET_AT_PLACE = new Set(['vless:', 'trojan:', 'hysteria2:', 'hy2:', 'wireguard:']);

/** Whether a text is a share link of a kind that mobile apps understand: with an address, a port and a secret. */
export function isShareLink(text: string): boolean {
  const scheme = /^[a-z0-9]+:(?=\/\/)/i.exec(text)?.[0].toLowerCase();
  if (scheme === undefined || /\s/.test(text)) return false;
  if (scheme === 'vmess:') return isVmess(text.slice('vmess://'.length)) || hasSecretAtPlace(text);
  if (scheme === 'ss:') return hasSecretAtPlace(text) || isWholeShadowsocks(text.slice('ss://'.length));
  return SECRET_AT_PLACE.has(scheme) && hasSecretAtPlace(text);
}

/** `scheme://secret@host:port…` */
function hasSecretAtPlace(text: string): boolean {
  // The URL parser handles hosts and ports only for its own schemes.
  const url = URL.parse(text.replace(/^[a-z0-9]+:/i, 'http:'));
  if (url === null || url.username === '' || url.hostname === '') return false;
  // `:80` is omitted as the default port of the substitute scheme.
  return url.port !== '' || /@[^/?#]*:80(?:[/?#]|$)/.test(text);
}

/** Base64 of JSON with an address, a port and an id. */
function isVmess(encoded: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(decoded(encoded.replace(/[?#].*$/, '')));
  } catch {
    return false;
  }
  const { add, port, id } = Object(value) as { add?: unknown; port?: unknown; id?: unknown };
  const number = Number(port);
  return (
    typeof add === 'string' && add !== '' && typeof id === 'string' && id !== '' && number >= 1 && number <= 65_535
  );
}

/** The older form: base64 of `method:password@host:port`. */
function isWholeShadowsocks(encoded: string): boolean {
  return /^[^:@]+:.+@[^@]+:\d{1,5}$/.test(decoded(encoded.replace(/[?#].*$/, '')));
}

const decoded = (text: string): string => Buffer.from(text, 'base64').toString('utf8');
