import { createHash } from 'node:crypto';
import { Agent as HttpAgent, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions, type PeerCertificate, type TLSSocket } from 'node:tls';
import type { ShownCertificate } from '../bridge/contract.ts';
import type { Trust } from './connection.ts';

const CONNECT_LIMIT_MS = 10_000;
const MAX_SOCKETS = 16;

/** The certificate of a panel is not the pinned one. Nothing was sent to it. */
export class WrongCertificate extends Error {
  /** Fingerprint of the presented certificate, as 64 hex digits. */
  readonly shown: string;
  constructor(shown: string) {
    super(`the panel shows another certificate than the trusted one (SHA-256 ${shown})`);
    this.name = 'WrongCertificate';
    this.shown = shown;
  }
}

/**
 * What is wrong about certificates: the panel's is not the trusted one, or the panel refuses ours; null = something
 * else.
 */
export function certificateTrouble(error: unknown): 'untrusted' | 'refused' | null {
  const { name, code = '' } = error as NodeJS.ErrnoException;
  // The other side speaks in alerts.
  if (/ALERT/.test(code)) return /CERT|UNKNOWN_CA/.test(code) ? 'refused' : null;
  return name === 'WrongCertificate' || /CERT|SIGNATURE|ALTNAME|ISSUER|SELF_SIGNED/.test(code) ? 'untrusted' : null;
}

/**
 * Connections to one remote panel, each checked before the first byte of a request is sent.
 * @param onShown called with the certificate of every connection that is used
 */
export function checkedAgent(
  address: string,
  trust: Trust,
  clientKey: string | undefined,
  onShown: (certificate: PeerCertificate) => void = () => undefined,
): HttpAgent {
  if (address.startsWith('http:')) return new PlainAgent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const credentials = trust.mode === 'mutual' ? { cert: trust.certificate, key: clientKey } : {};
  const fingerprint = trust.mode === 'verify' ? undefined : trust.fingerprint;
  return new CheckedAgent(credentials, fingerprint, onShown, {
    keepAlive: true,
    maxSockets: MAX_SOCKETS,
    // A resumed session presents no certificate; every connection must present one.
    maxCachedSessions: 0,
  });
}

class PlainAgent extends HttpAgent {
  override createConnection(options: ClientRequestArgs): Duplex | null | undefined {
    const socket = super.createConnection(options) as Socket;
    endUnanswered(socket, 'connect');
    return socket;
  }
}

class CheckedAgent extends HttpsAgent {
  readonly #credentials: ConnectionOptions;
  readonly #fingerprint: string | undefined;
  readonly #onShown: (certificate: PeerCertificate) => void;

  constructor(
    credentials: ConnectionOptions,
    fingerprint: string | undefined,
    onShown: (certificate: PeerCertificate) => void,
    options: AgentOptions,
  ) {
    super(options);
    this.#credentials = credentials;
    this.#fingerprint = fingerprint;
    this.#onShown = onShown;
  }

  /**
   * Node skips `checkServerIdentity` when the chain did not verify, as with any self-signed certificate: the pin is
   * compared here instead, and only then is the socket handed to the HTTP layer.
   */
  override createConnection(
    options: ConnectionOptions,
    hand?: (error: Error | null, socket: Duplex) => void,
  ): Duplex | null | undefined {
    const host = options.host ?? '';
    const socket = connectTls({
      host,
      port: Number(options.port),
      servername: isIP(host) === 0 ? host : '',
      rejectUnauthorized: this.#fingerprint === undefined,
      minVersion: 'TLSv1.2',
      ...this.#credentials,
    });
    const refuse = (error: Error): void => {
      socket.destroy();
      hand?.(error, socket);
    };
    endUnanswered(socket, 'secureConnect');
    socket.once('error', refuse);
    socket.once('secureConnect', () => {
      socket.removeListener('error', refuse);
      const shown = fingerprintOf(socket);
      if (this.#fingerprint !== undefined && shown !== this.#fingerprint) return refuse(new WrongCertificate(shown));
      this.#onShown(socket.getPeerCertificate());
      hand?.(null, socket);
    });
    return undefined;
  }
}

/** Ends a connection that is not ready in time. The system alone would try for minutes. */
function endUnanswered(socket: Socket, ready: 'connect' | 'secureConnect'): void {
  const limit = setTimeout(() => socket.destroy(timeoutError()), CONNECT_LIMIT_MS);
  const clear = (): void => clearTimeout(limit);
  socket.once(ready, clear).once('close', clear);
}

/** With the code of the system, which is shown beside words that say the same. */
const timeoutError = (): Error => Object.assign(new Error('the panel does not answer'), { code: 'ETIMEDOUT' });

function fingerprintOf(socket: TLSSocket): string {
  return createHash('sha256').update(socket.getPeerCertificate().raw).digest('hex');
}

/** The certificate a panel presents, for a person to compare before it is trusted. Sends no request. */
export function shownCertificate(address: string): Promise<ShownCertificate> {
  const { hostname, port } = new URL(address);
  const host = hostname.replaceAll(/[[\]]/g, '');
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      host,
      port: port === '' ? 443 : Number(port),
      servername: isIP(host) === 0 ? host : '',
      rejectUnauthorized: false,
    });
    endUnanswered(socket, 'secureConnect');
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const { subject, valid_to: end } = socket.getPeerCertificate();
      const name: unknown = subject?.CN;
      resolve({
        fingerprint: fingerprintOf(socket),
        subject: typeof name === 'string' ? name : '',
        validToMs: Date.parse(end),
      });
      socket.destroy();
    });
  });
}
