import { DomainError } from '../../../contract/domain-error.ts';

/**
 * Normalises an http(s) URL: credentials are dropped; scheme, host, path, query and fragment are kept. Empty text stays
 * empty.
 * @param errorCode code of the refusal; its `reason` says what is wrong.
 * @throws {DomainError} `errorCode`
 */
export function normaliseWebAddress(raw: string, errorCode: string): string {
  const text = raw.trim();
  if (text === '') return '';
  const refuse = (reason: string) => new DomainError(errorCode, { reason });
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase() ?? '';
  if (scheme !== 'http' && scheme !== 'https') throw refuse(`unsupported URL scheme "${scheme}"`);
  // The parser would read "http:///x" as the host x.
  const authority = /^[a-z]+:\/\/([^/?#\\]*)/i.exec(text)?.[1] ?? '';
  if (authority.slice(authority.lastIndexOf('@') + 1) === '') throw refuse('URL host is required');
  if (!URL.canParse(text)) throw refuse('not a valid URL');
  const url = new URL(text);
  const hasPath = url.pathname !== '/' || /^[a-z]+:\/\/[^/?#]*\//i.test(text);
  return `${url.protocol}//${url.host}${hasPath ? url.pathname : ''}${url.search}${url.hash}`;
}

/**
 * Routing rules are inline text, or one https URL of a remote source without credentials; its fragment is dropped.
 * @param name the setting, for the refusal.
 * @throws {DomainError} `settings.routingNotHttps`, `settings.routingCredentials`
 */
export function normaliseRoutingRules(raw: string, name: string): string {
  const text = raw.trim();
  if (/[\r\n]/.test(text) || !/^https?:/i.test(text)) return raw;
  if (!/^https:\/\/[^/?#\\]/i.test(text) || !URL.canParse(text))
    throw new DomainError('settings.routingNotHttps', { name });
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') throw new DomainError('settings.routingCredentials', { name });
  url.hash = '';
  return url.href;
}

/** Support and profile links: client apps would resolve `t.me/x` against the panel's own host. */
export function withScheme(raw: string): string {
  const text = raw.trim();
  return text === '' || /^([a-z][a-z0-9+.-]*:\/\/|mailto:|tel:)/i.test(text) ? text : `https://${text}`;
}

/** URL schemes that a page would execute instead of open. */
export function isScriptAddress(text: string): boolean {
  return /^\s*(javascript|data|vbscript):/i.test(text);
}
