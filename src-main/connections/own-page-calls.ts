import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { PageResponse, PageRequest } from '../protocol/exchange.ts';
import type { Link } from './link.ts';

/** Where a page asks for the token that its changes carry. */
const TOKEN_PATHS = new Set(['/csrf-token', '/panel/csrf-token']);
const SAFE_METHODS = new Set(['GET', 'HEAD']);

/**
 * Sends the calls of pages that were loaded for one panel. What an earlier page sent in its last instant arrives only
 * after the window has gone to the next panel: a change without this panel's token is refused. A panel with a session
 * gives and checks the token itself; other sign-ins need none, so it is given and checked here.
 */
export function ownPageCalls(link: Link): Link['forward'] {
  if (link.isSession) return (request) => link.forward(request);
  const token = randomBytes(16).toString('hex');
  return async (request) => {
    if (request.method === 'GET' && TOKEN_PATHS.has(request.path)) return given(await link.forward(request), token);
    return SAFE_METHODS.has(request.method) || isProven(request, token)
      ? link.forward(request)
      : jsonResponse(403, false, null);
  };
}

/** The token, from a panel that answers: by this call the page finds out whether it does. */
function given(response: PageResponse, token: string): PageResponse {
  if (response.status >= 500) return response;
  if (response.body instanceof Readable) response.body.resume();
  return jsonResponse(200, true, token);
}

/** A call with an API token of its own is refused by every other panel. */
const isProven = ({ headers }: PageRequest, token: string): boolean =>
  headers['x-csrf-token'] === token || headers['authorization'] !== undefined;

function jsonResponse(status: number, success: boolean, obj: string | null): PageResponse {
  const body = Buffer.from(JSON.stringify({ success, msg: '', obj }));
  return { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' }, body };
}
