import { createHash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { DomainError } from '../../../contract/domain-error.ts';
import { DialError } from '../../../net/dial-error.ts';
import type { Connection } from '../contract.ts';
import { unreachable } from '../node-client.ts';
import type { Reach } from './reach.ts';
import { bracketed } from '../../../contract/host-and-port.ts';

const FINGERPRINT_MS = 6_000;

/**
 * Reads which certificate a panel shows, without a request to it.
 * @param through reaches the panel
 * @param signal aborted when this panel stops
 * @returns SHA-256 of the certificate that is shown, in base64
 * @throws {DomainError} `node.fingerprintNeedsTls`, `node.noCertificate`, `node.unreachable`, `node.speaksHttp`
 */
export async function readCertFingerprint(
  through: Reach['through'],
  signal: AbortSignal,
  details: Connection,
): Promise<string> {
  const { scheme, address, port, allowPrivateAddress } = details;
  if (scheme === 'http') throw new DomainError('node.fingerprintNeedsTls');
  let shown: Buffer | undefined;
  const seen = new Error('seen');
  try {
    const host = bracketed(address);
    const options = {
      maxBytes: 0,
      timeoutMs: FINGERPRINT_MS,
      maxRedirects: 0,
      allowPrivate: allowPrivateAddress,
      signal,
      tls: {
        rejectUnauthorized: false,
        checkPeer(socket: TLSSocket) {
          shown = socket.getPeerCertificate().raw as Buffer | undefined;
          // The connection is closed before any request, so no token can leak.
          return seen;
        },
      },
    };
    await through(details, (dialer) => dialer.fetch(`https://${host}:${port}/`, options));
  } catch (error) {
    if (!(error instanceof DialError)) throw error;
    if (shown === undefined) throw unreachable(error);
  }
  if (shown === undefined || shown.length === 0) throw new DomainError('node.noCertificate');
  return createHash('sha256').update(shown).digest('base64');
}
