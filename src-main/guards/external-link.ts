/** A link that may be handed to the browser of the system, after the host was shown. */
export interface ExternalLink {
  url: string;
  /** As people read it: what a look-alike in another script really is. */
  host: string;
}

/** Only `https:`, only with a plain host, nothing hidden in front of it. Null for everything else. */
export function externalLink(raw: string): ExternalLink | null {
  if (raw.length > 2048 || !URL.canParse(raw)) return null;
  const url = new URL(raw);
  if (url.protocol !== 'https:' || url.hostname === '' || url.username !== '' || url.password !== '') return null;
  return { url: url.href, host: url.host };
}
