const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const random = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));

/** Unpredictable letters and digits. */
export function randomWord(length: number): string {
  // A remainder would favour some letters; bytes beyond the last whole multiple are thrown away.
  const limit = 256 - (256 % LETTERS.length);
  let word = '';
  while (word.length < length)
    for (const byte of random(length)) if (byte < limit && word.length < length) word += LETTERS[byte % LETTERS.length];
  return word;
}

export function randomHex(bytes: number): string {
  return [...random(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function randomBase64(bytes: number): string {
  return btoa(String.fromCodePoint(...random(bytes)));
}

/** A port below the system's range for outgoing connections. */
export function randomPort(): number {
  const [high = 0, low = 0] = random(2);
  return 10_000 + (((high << 8) | low) % 20_000);
}
