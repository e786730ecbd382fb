const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** 160 bits, as authenticator apps expect them, in base32. */
export function newTotpSecret(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): string {
  return base32(random(new Uint8Array(20)));
}

/** RFC 4648 without padding. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(held >> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + ALPHABET[(held << (5 - bits)) & 31];
}

/** What an authenticator app reads from the code. @param panel whose sign-in it is, as the app shows it; '' = unknown */
export function totpAddress(secret: string, panel: string): string {
  const label = panel === '' ? 'Switchyard' : `Switchyard:${panel}`;
  return `otpauth://totp/${encodeURIComponent(label)}?secret=${secret}&issuer=Switchyard`;
}
