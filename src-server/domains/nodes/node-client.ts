import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import type * as z from 'zod';
import { DomainError } from '../../contract/domain-error.ts';
import { DialError } from '../../net/dial-error.ts';
import type { DialResponse, GuardedDialer } from '../../net/guarded-dialer.ts';
import type { KeptConnections } from '../../net/kept-connections.ts';
import { printable, readResponse, snippet } from './response.ts';
import { tlsTrust, type TlsChoice } from './trust/tls-trust.ts';
import { hostAndPort } from '../../contract/host-and-port.ts';

/** How to reach a node, with the token in plain text. */
export interface NodeAddress extends TlsChoice {
  address: string;
  port: number;
  basePath: string;
  token: string;
  isPrivateAllowed: boolean;
}

/** The parts of a call that are sent. */
export interface NodeRequest {
  method: 'GET' | 'POST';
  /** Below `panel/api/`, already encoded. */
  path: string;
  body?: object;
  timeoutMs?: number;
  /** Entity tag of the known response, which then need not be sent again. */
  knownTag?: string;
}

/** A raw response. */
export interface RawResponse {
  body: Buffer;
  /** Empty = the node sends none. */
  tag: string;
  /** Which of the node's responses it is; empty = not reported. */
  order: string;
}

export interface NodeCall<T extends z.ZodType> extends NodeRequest {
  /** The part of the response that is read; the rest may be anything. */
  result: T;
}

/** Calls of one node's API. Remembers the node's capabilities, so one instance lives as long as the address does. */
export interface NodeClient {
  /**
   * @throws {DomainError} `node.unreachable`, `node.privateAddress`, `node.speaksHttp`, `node.authorityUnknown`,
   *   `node.redirects`, `node.http`, `node.refused`, `node.badAnswer`, `node.noToken`, `node.bodyTooLarge`, and what
   *   {@link tlsTrust} throws
   */
  call<T extends z.ZodType>(call: NodeCall<T>): Promise<z.output<T>>;
  /**
   * Returns the raw response, for large ones; null when it still has the known tag.
   * @throws {DomainError} as `call`, except for errors in the content
   */
  raw(request: NodeRequest): Promise<RawResponse | null>;
  /** Closes idle connections. The next call opens new ones. */
  close(): void;
}

const CALL_MS = 10_000;
const CONNECT_MS = 10_000;
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/** Limits of a node: for a decoded body, and for an uncompressed one. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const COMPRESSED_FROM_BYTES = 1_024;
const compress = promisify(zstdCompress);

/** Dependencies shared by all node clients. */
export interface NodeClientDeps {
  dialer: Pick<GuardedDialer, 'fetch' | 'keep'>;
  /** The certificate that this panel presents for mutual TLS; PEM. */
  clientIdentity: () => Promise<{ cert: string; key: string }>;
  /** Aborts every call in progress: the panel stops. */
  signal?: AbortSignal;
}

export function createNodeClient({ dialer, clientIdentity, signal }: NodeClientDeps, to: NodeAddress): NodeClient {
  const isByCertificate = to.tlsVerifyMode === 'mtls' || to.tlsVerifyMode === 'enrolled';
  const base = `${to.scheme}://${hostAndPort(to.address, to.port)}${to.basePath}panel/api/`;
  let takesZstd = false;
  /** Connections, with the certificate that this panel presents on them. */
  let kept: { connections: KeptConnections; shown: string } | null = null;

  /** A connection presents one certificate for its lifetime, so a new certificate needs new connections. */
  function connections(identity: { cert?: string; key?: string }): KeptConnections {
    const shown = identity.cert ?? '';
    if (kept?.shown === shown) return kept.connections;
    void kept?.connections.close();
    const options = { allowPrivate: to.isPrivateAllowed, timeoutMs: CONNECT_MS, tls: { ...tlsTrust(to), ...identity } };
    kept = { connections: dialer.keep(base, options), shown };
    return kept.connections;
  }

  async function send({
    method,
    path,
    body,
    knownTag,
    timeoutMs = CALL_MS,
  }: NodeRequest): Promise<DialResponse<Buffer>> {
    const isMutual = to.tlsVerifyMode === 'mtls';
    if (to.token === '' && !isByCertificate) throw new DomainError('node.noToken');
    const headers: Record<string, string> = { accept: 'application/json' };
    if (to.token !== '') headers['authorization'] = `Bearer ${to.token}`;
    if (knownTag !== undefined) headers['if-none-match'] = knownTag;
    // Read at each call, so that a new certificate takes effect at once.
    const identity = isMutual ? await clientIdentity() : {};
    let bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    if (bytes !== undefined) {
      if (bytes.length > MAX_BODY_BYTES)
        throw new DomainError('node.bodyTooLarge', { size: bytes.length, max: MAX_BODY_BYTES });
      headers['content-type'] = 'application/json';
      headers['x-config-sha256'] = createHash('sha256').update(bytes).digest('hex');
      if (takesZstd && bytes.length >= COMPRESSED_FROM_BYTES) {
        bytes = await compress(bytes);
        headers['content-encoding'] = 'zstd';
      }
    }
    return dialer.fetch(base + path, {
      method,
      headers,
      ...(bytes === undefined ? {} : { body: bytes }),
      maxBytes: MAX_RESPONSE_BYTES,
      timeoutMs,
      kept: connections(identity),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  async function raw(call: NodeRequest): Promise<RawResponse | null> {
    let response: DialResponse<Buffer>;
    try {
      response = await send(call);
    } catch (error) {
      throw error instanceof DialError ? unreachable(error) : error;
    }
    takesZstd = /(?:^|,)\s*zstd\s*(?:,|$)/i.test(String(response.headers['x-node-caps'] ?? ''));
    if (response.status === 304 && call.knownTag !== undefined) return null;
    if (response.status === 200) {
      const { etag = '', 'x-answer-order': order = '' } = response.headers;
      return { body: response.body, tag: etag, order: String(order) };
    }
    throw new DomainError('node.http', {
      status: response.status,
      method: call.method,
      path: call.path,
      snippet: snippet(response.body.toString()),
    });
  }

  return {
    raw,
    call: async (call) => readResponse((await raw(call))?.body.toString() ?? '', call.result),
    close() {
      void kept?.connections.close();
      kept = null;
    },
  };
}

/** Whether the node answered with a refusal; otherwise it is unknown whether the call arrived. */
export function isRefusal(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code === 'node.refused';
}

/** Converts a failed connection to an error of this domain. */
export function unreachable(error: DialError): DomainError {
  const { cause } = error;
  const tlsCode = error.code === 'tls' && cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (WRONG_VERSION.has(tlsCode)) return new DomainError('node.speaksHttp', {}, { cause: error });
  if (UNKNOWN_AUTHORITY.has(tlsCode)) return new DomainError('node.authorityUnknown', {}, { cause: error });
  if (error.code === 'redirects') return new DomainError('node.redirects', {}, { cause: error });
  if (error.refused !== null)
    return new DomainError('node.privateAddress', { address: printable(error.refused.address) }, { cause: error });
  return new DomainError('node.unreachable', { text: printable(error.message) }, { cause: error });
}

/** OpenSSL's codes when the other side answers a handshake in plain text. */
const WRONG_VERSION = new Set(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG']);

/** Its codes for a certificate that no authority known here has signed; its messages advise on Node.js. */
const UNKNOWN_AUTHORITY = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
