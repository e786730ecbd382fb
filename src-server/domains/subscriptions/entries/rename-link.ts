/**
 * Renames a share link and keeps the rest, byte for byte; a vmess link carries its name inside. A link whose content
 * cannot be read stays unchanged.
 */
export function renameLink(link: string, name: string): string {
  if (name === '') return link;
  if (/^vmess:\/\//i.test(link)) {
    const renamed = renamedVmess(link.slice('vmess://'.length), name);
    if (renamed !== null) return renamed;
  }
  const at = link.indexOf('#');
  return `${at === -1 ? link : link.slice(0, at)}#${fragment(name)}`;
}

/** Null when this is not a vmess link in JSON form. */
function renamedVmess(encoded: string, name: string): string | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded.replace(/[?#].*$/, ''), 'base64').toString('utf8'));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return `vmess://${Buffer.from(JSON.stringify({ ...value, ps: name }, null, 2)).toString('base64')}`;
  } catch {
    return null;
  }
}

function fragment(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
