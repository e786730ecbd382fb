import { createHash, timingSafeEqual } from 'node:crypto';
import type { DialTls } from '../../../net/dial-tls.ts';
import { DomainError } from '../../../contract/domain-error.ts';
import { hexOf, isPinText } from '../../../contract/fields/host-text.ts';
import type { NodeTable } from '../../../store/schema.ts';

/** Trust settings for a node's connection. */
export type TlsChoice = Pick<NodeTable, 'scheme' | 'tlsVerifyMode' | 'pinnedCertSha256'>;

/**
 * How the node's certificate is checked. A pinned certificate is compared after the handshake and before any byte of
 * the request is sent, so the token reaches no other server. Without TLS there is nothing to check. Mutual TLS replaces
 * the token, not this check.
 * @throws {DomainError} `node.pinEmpty`, `node.pinInvalid`
 */
export function tlsTrust({ scheme, tlsVerifyMode, pinnedCertSha256 }: TlsChoice): DialTls {
  // For an enrolled node the trunk has checked it.
  if (scheme === 'http' || tlsVerifyMode === 'verify' || tlsVerifyMode === 'mtls' || tlsVerifyMode === 'enrolled')
    return {};
  if (tlsVerifyMode === 'skip') return { rejectUnauthorized: false };
  const pin = readPin(pinnedCertSha256);
  return {
    rejectUnauthorized: false,
    checkPeer(socket) {
      // Undefined when the other side presented none, whatever the types say.
      const raw = socket.getPeerCertificate().raw as Buffer | undefined;
      if (raw === undefined || raw.length === 0) return new Error('node presented no certificate');
      const isPinned = timingSafeEqual(createHash('sha256').update(raw).digest(), pin);
      return isPinned ? undefined : new Error('node certificate does not match pinned SHA-256');
    },
  };
}

/**
 * SHA-256 as hex, colons allowed, or as base64 of either alphabet, padded or not.
 * @throws {DomainError} `node.pinEmpty`, `node.pinInvalid`
 */
export function readPin(typed: string): Buffer {
  const text = typed.trim();
  if (text === '') throw new DomainError('node.pinEmpty');
  // Buffer's decoder skips unknown characters, so the format is checked first.
  if (!isPinText(text)) throw new DomainError('node.pinInvalid');
  const hex = hexOf(text);
  return hex === null ? Buffer.from(text, 'base64') : Buffer.from(hex, 'hex');
}
