/** Address of a client's subscription below the public prefix. */
export function subscriptionUrl(prefix: string, subId: string): string {
  return `${prefix}${prefix.endsWith('/') ? '' : '/'}${encodeURIComponent(subId)}`;
}

/** What a share link calls itself, with its kind in front; the kind alone when it has no name. */
export function linkName(link: string): string {
  const scheme = link.slice(0, Math.max(0, link.indexOf('://')));
  const name = scheme === 'vmess' ? vmessName(link.slice(8)) : decoded(link.split('#')[1] ?? '');
  return name === '' ? scheme : `${scheme} · ${name}`;
}

function vmessName(payload: string): string {
  try {
    const bytes = Uint8Array.from(atob(payload), (char) => char.codePointAt(0) ?? 0);
    const { ps } = JSON.parse(new TextDecoder().decode(bytes)) as { ps?: unknown };
    return typeof ps === 'string' ? ps : '';
  } catch {
    return '';
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
