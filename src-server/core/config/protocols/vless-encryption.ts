import type { PROTOCOL_TEXTS } from '../texts/protocols.ts';
import { rawUrlBase64Bytes } from '../encoded-keys.ts';

const SHORTEST_KEY_CHARACTERS = 20;
const MODES = ['native', 'xorpub', 'random'];
const PADDING = /^\d+-\d+-\d+$/;

type DecryptionCode = Extract<keyof typeof PROTOCOL_TEXTS, `config.decryption${string}`>;

/**
 * What is wrong with a vless `decryption` value; null when the core accepts it. Never repeats the value: it is a
 * private key. Grammar: `mlkem768x25519plus.<mode>.<seconds>`, then padding segments `probability-from-to`, then at
 * least one key of 32 (X25519) or 64 bytes (ML-KEM-768 seed). A value without any key panics the core.
 */
export function decryptionProblem(decryption: string): DecryptionCode | null {
  if (decryption === 'none') return null;
  const [scheme, mode = '', seconds = '', ...segments] = decryption.split('.');
  if (scheme !== 'mlkem768x25519plus') return 'config.decryptionScheme';
  if (!MODES.includes(mode)) return 'config.decryptionMode';
  if (!/^\d+(?:-\d+)?s?$/.test(seconds)) return 'config.decryptionTime';
  return segmentsProblem(segments, 64);
}

/** Whether apps can use the clients' half: the same grammar, with `0rtt` or `1rtt` and public keys. */
export function isEncryption(encryption: string): boolean {
  const [scheme, mode = '', trips = '', ...segments] = encryption.split('.');
  const isKnown = scheme === 'mlkem768x25519plus' && MODES.includes(mode) && ['0rtt', '1rtt'].includes(trips);
  return isKnown && segmentsProblem(segments, 1184) === null;
}

/** @param mlKemBytes size of the key that is not of X25519 */
function segmentsProblem(segments: readonly string[], mlKemBytes: number): DecryptionCode | null {
  const firstKey = segments.findIndex((segment) => segment.length >= SHORTEST_KEY_CHARACTERS);
  if (firstKey < 0) return 'config.decryptionNoKey';
  const [first, ...padding] = segments.slice(0, firstKey);
  if (first !== undefined && !isFirstPadding(first)) {
    return 'config.decryptionFirstPadding';
  }
  if (!padding.every((segment) => PADDING.test(segment))) return 'config.decryptionPadding';
  const keys = segments.slice(firstKey).map(rawUrlBase64Bytes);
  return keys.every((bytes) => bytes === 32 || bytes === mlKemBytes) ? null : 'config.decryptionKey';
}

function isFirstPadding(segment: string): boolean {
  const [probability = 0, from = 0] = segment.split('-').map(Number);
  return PADDING.test(segment) && probability >= 100 && from >= 35;
}
