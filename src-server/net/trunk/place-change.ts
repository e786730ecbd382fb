import type { PlaceChange } from './messages.ts';

/**
 * An address of a panel after the panel has begun to listen elsewhere. What differs from where it listened belongs to
 * something in front of it, such as a reverse proxy, and stays.
 */
export function changedUrl(text: string, { before, after }: PlaceChange): string {
  const url = new URL(text);
  const isDirect = url.protocol === `${before.scheme}:` && portOf(url) === before.port;
  if (url.pathname === before.basePath) url.pathname = after.basePath;
  if (!isDirect) return url.href;
  url.protocol = after.scheme;
  url.port = String(after.port);
  return url.href;
}

const portOf = ({ protocol, port }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80);
