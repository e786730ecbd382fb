import { createHash, X509Certificate } from 'node:crypto';
import { open } from 'node:fs/promises';
import { isIP } from 'node:net';
import { normalize } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { DomainError } from '../../contract/domain-error.ts';
import { DialError } from '../../net/dial-error.ts';
import type { GuardedDialer } from '../../net/guarded-dialer.ts';
import { hostAndPort } from '../../contract/host-and-port.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_CERTIFICATES = 100;
const DIAL_MS = 10_000;
const HANDSHAKE_MS = 15_000;
const PEM_BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;

export interface CertificateHashDeps {
  /** Certificate files used in the panel's settings and its inbounds. */
  namedFiles: () => Promise<readonly string[]>;
  dialer: Pick<GuardedDialer, 'connect'>;
}
export type CertificateHashes = ReturnType<typeof createCertificateHashes>;

/** SHA-256 of certificates, for clients that pin them. */
export function createCertificateHashes({ namedFiles, dialer }: CertificateHashDeps) {
  /** Only files that the panel itself uses: anything else would reveal which files exist on this machine. */
  async function readNamed(path: string): Promise<Buffer> {
    const wanted = comparable(path);
    const stored = (await namedFiles()).find((file) => comparable(file) === wanted);
    if (stored === undefined) throw failure('certificate file is not referenced by any inbound or panel setting');
    try {
      return await readWhole(stored);
    } catch (error) {
      throw failure(`unable to read certificate: ${textOf(error)}`);
    }
  }

  return {
    /**
     * @param given a file, which takes precedence when not blank, or PEM, or DER in base64
     * @returns lower-case hex hash of every certificate, in order
     * @throws {DomainError} `server.certHash`
     */
    async local(given: { certFile: string; certContent: string }): Promise<string[]> {
      const { certFile, certContent } = given;
      if (certFile.trim() !== '') return hashesOf(await readNamed(certFile.trim()));
      if (certContent.trim() === '') throw failure('no certificate provided');
      const isPem = certContent.includes('-----BEGIN');
      return hashesOf(isPem ? Buffer.from(certContent) : Buffer.from(certContent, 'base64'));
    },

    /**
     * @param sni the name to ask for; empty = that of the server
     * @param allowPrivate whether an address of an internal network may be dialled
     * @returns the hash of the first certificate presented
     * @throws {DomainError} `server.remoteCertHash`
     */
    async remote(server: string, sni: string, allowPrivate: boolean): Promise<string[]> {
      const place = placeOf(server);
      const shown = hostAndPort(place.host, place.port);
      const signal = AbortSignal.timeout(HANDSHAKE_MS);
      const plain = await dialer.connect({ ...place, allowPrivate, timeoutMs: DIAL_MS, signal }).catch((error) => {
        if (!(error instanceof DialError)) throw error;
        throw remoteFailure(`failed to dial ${shown}: ${error.message}`);
      });
      try {
        const certificate = await firstCertificate(plain, { host: place.host, name: sni.trim() || place.host }, signal);
        if (certificate === undefined) throw remoteFailure(`no certificate returned by ${place.host}`);
        return [hashOf(certificate)];
      } finally {
        plain.destroy();
      }
    },
  };
}

function firstCertificate(
  socket: Awaited<ReturnType<GuardedDialer['connect']>>,
  { host, name }: { host: string; name: string },
  signal: AbortSignal,
): Promise<X509Certificate | undefined> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(remoteFailure(`tls handshake with ${host} failed: ${error.message}`));
    const secure = connectTls({
      socket,
      ...(isIP(name) === 0 ? { servername: name } : {}),
      ALPNProtocols: ['h2', 'http/1.1'],
      // Any presented certificate is hashed, trusted or not; nothing is sent.
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    });
    secure.once('secureConnect', () => resolve(secure.getPeerX509Certificate()));
    secure.once('error', fail);
    secure.once('close', () => fail(new Error('the connection was closed')));
    signal.addEventListener('abort', () => secure.destroy(new Error('timeout')), { once: true });
  });
}

function placeOf(server: string): { host: string; port: number } {
  const text = server.trim();
  if (text === '') throw remoteFailure('no server provided');
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(text);
  const plain = isIP(text) === 6 ? [text, text] : /^([^:]+)(?::(\d{1,5}))?$/.exec(text);
  const [, host, port = '443'] = bracketed ?? plain ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw remoteFailure(`"${text}" is no server. Use a name or an address, with or without a port`);
  return { host, port: Number(port) };
}

function hashesOf(bytes: Buffer): string[] {
  const found = bytes.includes('-----BEGIN') ? pemBlocks(bytes.toString('latin1')) : derParts(bytes);
  if (found.length === 0) throw failure('no certificates found');
  return found.map((raw) => hashOf(certificateOf(raw)));
}

/** Ignores keys and anything else in the file. */
function pemBlocks(text: string): (string | Buffer)[] {
  return [...text.matchAll(PEM_BLOCK)]
    .filter(([, label]) => label === 'CERTIFICATE')
    .slice(0, MAX_CERTIFICATES)
    .map(([block]) => block);
}

/** Splits concatenated certificates by the length in each outer SEQUENCE. */
function derParts(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length && parts.length < MAX_CERTIFICATES;) {
    const lengthBytes = (bytes[at + 1] ?? 0) - 0x80;
    if (bytes[at] !== 0x30 || lengthBytes < 1 || lengthBytes > 3 || at + 2 + lengthBytes > bytes.length)
      throw failure('unable to decode certificate: neither PEM nor DER');
    const end = at + 2 + lengthBytes + bytes.readUIntBE(at + 2, lengthBytes);
    parts.push(bytes.subarray(at, end));
    at = end;
  }
  return parts;
}

function certificateOf(raw: string | Buffer): X509Certificate {
  try {
    return new X509Certificate(raw);
  } catch (error) {
    throw failure(`unable to parse certificates: ${textOf(error)}`);
  }
}

function hashOf({ raw }: X509Certificate): string {
  return createHash('sha256').update(raw).digest('hex');
}

async function readWhole(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const stat = await file.stat();
    if (!stat.isFile() || stat.size > MAX_BYTES) throw new Error('it is no certificate file');
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function comparable(path: string): string {
  const plain = normalize(path);
  return process.platform === 'win32' ? plain.toLowerCase() : plain;
}

function failure(text: string): DomainError {
  return new DomainError('server.certHash', { text });
}

function remoteFailure(text: string): DomainError {
  return new DomainError('server.remoteCertHash', { text });
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
