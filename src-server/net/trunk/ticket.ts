import { createHash, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import * as z from 'zod';

/** What a host needs to become a node: where its master is, how to recognise it, and the right to enrol. */
export interface Ticket {
  /** Base address of the master, ending with `/`. */
  url: string;
  /** Key of the master's authority, {@link keyPin}. */
  authority: string;
  id: string;
  secret: string;
}

const PREFIX = 'swy1.';
/** The unguessable secret; hex. */
const ID_BYTES = 16;
const SECRET_BYTES = 32;

const Packed = z.object({
  u: z.url({ protocol: /^https?$/ }).max(2_048),
  a: z.string().regex(/^[\w-]{43}$/),
  i: z.string().regex(/^[0-9a-f]{32}$/),
  s: z.string().regex(/^[0-9a-f]{64}$/),
});

export const newTicketSecrets = (): Pick<Ticket, 'id' | 'secret'> => ({
  id: randomBytes(ID_BYTES).toString('hex'),
  secret: randomBytes(SECRET_BYTES).toString('hex'),
});

/** Encodes a ticket as one word that is safe in a shell. */
export function writeTicket({ url, authority, id, secret }: Ticket): string {
  const packed: z.input<typeof Packed> = { u: url, a: authority, i: id, s: secret };
  return `${PREFIX}${Buffer.from(JSON.stringify(packed)).toString('base64url')}`;
}

/** @returns null for anything that is not a complete ticket */
export function readTicket(text: string): Ticket | null {
  const trimmed = text.trim();
  if (!trimmed.startsWith(PREFIX)) return null;
  try {
    const packed: unknown = JSON.parse(Buffer.from(trimmed.slice(PREFIX.length), 'base64url').toString());
    const { u, a, i, s } = Packed.parse(packed);
    return { url: u, authority: a, id: i, secret: s };
  } catch {
    return null;
  }
}

/** The only part that is stored. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export function isSecret(secret: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(secretHash(secret)), Buffer.from(hash));
}

/** SHA-256 of a public key, base64url: it stays the same when a certificate of the key is renewed. */
export const keyPin = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url');
