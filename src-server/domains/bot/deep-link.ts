import { createHmac, timingSafeEqual } from 'node:crypto';

/** How long a link is valid. */
export const LINK_DAYS = 7;
const LINK_MS = LINK_DAYS * 86_400_000;
const ID_BYTES = 6;
const TIME_BYTES = 6;
const MARK_BYTES = 16;
const FACTS_BYTES = ID_BYTES + TIME_BYTES;

/** Whom a link is for. The mark covers the current tie: a link made before another one was used becomes invalid. */
interface Tie {
  clientId: number;
  /** The messaging id tied to the client now, 0 = none. */
  tgId: number;
}

/**
 * Payload of a deep link: a client, a time, and a mark that only this panel can make. At most 64 characters of
 * base64url.
 */
export function linkPayload(secret: string, tie: Tie, nowMs: number): { payload: string; expiresAtMs: number } {
  const expiresAtMs = nowMs + LINK_MS;
  const facts = Buffer.alloc(FACTS_BYTES);
  facts.writeUIntBE(tie.clientId, 0, ID_BYTES);
  facts.writeUIntBE(expiresAtMs, ID_BYTES, TIME_BYTES);
  return { payload: Buffer.concat([facts, mark(secret, facts, tie.tgId)]).toString('base64url'), expiresAtMs };
}

/** The client named in a payload that has not expired; the caller still has to check its mark. */
export function clientOfPayload(payload: string, nowMs: number): number | null {
  const bytes = Buffer.from(payload, 'base64url');
  if (bytes.length !== FACTS_BYTES + MARK_BYTES || bytes.readUIntBE(ID_BYTES, TIME_BYTES) <= nowMs) return null;
  return bytes.readUIntBE(0, ID_BYTES);
}

/** Whether this panel made the payload, for the current tie. */
export function isOwnPayload(secret: string, payload: string, tgId: number): boolean {
  const bytes = Buffer.from(payload, 'base64url');
  if (bytes.length !== FACTS_BYTES + MARK_BYTES) return false;
  return timingSafeEqual(bytes.subarray(FACTS_BYTES), mark(secret, bytes.subarray(0, FACTS_BYTES), tgId));
}

function mark(secret: string, facts: Buffer, tgId: number): Buffer {
  const text = `bot-link:${facts.toString('hex')}:${tgId}`;
  return createHmac('sha256', secret).update(text).digest().subarray(0, MARK_BYTES);
}
