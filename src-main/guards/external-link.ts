/** A link that may be passed to the system's browser, after its host was shown. */
export interface ExternalLink {
  url: string;
  /** For display: shows a look-alike in another script for what it is. */
  host: string;
}

/** Only `https:`, only a plain host, nothing hidden before it. Null for everything else. */
export function externalLink(raw: string): ExternalLink | null {
  if (raw.length > 2048 || !URL.canParse(raw)) return null;
  const url = new URL(raw);
  if (url.protocol !== 'https:' || url.hostname === '' || url.username !== '' || url.password !== '') return null;
  return { url: url.href, host: url.host };
}
