/**
 * Number of bytes in strictly padded standard base64, or null. Counted, not decoded: one inbound can have 50,000 keys.
 */
export function standardBase64Bytes(text: string): number | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}

/** Number of bytes in base64url without padding, or null. */
export function rawUrlBase64Bytes(text: string): number | null {
  if (text.length % 4 === 1 || !/^[A-Za-z0-9_-]*$/.test(text)) return null;
  return Math.floor((text.length * 3) / 4);
}

/** A WireGuard key as the core reads it: any base64 spelling of 32 bytes or 64 hex digits; normalised hex, or null. */
export function wireguardKeyHex(text: string): string | null {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase();
  if (!/^[A-Za-z0-9+/]{43}=?$|^[A-Za-z0-9_-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 ? bytes.toString('hex') : null;
}
