import type { LookupAddress } from 'node:dns';
import { lookup as resolveName } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { classifyAddress } from '../../../net/address-class.ts';

export interface GetOptions {
  headers?: Record<string, string>;
  /** The one host (name or address) that may be private and plain HTTP, because the operator named it. */
  trustedHost: string;
  /** Time limit of connecting and of every pause in the data. Default 30 s. */
  stallMs?: number;
  /** Aborts the request and its response. */
  signal?: AbortSignal | undefined;
  /** Further statuses that count as success; 200, 206 and 416 always do. */
  alsoStatus?: readonly number[];
}

/** A refused or failed download; the message is for the operator. */
export class DownloadError extends Error {
  /** Whether the same request may succeed a moment later. */
  readonly isWorthRetrying: boolean;
  /** Status of the response; 0 without one. */
  readonly status: number;
  constructor(text: string, isWorthRetrying: boolean, options?: ErrorOptions & { status?: number }) {
    super(text, options);
    this.status = options?.status ?? 0;
    this.name = 'DownloadError';
    this.isWorthRetrying = isWorthRetrying;
  }
}

const REDIRECTS = 5;

/**
 * GET that follows redirects, but never to an address inside the local network, and never away from TLS, except for the
 * host that the operator named. The address is checked when the connection is made, so a name cannot change in between.
 * @throws {DownloadError} for everything but status 200, 206 and 416
 */
export async function guardedGet(address: string, options: GetOptions): Promise<IncomingMessage> {
  let url = parseUrl(address);
  for (let hop = 0; hop <= REDIRECTS; hop += 1) {
    const response = await get(url, options);
    const status = response.statusCode ?? 0;
    if (status === 200 || status === 206 || status === 416) return response;
    if (options.alsoStatus?.includes(status) === true) return response;
    response.destroy();
    const { location } = response.headers;
    if (status < 300 || status >= 400 || location === undefined) {
      const isBusy = status >= 500 || status === 429;
      throw new DownloadError(`${url.host} answered ${status} for ${url.pathname}`, isBusy, { status });
    }
    url = parseUrl(new URL(location, url).href);
  }
  throw new DownloadError(`${url.host}: more than ${REDIRECTS} redirects`, false);
}

function parseUrl(address: string): URL {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new DownloadError(`no web address: ${address}`, false);
  return url;
}

function get(url: URL, { headers = {}, trustedHost, stallMs = 30_000, signal }: GetOptions): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isTrusted = host === trustedHost;
  if (url.protocol === 'http:' && !isTrusted) throw new DownloadError(`${host} is not asked without TLS`, false);
  if (isIP(host) !== 0 && !isTrusted && !isPublic(host))
    throw new DownloadError(`${host} is an address of an internal network`, false);
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(url, {
      headers: { 'user-agent': 'switchyard', ...headers },
      timeout: stallMs,
      // A pooled connection would have been checked under another rule.
      agent: false,
      ...(signal === undefined ? {} : { signal }),
      ...(isTrusted ? {} : { lookup: publicOnly }),
    });
    request.once('timeout', () => request.destroy(new DownloadError(`${host} does not answer`, true)));
    request.once('error', (error) => {
      reject(
        error instanceof DownloadError ? error : new DownloadError(`${host}: ${error.message}`, true, { cause: error }),
      );
    });
    request.once('response', (response) => {
      response.setTimeout(stallMs, () => response.destroy(new DownloadError(`${host} sends nothing any more`, true)));
      resolve(response);
    });
    request.end();
  });
}

const publicOnly: LookupFunction = (host, options, done) => {
  resolveName(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const refused = found?.find(({ address }) => !isPublic(address));
    const [first] = found ?? [];
    if (error) done(error, '');
    else if (refused || !first)
      done(new DownloadError(`${host} leads to ${refused?.address ?? 'nowhere'}, an internal network`, false), '');
    else if (options.all) done(null, found);
    else done(null, first.address, first.family);
  });
};

const isPublic = (address: string): boolean => classifyAddress(address) === 'public';
