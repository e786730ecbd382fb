import type { Context } from 'koa';
import type { Caller, RequestInfo } from './guards/caller.ts';
import type { RequestFacts } from './describe-request.ts';

/** A signed-in browser, as the edge sees it. */
interface ActiveSession {
  /** Hex SHA-256 of the cookie value: identifies the session everywhere but in the browser. */
  idHash: string;
  adminId: number;
  username: string;
  /** What unsafe requests of this session must carry in `X-CSRF-Token`. */
  csrfToken: string;
  createdAtMs: number;
  expiresAtMs: number;
}

/** Everything the edge knows about a request, in the order in which it learns it. */
export interface PanelState {
  info: RequestInfo;
  facts: RequestFacts;
  /** Identifies this request in the log, and in the response to an unexpected error. */
  reference: string;
  /** For `<script nonce>` of served pages. */
  nonce: string;
  /** `/` or `/prefix/`: what cookies and redirects are relative to. */
  basePath: string;
  session: ActiveSession | null;
}

export function stateOf(koa: Context): PanelState {
  return koa.state;
}

/**
 * How the edge authenticates callers. Implemented by the session and token services; each method returns null for
 * anything that is not valid right now, without saying why.
 */
export interface Authentication {
  /** Session of a cookie value. */
  session(cookie: string): Promise<ActiveSession | null>;
  /** API token by its plaintext. */
  bearer(token: string): Promise<{ tokenId: number; name: string } | null>;
  /** CSRF token that belongs to the CSRF cookie of a visitor who is not signed in. */
  visitorCsrfToken(cookie: string): Promise<string | null>;
}

export const ANONYMOUS: Caller = { kind: 'anonymous' };
