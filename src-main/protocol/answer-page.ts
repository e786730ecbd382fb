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
  'x-journal-entry',
];

export interface AnswerDeps {
  files: (path: string) => Promise<PageAnswer>;
  /** Sends a request to the connected panel. Rejects when it cannot be reached. */
  forward: (request: PageRequest) => Promise<PageAnswer>;
  /** Why the panel could not be reached, for people. */
  words: (error: unknown) => string;
  /** Something answers that is no panel, for people. */
  notAPanel: (status: number) => string;
}

/** Answers every request below `app://panel/`: the interface's files from here, calls from the connected panel. */
export function answerPage({
  files,
  forward,
  words,
  notAPanel,
}: AnswerDeps): (request: PageRequest) => Promise<PageAnswer> {
  return async (request) => {
    const path = request.path.split('?', 1)[0] ?? '';
    if (!isPanelCall(path)) {
      if (request.method === 'GET' || request.method === 'HEAD') return files(path);
      return plain(405, 'method not allowed');
    }
    try {
      const answer = await forward(request);
      return isOfNoPanel(answer) ? explained(answer, notAPanel(answer.status)) : asData(answer);
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

/** A panel that moved to another base path leaves a bare "not found" behind. Its own refusals are JSON. */
function isOfNoPanel({ status, headers }: PageAnswer): boolean {
  return status === 404 && !/json/i.test(headers['content-type'] ?? '');
}

function explained({ status, body }: PageAnswer, msg: string): PageAnswer {
  if (body instanceof Readable) body.resume();
  return { ...unreachable(msg), status };
}

/** In the format of the panel's own refusals. */
function unreachable(msg: string): PageAnswer {
  const body = Buffer.from(JSON.stringify({ success: false, msg, obj: null }));
  return { status: 502, headers: { 'content-type': 'application/json' }, body };
}

function plain(status: number, text: string): PageAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(text) };
}
