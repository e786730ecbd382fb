import { Readable } from 'node:stream';
import { isPanelCall } from '../guards/own-page.ts';
import type { PageAnswer, PageRequest } from './exchange.ts';

/** Headers of a panel's answer that reach the page. Cookies stay here, and no answer sets its own policy. */
const PASSED_DOWN = [
  'content-type',
  'content-disposition',
  'content-length',
  'cache-control',
  'etag',
  'last-modified',
  'retry-after',
  'x-error-code',
];

export interface AnswerDeps {
  files: (path: string) => Promise<PageAnswer>;
  /** Sends a request to the connected panel. Rejects when it cannot be reached. */
  forward: (request: PageRequest) => Promise<PageAnswer>;
  /** Why the panel could not be reached, for people. */
  words: (error: unknown) => string;
}

/** Answers every request below `app://panel/`: the interface's files from here, calls from the connected panel. */
export function answerPage({ files, forward, words }: AnswerDeps): (request: PageRequest) => Promise<PageAnswer> {
  return async (request) => {
    const path = request.path.split('?', 1)[0] ?? '';
    if (!isPanelCall(path)) {
      if (request.method === 'GET' || request.method === 'HEAD') return files(path);
      return plain(405, 'method not allowed');
    }
    try {
      return asData(await forward(request));
    } catch (error) {
      return unreachable(words(error));
    }
  };
}

/** A panel's answer is data: it can neither be shown as a page nor run anything. */
function asData(answer: PageAnswer): PageAnswer {
  const headers: Record<string, string> = {};
  for (const name of PASSED_DOWN) {
    const value = answer.headers[name];
    if (value !== undefined) headers[name] = value;
  }
  if (/html|xml|svg/i.test(headers['content-type'] ?? '')) headers['content-type'] = 'text/plain; charset=utf-8';
  headers['content-security-policy'] = `default-src 'none'; sandbox`;
  headers['x-content-type-options'] = 'nosniff';
  // A redirect would lead wherever the panel says; the API has none.
  const isRedirect = answer.status >= 300 && answer.status < 400 && answer.status !== 304;
  if (!isRedirect) return { ...answer, headers };
  if (answer.body instanceof Readable) answer.body.resume();
  return plain(502, 'the panel answered with a redirect');
}

/** In the format of the panel's own refusals. */
function unreachable(msg: string): PageAnswer {
  const body = Buffer.from(JSON.stringify({ success: false, msg, obj: null }));
  return { status: 502, headers: { 'content-type': 'application/json' }, body };
}

function plain(status: number, text: string): PageAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(text) };
}
