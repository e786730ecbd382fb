import { Readable } from 'node:stream';
import { isPanelCall } from '../guards/own-page.ts';
import type { PageResponse, PageRequest } from './exchange.ts';

/** Headers of a panel's response that reach the page. Cookies stay here, and no response sets its own policy. */
const PASSED_DOWN = [
  'content-type',
  'content-disposition',
  'content-length',
  'cache-control',
  'etag',
  'last-modified',
  'retry-after',
  'x-error-code',
  'x-journal-entry',
];

export interface PageHandlerDeps {
  files: (path: string) => Promise<PageResponse>;
  /** Sends a request to the connected panel. Rejects when it cannot be reached. */
  forward: (request: PageRequest) => Promise<PageResponse>;
  /** Why the panel could not be reached, for people. */
  words: (error: unknown) => string;
  /** Something answers that is no panel, for people. */
  notAPanel: (status: number) => string;
}

/** Answers every request below `app://panel/`: the interface's files from here, calls from the connected panel. */
export function createPageHandler({
  files,
  forward,
  words,
  notAPanel,
}: PageHandlerDeps): (request: PageRequest) => Promise<PageResponse> {
  return async (request) => {
    const path = request.path.split('?', 1)[0] ?? '';
    if (!isPanelCall(path)) {
      if (request.method === 'GET' || request.method === 'HEAD') return files(path);
      return plain(405, 'method not allowed');
    }
    try {
      const response = await forward(request);
      return isOfNoPanel(response) ? explained(response, notAPanel(response.status)) : asData(response);
    } catch (error) {
      return unreachable(words(error));
    }
  };
}

/** A panel's response is data: it can neither be shown as a page nor run anything. */
function asData(response: PageResponse): PageResponse {
  const headers: Record<string, string> = {};
  for (const name of PASSED_DOWN) {
    const value = response.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  if (/html|xml|svg/i.test(headers['content-type'] ?? '')) headers['content-type'] = 'text/plain; charset=utf-8';
  headers['content-security-policy'] = `default-src 'none'; sandbox`;
  headers['x-content-type-options'] = 'nosniff';
  // A redirect would lead wherever the panel says; the API has none.
  const isRedirect = response.status >= 300 && response.status < 400 && response.status !== 304;
  if (!isRedirect) return { ...response, headers };
  if (response.body instanceof Readable) response.body.resume();
  return plain(502, 'the panel answered with a redirect');
}

/** A panel that moved to another base path leaves a bare "not found" behind. Its own refusals are JSON. */
function isOfNoPanel({ status, headers }: PageResponse): boolean {
  return status === 404 && !/json/i.test(headers['content-type'] ?? '');
}

function explained({ status, body }: PageResponse, msg: string): PageResponse {
  if (body instanceof Readable) body.resume();
  return { ...unreachable(msg), status };
}

/** In the format of the panel's own refusals. */
function unreachable(msg: string): PageResponse {
  const body = Buffer.from(JSON.stringify({ success: false, msg, obj: null }));
  return { status: 502, headers: { 'content-type': 'application/json' }, body };
}

function plain(status: number, text: string): PageResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(text) };
}
