import { createHmac, timingSafeEqual } from 'node:crypto';

const ID_BYTES = 6;
const MARK_BYTES = 16;

/** What names a client in the address at which it stops e-mails: only this panel can make it, and it opens nothing else. */
export function stopToken(secret: string, clientId: number): string {
  const id = Buffer.alloc(ID_BYTES);
  id.writeUIntBE(clientId, 0, ID_BYTES);
  return Buffer.concat([id, mark(secret, id)]).toString('base64url');
}

/** The client that a token names; null for one that this panel did not make. */
export function clientOfStopToken(secret: string, token: string): number | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== ID_BYTES + MARK_BYTES) return null;
  const id = bytes.subarray(0, ID_BYTES);
  return timingSafeEqual(bytes.subarray(ID_BYTES), mark(secret, id)) ? id.readUIntBE(0, ID_BYTES) : null;
}

const mark = (secret: string, id: Buffer): Buffer =>
  createHmac('sha256', secret)
    .update(`mail-stop:${id.toString('hex')}`)
    .digest()
    .subarray(0, MARK_BYTES);
