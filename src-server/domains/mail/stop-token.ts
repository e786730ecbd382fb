import { createHmac, timingSafeEqual } from 'node:crypto';

const ID_BYTES = 6;
const MARK_BYTES = 16;

/** Identifies a client in its opt-out address: only this panel can make it, and it is good for nothing else. */
export function stopToken(secret: string, clientId: number): string {
  const id = Buffer.alloc(ID_BYTES);
  id.writeUIntBE(clientId, 0, ID_BYTES);
  return Buffer.concat([id, mark(secret, id)]).toString('base64url');
}

/** The client that a token names; null if this panel did not make it. */
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
