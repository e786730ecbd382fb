import type { Client } from 'acme-client';
import { DialError } from '../../../net/dial-error.ts';
import type { GuardedDialer } from '../../../net/guarded-dialer.ts';
import { trustedAuthorities } from '../../../net/authorities.ts';
import { AcmeFailure, dialFailure, kindOf, readProblem, requestFailure } from './acme-failure.ts';

const REQUEST_MS = 30_000;
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** Authorities may drop a nonce at any time; each refusal carries a fresh one. */
const MAX_BAD_NONCES = 10;

/** The library's request function. */
type SendRequest = (
  url: string,
  method: string,
  options?: { data?: unknown },
) => Promise<{ status: number; headers: Record<string, unknown>; data: unknown }>;

export interface AcmeSessionOptions {
  dialer: Pick<GuardedDialer, 'fetch'>;
  directoryUrl: string;
  allowPrivate: boolean;
  /** PEM. */
  accountKey: string;
  /** Empty = not known yet. */
  accountUrl: string;
  /** Null = none. */
  eab: { kid: string; hmacKey: string } | null;
  signal: AbortSignal;
}

/** A session with an authority. A refusal is thrown as an {@link AcmeFailure}. */
export interface AcmeSession {
  client: Client;
  /** Ms that the last response asked to wait; 0 = none. */
  retryAfterMs: () => number;
}

/**
 * The library signs, this sends: every address, including those the authority names, goes through the guarded dialer,
 * over https only. A private address is allowed only for the directory's host.
 */
export async function openAcmeSession(options: AcmeSessionOptions): Promise<AcmeSession> {
  const { axios, Client } = await import('./acme-library.ts');
  // Requests of the library that bypass the session fail.
  axios.defaults.adapter = () => Promise.reject(new Error('requests go through the session'));
  const { directoryUrl, accountKey, accountUrl, eab } = options;
  const client = new Client({
    directoryUrl,
    accountKey,
    ...(accountUrl === '' ? {} : { accountUrl }),
    ...(eab === null ? {} : { externalAccountBinding: eab }),
  });
  let retryAfterMs = 0;
  const { http } = client as unknown as { http: { request: SendRequest; maxBadNonceRetries: number } };
  http.maxBadNonceRetries = MAX_BAD_NONCES;
  http.request = async (url, method, { data } = {}) => {
    const response = await send(options, url, method.toUpperCase(), data);
    retryAfterMs = response.retryAfterMs;
    return response;
  };
  return { client, retryAfterMs: () => retryAfterMs };
}

async function send(
  { dialer, directoryUrl, allowPrivate, signal }: AcmeSessionOptions,
  address: string,
  method: string,
  data: unknown,
) {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:') throw new AcmeFailure('certificate.directory', { text: 'an address without TLS' });
  const isDirectorys = url.hostname === new URL(directoryUrl).hostname;
  let response;
  try {
    response = await dialer.fetch(url.href, {
      method,
      headers: { 'content-type': 'application/jose+json' },
      ...(data === undefined ? {} : { body: JSON.stringify(data) }),
      maxBytes: MAX_RESPONSE_BYTES,
      timeoutMs: REQUEST_MS,
      allowPrivate: allowPrivate && isDirectorys,
      tls: { secureContext: await trustedAuthorities() },
      signal,
    });
  } catch (error) {
    throw error instanceof DialError && error.code !== 'aborted' ? dialFailure(error) : error;
  }
  const { status, headers } = response;
  const text = response.body.toString('utf8');
  const body = /json/.test(headers['content-type'] ?? '') ? parsed(text) : text;
  const retryAfterMs = waitOf(headers['retry-after']);
  if (status >= 400) {
    const problem = readProblem(body);
    // The library retries with a fresh nonce.
    if (problem === null || kindOf(problem) !== 'badNonce') throw requestFailure(problem, status, retryAfterMs);
  }
  return { status, headers, data: body, retryAfterMs };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AcmeFailure('certificate.directory', { text: 'no JSON' });
  }
}

/** Seconds, or a date. */
function waitOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const seconds = Number(text);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : 0;
}
