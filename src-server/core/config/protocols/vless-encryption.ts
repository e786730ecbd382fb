import { rawUrlBase64Bytes } from '../encoded-keys.ts';

const SHORTEST_KEY_CHARACTERS = 20;
const PADDING = /^\d+-\d+-\d+$/;

/**
 * What is wrong with a vless `decryption` value, as the end of a sentence that starts with the field; null when the
 * core takes it. Never repeats the value: it is a private key. Grammar: `mlkem768x25519plus.<mode>.<seconds>`, then
 * padding segments `probability-from-to`, then at least one key of 32 (X25519) or 64 bytes (ML-KEM-768 seed). A value
 * without any key panics the core.
 */
export function decryptionProblem(decryption: string): string | null {
  if (decryption === 'none') return null;
  const [scheme, mode = '', seconds = '', ...segments] = decryption.split('.');
  if (scheme !== 'mlkem768x25519plus') return 'must be none or begin with mlkem768x25519plus.';
  if (!['native', 'xorpub', 'random'].includes(mode)) return 'must name the mode native, xorpub or random.';
  if (!/^\d+(?:-\d+)?s?$/.test(seconds)) return 'must name the session time in seconds, such as 600s.';
  const firstKey = segments.findIndex((segment) => segment.length >= SHORTEST_KEY_CHARACTERS);
  if (firstKey < 0) return 'must end with a key.';
  const [first, ...padding] = segments.slice(0, firstKey);
  if (first !== undefined && !isFirstPadding(first)) {
    return 'must start its padding with probability 100 and at least 35 bytes, such as 100-111-1111.';
  }
  if (!padding.every((segment) => PADDING.test(segment))) return 'has a padding that is not probability-from-to.';
  const keys = segments.slice(firstKey).map(rawUrlBase64Bytes);
  return keys.every((bytes) => bytes === 32 || bytes === 64) ? null : 'has a key that is not 32 or 64 bytes long.';
}

function isFirstPadding(segment: string): boolean {
  const [probability = 0, from = 0] = segment.split('-').map(Number);
  return PADDING.test(segment) && probability >= 100 && from >= 35;
}
