import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { fingerprintOf, isClientOf } from '../../net/client-of.ts';

/** The authorities whose client certificates sign other panels in. */
export interface ClientAuthorities {
  pem: string[];
  certificates: X509Certificate[];
}

/**
 * @throws {Error} when a block of the bundle is not a certificate. An empty text gives null: no client certificates.
 */
export function parseClientAuthorities(bundle: string): ClientAuthorities | null {
  const pem = bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (pem === null) {
    if (bundle.trim() === '') return null;
    throw new Error('the bundle of trusted client authorities holds no certificate');
  }
  return { pem: [...pem], certificates: pem.map((block) => new X509Certificate(block)) };
}

/**
 * Fingerprint of a connection's client certificate, when one was presented on this connection and one of our
 * authorities issued it for clients; else null. `authorized` alone is not enough: a resumed TLS 1.3 session reports it
 * for a client that never presented a certificate.
 */
export function verifiedFingerprint(
  socket: Socket,
  authorities: ClientAuthorities | null,
  nowMs: number,
): string | null {
  const tls = socket as TLSSocket;
  if (authorities === null || !('encrypted' in tls) || !tls.authorized) return null;
  const { raw } = tls.getPeerCertificate();
  if (raw === undefined || raw.length === 0) return null;
  const shown = new X509Certificate(raw);
  return authorities.certificates.some((ca) => isClientOf(shown, ca, nowMs)) ? fingerprintOf(shown) : null;
}

/**
 * Whether a presented certificate failed verification: such a connection is ended instead of served as a stranger's.
 */
export function hasBadCertificate(socket: TLSSocket): boolean {
  const { raw } = socket.getPeerCertificate();
  return raw !== undefined && raw.length > 0 && !socket.authorized;
}
