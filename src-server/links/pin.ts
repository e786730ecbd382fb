/** A certificate's SHA-256 as 64 lower-case hex digits; takes hex with or without colons and base64. Others stay as they are. */
export function hexPin(pin: string): string {
  const hex = pin.replaceAll(':', '').toLowerCase();
  if (/^[0-9a-f]{64}$/.test(hex)) return hex;
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(pin)) return pin;
  const bytes = Buffer.from(pin, 'base64');
  return bytes.length === 32 ? bytes.toString('hex') : pin;
}
