import { createHash } from 'node:crypto';

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The UUID that the core derives from a client id, lower case with dashes, or null when it refuses the id: hex with
 * optional dashes (32 to 36 characters), or any text of 1 to 30 bytes, which is hashed. Source: the core's common/uuid.
 */
export function uuidOf(id: string): string | null {
  if (CANONICAL.test(id)) return id;
  const bytes = Buffer.byteLength(id);
  if (bytes >= 32 && bytes <= 36) {
    const match = /^-?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})/i.exec(id);
    return match === null ? null : match.slice(1).join('-').toLowerCase();
  }
  if (bytes === 0 || bytes > 30) return null;
  const hash = createHash('sha1').update(Buffer.alloc(16)).update(id).digest().subarray(0, 16);
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * What distinguishes vless users in the core: the UUID without its third group, which carries the route the client
 * chooses. Two ids with the same key are one user to the core. Null when the core refuses the id.
 */
export function vlessIdentity(id: string): string | null {
  const uuid = uuidOf(id);
  return uuid === null ? null : uuid.slice(0, 14) + uuid.slice(18);
}

/** Hysteria passwords shaped like a UUID follow the same rule; any other text is compared as it is. */
export function hysteriaIdentity(auth: string): string {
  const isUuidLength = auth.length >= 32 && auth.length <= 36;
  return (isUuidLength ? vlessIdentity(auth) : null) ?? auth;
}
